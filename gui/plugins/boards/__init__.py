"""Boards: one table of methods on all data sets, by type of page and language."""

from engine.plugin import Command, Plugin

PLUGIN = Plugin(
    "boards",
    commands={
        "board": Command(
            "gui.plugins.boards.board",
            "Write one table of methods on all data sets, every number with its pages.",
        )
    },
)
