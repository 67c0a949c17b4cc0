"""The page in the window's centre, and what mouse and keys do on it."""
