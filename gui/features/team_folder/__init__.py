"""A team folder: marks of several annotators come together without a server."""
