"""Readers and writers of published data sets, one module a layout."""
