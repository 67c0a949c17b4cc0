"""A page becomes data: its source, its rendered nodes, and the way between the two."""
