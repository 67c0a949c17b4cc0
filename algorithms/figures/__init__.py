"""Figures of methods as data, without drawing: as in papers on a method, for one page."""
