"""Path of the framed element, below the page."""

from gui.core.action import Action, Context
from gui.core.feature import Feature, Panel, Side
from gui.plugins.element_path.panel import PathDock

FEATURE = Feature(
    "element_path",
    after="layers",
    guide="marking.md",
    panels=(
        Panel(
            "element-path",
            PathDock,
            Side.BELOW,
            toggle=Action("element-path", "Path of the framed element", "Mark ▸ Walk",
               keys=("Alt+Shift+P",), order=175, section="Walk the page",
               help="The elements around it, with box, font, role and what each method says",
               words=("breadcrumb", "ancestors", "dom path", "inspector"),
               context=(Context.ELEMENT,))),
    ),
)  # fmt: skip
