"""Side by side: the page once for each method, scrolled together."""

from engine.plugin import Plugin

PLUGIN = Plugin("side_by_side", feature="gui.plugins.side_by_side.feature:FEATURE")
