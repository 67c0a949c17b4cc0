"""Editor of a method beside the page and its scores."""

from engine.plugin import Plugin

PLUGIN = Plugin("method_editor", feature="gui.plugins.method_editor.feature:FEATURE")
