"""The page in 3-D: every element lifted by its depth, with its own picture on it."""
