"""Checks of methods that need no gold."""
