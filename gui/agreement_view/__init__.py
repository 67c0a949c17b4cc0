"""The Agreement view: how far annotators agree, page by page, and how much of it is granularity."""
