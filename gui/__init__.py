"""The workbench window, the ``pagelet`` command, and all that draws or listens."""
