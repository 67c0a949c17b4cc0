"""Learned drafts: what the shipped models expect, corrected by what an annotator confirmed."""
