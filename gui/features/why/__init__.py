"""Why: the reason why a method kept or dropped something, and the change that reverses it."""
