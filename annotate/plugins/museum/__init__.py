"""The museum: tables and figures of papers, run again and set beside what was published."""
