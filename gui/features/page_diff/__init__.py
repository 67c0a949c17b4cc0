"""Page diff: two pages side by side, their common template and their differences."""
