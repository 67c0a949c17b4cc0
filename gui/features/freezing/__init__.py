"""Freezing: a page as one file that restores it exactly, with its certificate."""
