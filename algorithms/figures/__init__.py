"""Figures of methods as data, without a line drawn: what papers show of a method, on one page."""
