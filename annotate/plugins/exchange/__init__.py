"""The way out and back: marks in the formats of other tools, one module a family of formats."""
