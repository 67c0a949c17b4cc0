"""Marks: what repeats on a page, selected or marked in one step."""
