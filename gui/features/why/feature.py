"""Why: the reason why a method kept or dropped something, and what would change it."""

from PySide6.QtWidgets import QWidget

from gui.core.action import Action
from gui.core.feature import Feature, Panel
from gui.core.when import ON_PAGE
from gui.core.workbench import Workbench
from gui.features.why.controller import ErrorsAndWhy
from gui.features.why.panel import WhyDock
from gui.features.why.state import WhyState
from gui.state.session import Mode


def _errors_and_why(workbench: Workbench) -> ErrorsAndWhy:
    controller = ErrorsAndWhy(workbench.session, workbench.canvas, workbench)
    workbench.marking.why_asked.connect(controller.ask)
    return controller


def _panel(workbench: Workbench, window: QWidget) -> WhyDock:
    return WhyDock(workbench.session, workbench.get(ErrorsAndWhy), window)


FEATURE = Feature(
    "why",
    controllers=(_errors_and_why,),
    panels=(
        Panel("why", _panel, "details", follows=lambda workbench: workbench.session.get(WhyState)),
    ),
    actions=(
        Action("errors", "Errors of the current layer", "Errors", ErrorsAndWhy.toggle_errors,
               keys=("F7",), icon="warning", when=ON_PAGE,
               help="Missing and superfluous text, or blocks, in place of the layers", order=10),
        Action("error-next", "Next error", "Errors", ErrorsAndWhy.step_error, (1,), ("J",),
               when=ON_PAGE, help="Shows the errors if they are not shown", order=20),
        Action("error-previous", "Previous error", "Errors", ErrorsAndWhy.step_error, (-1,),
               ("Shift+J",), when=ON_PAGE, order=30),
        Action("mode-why", "Why", "Errors", ErrorsAndWhy.ask_here,
               keys=("W",), icon="why", when=ON_PAGE, group="mode", value=Mode.WHY, line=True,
               help="A click on a place or an error shows why each method kept or dropped it",
               order=50),
        Action("why-copy", "Copy the answers", "Errors", WhyDock.copy, keys=("Shift+W",),
               icon="copy",
               when=ON_PAGE, help="Page, method, version, parameters, reason and numbers",
               order=60),
        Action("why-copy-picture", "Copy the answers as a picture", "Errors", WhyDock.copy_picture,
               keys=("Ctrl+Shift+W",), icon="picture", when=ON_PAGE,
               help="The page as it is shown, the place outlined, and below it the same words",
               order=70),
        Action("why-undo", "Put the parameter back", "Errors", ErrorsAndWhy.undo_counterfactual,
               keys=("Alt+Z",), icon="undo", when=ON_PAGE,
               help="Restores what was changed last from the panel Why", order=80),
    ),
)  # fmt: skip
