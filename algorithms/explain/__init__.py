"""Explanations: reasons for keeping and dropping, errors, and changes that reverse decisions."""
