"""What plug-ins do without the window: a folder each, named as theirs in `gui.plugins`."""
