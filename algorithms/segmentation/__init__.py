"""Segmentation of a rendered page: one method, one module."""
