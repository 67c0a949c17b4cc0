"""Triage: the order in which to mark pages, by their probable difficulty for methods."""

from functools import partial

from gui.core.action import Action
from gui.core.feature import Feature
from gui.core.when import WITH_DOCUMENT
from gui.core.workbench import Workbench
from gui.features.triage.controller import Triage
from gui.state.work_order import WorkOrder

_MENU = "Evaluate ▸ Order of pages"
_OTHERS = (
    ("teaches", "most informative first",
     "Lists pages by how much gleaner is undecided about, the most first",
     ("uncertainty sampling", "most instructive pages")),
    ("unusual", "least similar first",
     "Lists pages by how unlike they are to the pages that gleaner was trained on",
     ("outlying pages", "novelty of pages")),
    ("disagreement", "most disputed first",
     "Lists pages by how little gleaner and six other methods have in common",
     ("query by committee", "least agreement of methods")),
)  # fmt: skip


def _is_by(now: Workbench, by: str) -> bool:
    order = now.session.get(WorkOrder)
    return (order.by if order.ranks else "") == by


FEATURE = Feature(
    "triage",
    guide="triage.md",
    controllers=(Triage,),
    actions=(
        Action("triage-off", "Order: as opened", _MENU, Triage.restore, when=WITH_DOCUMENT,
               section="Pages", order=119, line=True, is_on=lambda now: _is_by(now, ""),
               help="Lists the pages in their own order again",
               words=("original order of pages", "unsorted pages")),
        Action("triage", "Order: hardest first", _MENU, Triage.toggle, when=WITH_DOCUMENT,
               section="Pages", order=120, is_on=lambda now: _is_by(now, "bad"),
               help="Lists pages by the F1 that is expected without gold, the lowest first",
               words=("order of work", "active learning", "sort pages by difficulty",
                      "prioritise pages", "triage")),
        *(
            Action(f"triage-{by}", f"Order: {text}", _MENU, Triage.toggle, (by,),
                   when=WITH_DOCUMENT, is_on=partial(_is_by, by=by),
                   section="Pages", order=121 + number, help=help_text, words=words)
            for number, (by, text, help_text, words) in enumerate(_OTHERS)
        ),
    ),
)  # fmt: skip
