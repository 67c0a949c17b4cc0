"""Team: annotators, comments, questions, assigned pages."""
