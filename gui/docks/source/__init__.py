"""The Source panel: the HTML beside the page, in step with it."""
