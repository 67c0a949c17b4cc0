"""Rescue: earlier states of the workspace, and the report of a problem."""
