"""Other ways to look at a page than the page itself: the terrain, side by side, presentation."""
