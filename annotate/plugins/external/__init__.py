"""Third-party extractors, and other versions of them, as sides of a comparison."""
