"""Triage: which pages to mark first, by what is probably hard for methods."""

from gui.core.action import Action
from gui.core.feature import Feature
from gui.core.when import WITH_DOCUMENT
from gui.features.triage.controller import Triage

_OTHERS = (
    (
        "teaches",
        "what teaches most",
        "Lists pages by how much gleaner is undecided about, the most first",
        ("uncertainty sampling", "most instructive pages"),
    ),
    (
        "unusual",
        "what is unlike the rest",
        "Lists pages by how unlike they are to the pages that gleaner was trained on",
        ("outlying pages", "novelty of pages"),
    ),
    (
        "disagreement",
        "where methods disagree",
        "Lists pages by how little gleaner and six other methods have in common",
        ("query by committee", "least agreement of methods"),
    ),
)

FEATURE = Feature(
    "triage",
    guide="triage.md",
    controllers=(Triage,),
    actions=(
        Action("triage", "Mark these first, or as the pages came", "Evaluate", Triage.toggle,
               when=WITH_DOCUMENT, section="Pages", order=120, line=True,
               help="Lists pages by the F1 that is expected without gold, the lowest first",
               words=("order of work", "active learning", "sort pages by difficulty",
                      "prioritise pages", "triage")),
        *(
            Action(f"triage-{by}", f"Mark these first: {text}", "Evaluate", Triage.toggle, (by,),
                   when=WITH_DOCUMENT, section="Pages", order=121 + number, help=help_text,
                   words=words)
            for number, (by, text, help_text, words) in enumerate(_OTHERS)
        ),
    ),
)  # fmt: skip
