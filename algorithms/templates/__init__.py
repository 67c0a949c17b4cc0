"""Templates of sites: distances between pages, clusters of them, and repeated content."""
