"""Content extraction: one method, one module."""
