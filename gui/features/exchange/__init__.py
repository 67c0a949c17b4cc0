"""Exchange: marks to and from the formats of other tools."""
