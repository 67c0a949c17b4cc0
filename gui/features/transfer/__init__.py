"""Transfer: marks transferred to other pages of the same template."""
