"""Transfer: marks brought to other pages of the same template."""
