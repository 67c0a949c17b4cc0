"""Features of the window: a folder each, declared in its `feature.py`."""
