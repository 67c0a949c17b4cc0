"""Suggestions: blocks that methods agree on, to accept or reject."""

from engine.plugin import Plugin

PLUGIN = Plugin("suggestions", feature="gui.plugins.suggestions.feature:FEATURE")
