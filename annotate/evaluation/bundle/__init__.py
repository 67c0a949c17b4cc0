"""Bundle: results as a folder of web pages for those without Pagelet."""
