"""Detection of a file's kind by its content, and of the possible next steps."""
