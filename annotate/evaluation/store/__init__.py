"""Rows of an evaluation, in files and databases."""
