"""Where methods disagree: a heat map over the page."""
