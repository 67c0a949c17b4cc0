"""Extraction over archives of crawls: rows written as they come."""
