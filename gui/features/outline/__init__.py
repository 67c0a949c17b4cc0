"""Outline: the marks of a page as a tree."""
