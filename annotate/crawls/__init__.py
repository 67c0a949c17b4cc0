"""Many pages without gold, from web archives: in come WARC files, out come columns."""
