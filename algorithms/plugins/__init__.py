"""Methods that are plug-ins: a folder each."""
