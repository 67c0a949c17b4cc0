"""Pages saved by browsers: HTML with a folder, MHTML, web archives."""
