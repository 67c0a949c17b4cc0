"""What methods measure on a page or its source, each once for all who need it."""
