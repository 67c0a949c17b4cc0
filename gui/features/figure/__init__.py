"""Figure: what a method measures, drawn beside the page; thresholds can be dragged."""
