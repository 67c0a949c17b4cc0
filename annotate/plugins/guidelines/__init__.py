"""Guidelines: what counts as content, and what data sets take for it."""
