"""Agreement: how far annotators agree over all pages."""
