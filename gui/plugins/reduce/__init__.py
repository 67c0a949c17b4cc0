"""A page reduced to the part that still shows a loss, a difference or a failure."""

from engine.plugin import Command, Plugin

PLUGIN = Plugin(
    "reduce",
    feature="gui.plugins.reduce.feature:FEATURE",
    commands={
        "reduce": Command(
            "gui.plugins.reduce.reduce",
            "Cut a page down to what still shows a loss, a difference, a failure.",
        )
    },
)
