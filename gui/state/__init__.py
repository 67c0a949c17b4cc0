"""Open page and display settings, as values; every view reads it."""
