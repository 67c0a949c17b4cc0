"""Why: the reason why a method kept or dropped something, and what would change it."""
