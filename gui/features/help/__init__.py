"""Help: the site of the documentation in the window."""
