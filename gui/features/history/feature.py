"""History: all changes of a page's marks; a click leads there and back."""

from gui.core.action import Action
from gui.core.feature import Feature, Panel, dock_with
from gui.core.when import ON_PAGE
from gui.features.history.controller import PageHistory
from gui.features.history.panel import HistoryDock

FEATURE = Feature(
    "history",
    guide="marking.md",
    controllers=(PageHistory,),
    panels=(
        Panel("history", dock_with(HistoryDock, PageHistory), "outline",
              toggle=Action("history", "History", "Edit", keys=("Ctrl+H",), when=ON_PAGE, order=25,
                            help="All changes of the page's marks; a click leads there and back",
                            words=("list of changes", "undo list", "earlier versions of marks"))),
    ),
)  # fmt: skip
