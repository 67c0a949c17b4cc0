"""Side by side: the page once for each method, scrolled together."""
