"""Review of marks in a browser: pages to hand on, and the answers that come back."""
