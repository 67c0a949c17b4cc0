"""Results as page × method, and tables of them."""
