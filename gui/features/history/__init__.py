"""History: all changes of a page's marks; a click leads there and back."""
