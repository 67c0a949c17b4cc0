"""Kreuzer's data set: labelled blocks on saved pages."""
