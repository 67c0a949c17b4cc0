"""Extractors that are not Pagelet's own, run as methods beside the others.

Four ways in: popular libraries, found where they are installed (`libraries`); a command that reads
HTML and prints text (`commands`); an HTTP proxy (`proxies`); a Python package with an entry point
in the group ``pagelet.methods`` (`plugins`).  `declared` reads what the user wrote down of commands
and proxies.  None of them runs in Pagelet's own process: one that hangs, dies or answers rubbish is
a failed outcome with its reason.  A text is found again in the source by `algorithms.core.mapping`.
"""
