"""Figures of a method's measurements, beside the page; thresholds can be dragged."""
