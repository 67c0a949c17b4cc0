"""The panels around the page: one dock, one module."""
