"""Training of a method on pages with gold."""

from engine.plugin import Command, Plugin

PLUGIN = Plugin(
    "training",
    feature="gui.plugins.training.feature:FEATURE",
    commands={
        "train": Command(
            "gui.plugins.training.train",
            "Train a method on pages with gold: a model as one file, with its scores.",
        )
    },
)
