"""Explanations: why a method kept or dropped something, where it errs, what would change it."""
