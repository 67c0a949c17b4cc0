"""Triage: the order in which to mark pages, by their probable difficulty for methods."""
