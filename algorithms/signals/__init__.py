"""Measures of a page or its source that methods share, each computed once."""
