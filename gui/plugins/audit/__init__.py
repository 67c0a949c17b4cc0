"""Audit of gold: probable errors, the most suspicious first."""

from engine.plugin import Command, Plugin

PLUGIN = Plugin(
    "audit",
    feature="gui.plugins.audit.feature:FEATURE",
    commands={
        "audit": Command(
            "gui.plugins.audit.audit",
            "List probable errors of gold, the most suspicious first.",
        )
    },
)
