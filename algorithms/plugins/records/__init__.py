"""Records of a page: what its lists, tables and grids hold, as rows and fields."""
