"""Evidence of the audit on gold: marks of others, text elsewhere, missing text."""
