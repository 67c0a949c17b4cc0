"""Many pages, one template: distances between pages, clusters of them, and what a site repeats."""
