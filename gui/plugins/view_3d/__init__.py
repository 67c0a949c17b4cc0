"""Page in three dimensions: nodes as terrain."""

from engine.plugin import Plugin

PLUGIN = Plugin("view_3d", feature="gui.plugins.view_3d.feature:FEATURE")
