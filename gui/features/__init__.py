"""What the window can do: a folder a feature, declared in its `feature.py`."""
