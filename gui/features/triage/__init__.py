"""Triage: which pages to mark first, by what is probably hard for methods."""
