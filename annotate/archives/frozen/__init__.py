"""Frozen pages: one package that restores a page, its certificate, and its verification."""
