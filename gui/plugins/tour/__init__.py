"""A tour of the window for new users."""

from engine.plugin import Plugin

PLUGIN = Plugin("tour", feature="gui.plugins.tour.feature:FEATURE")
