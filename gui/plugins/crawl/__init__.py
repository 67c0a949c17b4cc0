"""A site read from the web into a folder."""

from engine.plugin import Command, Plugin

PLUGIN = Plugin(
    "crawl",
    commands={
        "crawl": Command(
            "gui.plugins.crawl.crawl",
            "Read a site from the web into a folder, following its links politely.",
        )
    },
)
