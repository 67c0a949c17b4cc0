"""Method editor: one's own method beside the page and its scores."""
