"""Learning: models from the workspace's own marks, made while one goes on working."""
