"""Site: all open pages by template."""
