"""Tables of papers: their reproduction, and reruns."""

from engine.plugin import Command, Plugin

PLUGIN = Plugin(
    "museum",
    feature="gui.plugins.museum.feature:FEATURE",
    commands={
        "reproduce": Command(
            "gui.plugins.museum.reproduce",
            "Run tables of papers again; list how far each is reproduced.",
        )
    },
    tables=("annotate.plugins.museum.paper_tables:tables",),
)
