"""Two pages of a site side by side: their template and their differences."""
