"""Structure: headings, lists, tables, code, links and emphasis of kept content."""
