"""Site: its pages, their structure, and texts on several of them."""
