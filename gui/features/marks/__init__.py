"""Marks: repeated blocks of a page, selected or marked in one step."""
