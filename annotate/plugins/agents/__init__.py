"""The next step of whoever makes a method better."""
