"""Palette: everything that can be done, opened or read, in one field."""
