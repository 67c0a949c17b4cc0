"""Errors: missing and superfluous text or blocks of a result."""

from gui.core.action import Action, Needs
from gui.core.feature import Feature, Panel
from gui.features.errors.panel import ErrorsDock
from gui.features.errors.text_diff import TextDiffDock

FEATURE = Feature(
    "errors",
    panels=(
        Panel(
            "errors",
            lambda workbench, window: ErrorsDock(workbench.session, window),
            "outline",
            follows=lambda workbench: workbench.session.errors,
        ),
        Panel("text", lambda workbench, window: TextDiffDock(workbench.session, window), "layers"),
    ),
    actions=(
        Action("text-diff", "Extract and gold as one text", "Errors", TextDiffDock.toggle,
               keys=("Shift+F7",), needs=Needs.PAGE,
               help="What is missing and superfluous marked in it, in step with the page",
               order=40),
    ),
)  # fmt: skip
