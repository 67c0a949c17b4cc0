"""Records of a page: what its lists, tables and grids hold, as rows and fields."""

from engine.plugin import Command, Plugin

PLUGIN = Plugin(
    "records",
    commands={
        "records": Command(
            "gui.plugins.records.records",
            "Print the records of a page's lists, or score a method on pages with records.",
        )
    },
)
