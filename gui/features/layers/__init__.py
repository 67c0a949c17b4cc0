"""Layers: visible methods, their style and parameters, and their scores."""
