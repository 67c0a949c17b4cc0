"""Shared work of several people in a folder, without a server."""

from engine.plugin import Command, Plugin

PLUGIN = Plugin(
    "team_folder",
    feature="gui.plugins.team_folder.feature:FEATURE",
    commands={
        "team": Command(
            "gui.plugins.team_folder.team",
            "Work in a shared folder without a server: list its people, sync a workspace.",
        )
    },
    options={"verify": "gui.plugins.team_folder.verify_logs"},
)
