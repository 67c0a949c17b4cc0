"""Errors: missing and superfluous text or blocks of a result."""

from gui.core.action import Action
from gui.core.feature import Feature, Panel
from gui.core.overlay import Extra, Hides
from gui.core.when import ON_PAGE
from gui.core.workbench import Workbench
from gui.features.errors.error_finder import ErrorFinder
from gui.features.errors.overlay import error_specs
from gui.features.errors.panel import ErrorsDock
from gui.features.errors.state import ErrorWalk
from gui.features.errors.text_diff import TextDiffDock

__all__ = ["FEATURE", "ErrorFinder", "ErrorWalk"]


def _drawn(workbench: Workbench) -> Extra:
    walk = workbench.session.get(ErrorWalk)
    return Extra(
        lambda pieces: error_specs(walk.errors, walk.index, walk.status, pieces),
        lambda: walk.is_shown,
        (walk.shown_changed, walk.changed, walk.index_changed),
        Hides.LAYERS,
    )


FEATURE = Feature(
    "errors",
    extras=(_drawn,),
    panels=(
        Panel(
            "errors",
            lambda workbench, window: ErrorsDock(workbench.session, window),
            "outline",
            follows=lambda workbench: workbench.session.get(ErrorWalk),
        ),
        Panel("text", lambda workbench, window: TextDiffDock(workbench.session, window), "layers"),
    ),
    actions=(
        Action("text-diff", "Extract and gold as one text", "Errors", TextDiffDock.toggle,
               keys=("Shift+F7",), when=ON_PAGE,
               help="What is missing and superfluous marked in it, in step with the page",
               order=40),
    ),
)  # fmt: skip
