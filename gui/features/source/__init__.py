"""Source: the page's HTML, with what each method keeps of it."""
