"""Museum: tables of papers, their reproduction, and reruns by a click."""

from gui.core.action import Action
from gui.core.feature import Feature, ViewRow
from gui.core.main_area import MainArea
from gui.core.workbench import Workbench
from gui.plugins.museum.view import MuseumView


def _museum(workbench: Workbench) -> MuseumView:
    main_area, session = workbench.main_area, workbench.session
    view = MuseumView(main_area.files, main_area.stack)
    view.left.connect(main_area.show_page)
    view.said.connect(session.messages.say)
    return view


FEATURE = Feature(
    "museum",
    after="agreement",
    guide="museum.md",
    views=(ViewRow(MuseumView, _museum),),
    actions=(
        Action("museum", "Published tables", "Evaluate", MainArea.toggle, (MuseumView,),
               line=True, order=110,
               help="Tables of papers, how far each is reproduced, and a rerun; again: back to the "
               "page",
               words=("reproduce a paper", "museum", "replication", "published results",
                      "leaderboard")),
    ),
)  # fmt: skip
