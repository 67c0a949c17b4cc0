"""How far a method's result changes where a page changes in nothing that a reader sees."""
