"""Commands for coding agents: schemas of answers, a page of skills, what to fix next."""

from engine.plugin import Command, Plugin

PLUGIN = Plugin(
    "agents",
    commands={
        "schema": Command(
            "gui.plugins.agents.schema", "Print what a command takes and answers as JSON Schema."
        ),
        "skill": Command(
            "gui.plugins.agents.skill",
            "Print how a coding agent makes a method better with Pagelet.",
        ),
        "next": Command(
            "gui.plugins.agents.next_step",
            "Say what to fix next: worst pages, shared cause, smallest page, failing test.",
        ),
    },
)
