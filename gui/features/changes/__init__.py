"""Changes: what changed on the open pages from one version of a method to another."""
