"""Plug-ins: a folder each, declared by its `PLUGIN`; the core imports none."""
