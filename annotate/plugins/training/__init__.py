"""A method trained on pages with gold."""
