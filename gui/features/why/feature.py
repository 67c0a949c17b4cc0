"""Why: the reason why a method kept or dropped something, and the change that reverses it."""

from gui.core.action import Action, Context
from gui.core.feature import Feature, Panel, dock_with
from gui.core.when import ON_PAGE
from gui.features.why.controller import WhyActions
from gui.features.why.panel import WhyDock
from gui.features.why.state import WhyState
from gui.state.selection import Mode

FEATURE = Feature(
    "why",
    guide="errors.md",
    controllers=(WhyActions,),
    panels=(
        Panel("why", dock_with(WhyDock, WhyActions), "details", WhyState),
    ),
    actions=(
        Action("mode-why", "Why", "Methods ▸ Why", WhyActions.ask_here,
               keys=("W",), icon="why", when=ON_PAGE, group="mode", value=Mode.WHY, line=True,
               help="Click a text, a block or an error to see why each method kept or dropped it",
               order=107,
               words=("explain", "reason", "debug decision"),
               context=(Context.ELEMENT, Context.BLOCK, Context.MAIN)),
        Action("why-copy", "Copy the answers", "Methods ▸ Why", WhyDock.copy, keys=("Shift+W",),
               icon="copy",
               when=ON_PAGE, help="Page, method, version, parameters, reason and numbers",
               order=117,
               words=("copy explanation", "copy reasons")),
        Action("why-copy-picture", "Copy the answers as a picture", "Methods ▸ Why",
               WhyDock.copy_picture,
               keys=("Ctrl+Shift+W",), icon="picture", when=ON_PAGE,
               help="The page as it is shown, with the outline, and below it the same words",
               order=127,
               words=("explanation as image", "screenshot of reasons")),
        Action("why-undo", "Put the parameter back", "Methods ▸ Why",
               WhyActions.undo_counterfactual,
               keys=("Alt+Z",), icon="undo", when=ON_PAGE,
               help="Restores the last change from the panel Why", order=137,
               words=("undo parameter change", "restore parameter", "revert tuning")),
    ),
)  # fmt: skip
