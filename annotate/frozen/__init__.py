"""Frozen pages: one file that holds a page as it was annotated, and proves that it comes back."""
