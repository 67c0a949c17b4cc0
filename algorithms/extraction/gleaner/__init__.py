"""Gleaner: Pagelet's own trained extractor."""
