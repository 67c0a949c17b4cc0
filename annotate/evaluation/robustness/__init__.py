"""How far a method's result changes where a page changes and its content does not."""
