"""The smallest page that still shows something: a passage lost, a failure, a difference."""
