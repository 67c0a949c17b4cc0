"""The Evaluate view: pages × methods, coloured by score."""
