"""Agreement of annotators over all pages."""
