"""All open pages by template, and methods that read a page with its site."""

from engine.plugin import Plugin

PLUGIN = Plugin(
    "site",
    feature="gui.plugins.site.feature:FEATURE",
    methods=("algorithms.plugins.site.methods:METHODS",),
)
