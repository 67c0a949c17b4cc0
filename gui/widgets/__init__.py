"""Parts that know nothing of Pagelet's pages: looks, small widgets, background jobs."""
