"""Extract of a layer with its elements, as shown elsewhere."""
