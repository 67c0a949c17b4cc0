"""Web archives (WARC, WET, Parquet): records, their framing and what HTTP put around them."""
