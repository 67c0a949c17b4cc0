"""The extract of a layer with its elements, as it would be read elsewhere."""
