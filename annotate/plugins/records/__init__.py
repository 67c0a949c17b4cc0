"""Records of data sets."""
