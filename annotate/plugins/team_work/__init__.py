"""Several annotators: assigned pages, comments, review, agreement and merged files."""
