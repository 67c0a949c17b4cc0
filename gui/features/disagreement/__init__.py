"""Disagreement of methods, as a heat map over the page."""
