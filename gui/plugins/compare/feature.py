"""Changes: differences on the open pages between two versions of a method."""

from gui.core.action import Action
from gui.core.feature import Feature, Panel, dock_with
from gui.core.overlay_sync import HiddenLayers, PageOverlay
from gui.core.when import ON_PAGE, WITH_DOCUMENT, When
from gui.core.workbench import Workbench
from gui.features.errors.feature import Errors
from gui.plugins.compare.controller import ChangeBundle, ComparisonController
from gui.plugins.compare.panel import ChangesDock, change_specs
from gui.plugins.compare.state import ChangeWalk

COMPARED = When(
    "compare two versions first",
    lambda now: now.session.get(ChangeWalk).compared is not None,
    lambda now: "changes",
)


def _drawn(workbench: Workbench) -> PageOverlay:
    walk, comparing = workbench.session.get(ChangeWalk), workbench.get(ComparisonController)
    return PageOverlay(
        lambda pieces: change_specs(comparing.parts, pieces),
        lambda: walk.is_shown and bool(comparing.parts),
        (walk.shown_changed, walk.marked),
        HiddenLayers.LAYERS,
    )


FEATURE = Feature(
    "compare",
    after="evaluate",
    guide="compare.md",
    controllers=(ComparisonController, ChangeBundle),
    overlays=(_drawn,),
    panels=(
        Panel("changes", dock_with(ChangesDock, ComparisonController), "outline", ChangeWalk,
              toggle=Action("changes", "What changed between two versions", "Evaluate ▸ Versions",
               keys=("Ctrl+Shift+V",), icon="moved", when=WITH_DOCUMENT, line=True, order=102,
               help="Two packages, commits, method files or settings on all pages, worst first",
               words=("compare versions", "regression", "diff of two releases",
                      "before and after"))),
    ),
    actions=(
        Action("bisect", "Copy the command that finds the version to blame", "Methods ▸ Errors",
               Errors.copy_command, ("bisect",), when=ON_PAGE, order=139,
               help="pagelet bisect: the first version of a package that does worse on this page",
               words=("which release broke it", "first bad version", "git bisect")),
        Action("change-next", "Next page that changed", "Evaluate ▸ Versions",
               ComparisonController.step, (1,), ("Ctrl+Alt+N",), when=COMPARED, order=104,
               help="Marks lost and gained text on it",
               words=("next regression", "next changed page")),
        Action("change-previous", "Previous page that changed", "Evaluate ▸ Versions",
               ComparisonController.step, (-1,), ("Ctrl+Alt+P",), when=COMPARED, order=106,
               words=("previous regression", "previous changed page")),
        Action("change-save", "Save what changed…", "Evaluate ▸ Versions",
               ComparisonController.save, when=COMPARED, order=107,
               help="As a table, JSON or Markdown",
               words=("export comparison", "save regressions")),
        Action("change-bundle", "Save what changed as web pages…", "Evaluate ▸ Versions",
               ChangeBundle.ask, when=COMPARED, order=108,
               help="A folder for those without Pagelet: both texts and gold on each page",
               words=("publish comparison", "share regressions")),
    ),
)  # fmt: skip
