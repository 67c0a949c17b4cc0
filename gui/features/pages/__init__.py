"""Pages: the list of open pages."""
