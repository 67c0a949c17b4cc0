"""Evaluate: the scores of all methods on all open pages, as a table."""
