"""What is open and how it is shown, as values; every view reads it."""
