"""The report of an evaluation: one HTML file for readers, its figures also as files for papers."""
