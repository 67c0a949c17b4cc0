"""Review of differences between annotators, one by one."""
