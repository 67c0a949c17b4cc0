"""Gold standards: values, edits, anchors, workspaces and data sets."""
