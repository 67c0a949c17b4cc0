"""What is probably wrong in gold, the most suspicious first."""
