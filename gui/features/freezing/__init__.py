"""Freezing: a page as a file that restores it exactly, with its certificate."""
