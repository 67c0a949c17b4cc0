"""Errors: missing and superfluous text or blocks of a result."""
