"""What ``pagelet evaluate`` and the Evaluate view do: many pages, many methods, every measure."""
