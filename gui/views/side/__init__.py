"""Side by side: two or four views of one page."""
