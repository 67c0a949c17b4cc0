"""Processes that may die: their start, requests to them, and cleaning up at their end."""
