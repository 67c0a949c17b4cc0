"""Evaluations carried out: plan, workers, shards."""
