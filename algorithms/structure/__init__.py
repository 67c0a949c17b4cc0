"""Structure: headings, lists, tables, code, links and emphasis of what a method keeps."""
