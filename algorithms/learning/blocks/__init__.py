"""Terrain-learned: Pagelet's own trained segmenter."""
