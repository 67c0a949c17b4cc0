"""Pages that other programs have saved: what is a page in them, and what answers its requests."""
