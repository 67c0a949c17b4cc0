"""Two pages of a site side by side, tied by their template."""
