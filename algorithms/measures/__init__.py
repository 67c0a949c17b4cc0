"""Scores of an extraction or a segmentation against gold."""
