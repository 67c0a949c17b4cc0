"""Readers of the published data sets with gold text."""

from engine.plugin import Plugin

PLUGIN = Plugin("published_data", readers=("annotate.plugins.published_data.readers:READERS",))
