"""Heat map of the texts that some methods keep and others drop."""

from engine.plugin import Plugin

PLUGIN = Plugin("disagreement", feature="gui.plugins.disagreement.feature:FEATURE")
