"""The ``pagelet`` command: its input and output."""
