"""What the audit reads in gold: marks of others, text elsewhere, missing text."""
