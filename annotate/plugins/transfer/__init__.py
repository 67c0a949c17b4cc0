"""Transfer of marks to other pages of the same template."""
