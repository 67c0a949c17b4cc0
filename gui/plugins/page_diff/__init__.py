"""Two pages of a site side by side: their template and their differences."""

from engine.plugin import Plugin

PLUGIN = Plugin("page_diff", feature="gui.plugins.page_diff.feature:FEATURE", answers=("pair",))
