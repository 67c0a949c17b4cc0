"""Processes that may die: starting them, asking them, and what remains when they end."""
