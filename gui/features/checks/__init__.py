"""Checks: what may be wrong with the marks of a page."""
