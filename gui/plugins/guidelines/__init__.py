"""Guidelines: definition of content, also as found in data sets."""

from engine.plugin import Command, Plugin

PLUGIN = Plugin(
    "guidelines",
    feature="gui.plugins.guidelines.feature:FEATURE",
    commands={
        "guidelines": Command(
            "gui.plugins.guidelines.guidelines", "Say what data sets take as content, side by side."
        )
    },
)
