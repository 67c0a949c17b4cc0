"""Methods of content extraction and segmentation, and the measures that score them."""
