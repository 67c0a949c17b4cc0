"""Help: the documentation in the window."""
