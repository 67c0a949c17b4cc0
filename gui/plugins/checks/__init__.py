"""Checks of methods that need no gold: options that change words, words that nobody sees."""

from engine.plugin import Command, Plugin

PLUGIN = Plugin(
    "checks",
    commands={
        "invariance": Command(
            "gui.plugins.checks.invariance",
            "List words that options of a method change and should not.",
        ),
        "hidden": Command(
            "gui.plugins.checks.hidden",
            "Count words that methods pass on and nobody sees, by kind.",
        ),
    },
)
