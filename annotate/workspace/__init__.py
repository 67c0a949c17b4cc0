"""The workspace file: one SQLite file with marks, history, settings and runs."""
