"""A page shown to an audience, slide by slide."""
