"""Unsure: a flag on marks that brings them to the review."""
