"""Suggestions: blocks that methods agree on, to accept or reject."""
