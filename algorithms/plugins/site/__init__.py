"""All open pages by template, and methods that read a page with its site."""
