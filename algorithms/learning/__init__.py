"""What methods learn with: gradient-boosted trees, read by numpy alone."""
