"""Adapters of npm packages: one file a package, and what runs them."""
