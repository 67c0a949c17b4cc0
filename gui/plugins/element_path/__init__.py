"""Path: the elements around the framed one, with box, font, role and what methods do there."""

from engine.plugin import Plugin

PLUGIN = Plugin("element_path", feature="gui.plugins.element_path.feature:FEATURE")
