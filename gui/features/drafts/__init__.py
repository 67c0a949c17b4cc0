"""Drafts: marks made by a method, to be confirmed."""
