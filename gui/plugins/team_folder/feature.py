"""Team folder: marks of several annotators are merged automatically, without a server."""

from PySide6.QtWidgets import QWidget

from gui.core.action import Action
from gui.core.feature import Feature, Panel
from gui.core.when import When
from gui.core.workbench import Workbench
from gui.plugins.team_folder.controller import TeamFolderController
from gui.plugins.team_folder.panel import HeldDock

IN_FOLDER = When(
    "Work in a team folder first",
    lambda now: now.get(TeamFolderController).is_joined,
    lambda now: "team-folder",
)


def _panel(workbench: Workbench, window: QWidget) -> HeldDock:
    folding = workbench.get(TeamFolderController)
    dock = HeldDock(folding.answer, folding.forget, window)
    folding.held_changed.connect(lambda: dock.show_held(folding.held, folding.gone))
    folding.list_asked.connect(dock.show_up)
    return dock


FEATURE = Feature(
    "team_folder",
    after="team",
    guide="team-folder.md",
    controllers=(TeamFolderController,),
    panels=(Panel("held", _panel, "comments"),),
    actions=(
        Action("team-folder", "Work in a team folder…", "Review ▸ Team",
               TeamFolderController.choose, order=174,
               help="A shared folder: what each marks, says and finishes comes to all by itself",
               words=("share with colleagues", "synchronise annotators", "nextcloud dropbox git",
                      "collaborate without a server")),
        Action("team-folder-now", "Read the team folder now", "Review ▸ Team",
               TeamFolderController.sync, when=IN_FOLDER, order=175,
               help="It is read every few seconds anyway",
               words=("sync now", "fetch marks of others")),
        Action("team-folder-held", "What is held back", "Review ▸ Team", HeldDock.toggle,
               when=IN_FOLDER, order=176,
               help="What logs would change whose device nobody has accepted; logs that are gone",
               words=("trusted devices", "accept device", "forged marks",
                      "log is gone", "forget device")),
        Action("team-folder-leave", "Leave the team folder", "Review ▸ Team",
               TeamFolderController.leave, when=IN_FOLDER, order=177,
               help="What came from there stays; nothing more is written to it",
               words=("stop sharing", "work alone again")),
    ),
)  # fmt: skip
