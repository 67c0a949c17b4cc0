"""Overlays drawn on the page: which layers there are and how they are drawn."""
