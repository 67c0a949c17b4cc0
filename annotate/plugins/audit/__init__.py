"""Errors that are probable in gold, the most suspicious first."""
