"""Guideline: what belongs to a type, beside the work, with examples from gold."""
