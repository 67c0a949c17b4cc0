"""Readers of the published data sets."""

from engine.plugin import Plugin

PLUGIN = Plugin(
    "published_data",
    readers=(
        "annotate.plugins.published_data.webis:READER",
        "annotate.plugins.published_data.kreuzer:READER",
        "annotate.plugins.published_data.webclasseg:READER",
        "annotate.plugins.published_data.text_readers:READERS",
    ),
    formats=("annotate.plugins.published_data.webis_writer:FORMAT",),
)
