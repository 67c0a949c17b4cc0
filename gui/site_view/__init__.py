"""The Site view: all open pages side by side, by template: pictures, distances, clusters."""
