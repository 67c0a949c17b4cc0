"""Checks: possible errors in the marks of a page."""

from gui.core.action import Action, Context
from gui.core.feature import Feature, Panel, dock_with
from gui.core.when import ON_PAGE
from gui.features.checks.controller import ChecksController
from gui.features.checks.panel import ChecksDock
from gui.features.checks.state import CheckWalk

FEATURE = Feature(
    "checks",
    guide="checks.md",
    controllers=(ChecksController,),
    panels=(
        Panel("checks", dock_with(ChecksDock, ChecksController), "outline", CheckWalk),
    ),
    actions=(
        Action("status-done", "Page is done, go to the next", "File ▸ Status",
               ChecksController.finish,
               (), ("D",), "status-done", when=ON_PAGE, group="status", value="done",
               section="Pages", line=True, order=120,
               words=("mark page finished", "complete page", "ready"),
               context=(Context.PAGE,)),
        Action("checks", "Checks of the marks", "Mark ▸ Checks", ChecksController.toggle,
               keys=("Shift+C",),
               icon="warning", when=ON_PAGE, line=True,
               help="What may be wrong: overlaps, blocks outside, without type, empty, twice",
               order=250,
               words=("validate annotations", "lint marks", "find mistakes", "problems"),
               context=(Context.OUTLINE,)),
        Action("check-next", "Next finding", "Mark ▸ Checks", ChecksController.step, (1,),
               keys=("Alt+I",), when=ON_PAGE, order=260,
               words=("next problem", "next warning")),
        Action("check-previous", "Previous finding", "Mark ▸ Checks", ChecksController.step,
               (-1,), keys=("Alt+Shift+I", "Alt+Shift+E"), when=ON_PAGE, order=270,
               words=("previous problem", "previous warning")),
        Action("check-mend", "Fix", "Mark ▸ Checks", ChecksController.fix, keys=("Shift+M",),
               when=ON_PAGE, help="Only where a single fix is possible", order=280,
               words=("repair problem", "correct automatically")),
        Action("check-let-be", "Ignore", "Mark ▸ Checks", ChecksController.ignore,
               keys=("Shift+I",),
               when=ON_PAGE, help="Not listed again while the page is open", order=290,
               words=("dismiss warning", "mark as intended", "suppress problem")),
    ),
)  # fmt: skip
