"""Extractors of other makers, and other versions of them, as sides of a comparison."""
