"""Marks and gold: their types, editing, anchoring and records."""
