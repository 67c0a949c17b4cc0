"""Export: pictures, pages with their layers, marks and results, for others without Pagelet."""
