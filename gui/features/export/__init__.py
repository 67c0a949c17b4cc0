"""Export: pictures, pages with their layers, marks and results, for those without Pagelet."""
