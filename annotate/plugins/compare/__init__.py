"""What changed between versions of a method: by page, at which version, and whether it may."""
