"""Presentation of the page, layer by layer, for an audience."""

from engine.plugin import Plugin

PLUGIN = Plugin("presentation", feature="gui.plugins.presentation.feature:FEATURE")
