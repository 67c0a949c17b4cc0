"""Boards: one table of methods on all data sets, by one scorer, with a list of pages a number."""
