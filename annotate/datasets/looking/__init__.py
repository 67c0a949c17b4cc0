"""The door that looks into a file: what it is by its content, and what can be done with it."""
