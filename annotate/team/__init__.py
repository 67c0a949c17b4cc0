"""Several annotators: agreement, review, merging, comments and assignments."""
