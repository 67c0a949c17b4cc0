"""Rescue: earlier states of the workspace, and the report of a problem."""

from gui.core.action import Action
from gui.core.feature import Feature, Panel, dock_with
from gui.features.rescue.report import ReportDock, Reporter, ReportState
from gui.features.rescue.restorer import Restorer

FEATURE = Feature(
    "rescue",
    guide="safe.md",
    controllers=(Restorer, Reporter),
    panels=(
        Panel("report", dock_with(ReportDock, Reporter), "details", ReportState,
              toggle=Action("report", "Report a problem", "Help", order=97,
               help="Versions and the last lines of the log, to copy or save; nothing is sent",
               words=("feedback", "show log", "versions and log"))),
    ),
    actions=(
        Action("restore-backup", "Restore an earlier state…", "File", Restorer.ask, order=243,
               help="Backups of the workspace with date and marks; what is here now is kept",
               words=("backup", "restore workspace", "go back in time")),
    ),
)  # fmt: skip
