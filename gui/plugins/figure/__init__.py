"""Figures of what methods measure, beside the page, with their sweeps."""

from engine.plugin import Plugin

PLUGIN = Plugin("figure", feature="gui.plugins.figure.feature:FEATURE")
