"""Pages as pictures with their layers, for reports and the command line."""
