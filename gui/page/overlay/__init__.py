"""What is said about a page, on the page: which layers there are and how they are drawn."""
