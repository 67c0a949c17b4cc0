"""Files that hold many pages: web archives and frozen packages."""
