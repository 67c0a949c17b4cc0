"""Unsure: a flag on marks that brings them to the review."""

from gui.core.action import Action, Context
from gui.core.feature import Feature
from gui.core.when import ON_PAGE, WITH_MARK
from gui.features.unsure.controller import UnsureMarks

FEATURE = Feature(
    "unsure",
    guide="annotators.md",
    controllers=(UnsureMarks,),
    actions=(
        Action("mark-unsure", "Unsure", "Review", UnsureMarks.toggle,
               keys=("Shift+Q",), icon="status-question", when=WITH_MARK, line=True,
               help="Flags the mark for review, where it is listed first; again: sure",
               is_on=lambda now: now.get(UnsureMarks).are_unsure,
               order=112,
               words=("not certain", "flag for review", "uncertain mark", "low confidence"),
               context=(Context.BLOCK, Context.BLOCKS, Context.MAIN)),
        Action("mark-unsure-next", "Next unsure mark", "Review", UnsureMarks.step, (1,),
               ("Alt+Shift+Q",), when=ON_PAGE, order=114,
               help="Of this page; the list of pages finds them by the word unsure",
               words=("go to uncertain mark", "following flagged mark")),
    ),
)  # fmt: skip
