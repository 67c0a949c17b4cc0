"""Source: the page's HTML, with each method's result highlighted."""
