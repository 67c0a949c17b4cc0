"""Figures of what methods measure, beside the page, with their sweeps."""
