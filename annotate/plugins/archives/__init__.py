"""Pages in web archives (WARC, ARC, WACZ) and in files that browsers save (MHTML, HAR, zip)."""

from engine.plugin import Plugin

PLUGIN = Plugin(
    "archives",
    readers=("annotate.plugins.archives.l3s:READER",),
    saved_pages=(
        "annotate.plugins.archives.warc_pages:KIND",
        "annotate.plugins.archives.packed_pages:KIND",
    ),
    archives="annotate.plugins.archives.record_ranges:READER",
)
