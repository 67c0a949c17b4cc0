"""Layers: which methods are drawn, how, with which parameters, and their scores."""
