"""The ``pagelet`` command: what is typed, what is printed."""
