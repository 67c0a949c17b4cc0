"""3-D view: the page as layers in space."""
