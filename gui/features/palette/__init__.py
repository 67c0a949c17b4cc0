"""Palette: all actions, pages and help, in one field."""
