"""Webis-WebSeg-20: readers and a writer."""
