"""Checks: possible errors in the marks of a page."""
