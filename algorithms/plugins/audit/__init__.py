"""What the audit reads in gold: what others say, what stands elsewhere, what is missing."""
