"""Audit: what is probably wrong in the gold of the open pages, walked one by one."""
