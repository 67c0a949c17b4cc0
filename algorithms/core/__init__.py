"""The catalogue of methods, their runs on one page or many, and the location of texts in a page."""
