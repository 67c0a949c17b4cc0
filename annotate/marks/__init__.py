"""Marks and gold: what they are, how they are edited, anchored and written as records."""
