"""Guidelines: what counts as content, and what data sets take for it."""

from engine.plugin import Command, Plugin

PLUGIN = Plugin(
    "guidelines",
    feature="gui.plugins.guidelines.feature:FEATURE",
    commands={
        "guidelines": Command(
            "gui.plugins.guidelines.guidelines", "Say what data sets take as content, side by side."
        ),
    },
)
