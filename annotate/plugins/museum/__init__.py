"""The museum: tables and figures of papers, run again and compared with the published values."""
