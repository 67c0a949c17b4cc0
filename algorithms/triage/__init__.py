"""How good an extraction probably is, predicted without gold."""
