"""Triage: which pages to mark first, by what is probably hard for methods."""

from gui.core.action import Action
from gui.core.feature import Feature
from gui.core.when import WITH_DOCUMENT
from gui.features.triage.controller import Triage

FEATURE = Feature(
    "triage",
    guide="triage.md",
    controllers=(Triage,),
    actions=(
        Action("triage", "Mark these first, or as the pages came", "File", Triage.toggle,
               when=WITH_DOCUMENT, section="Pages", order=105,
               help="Lists pages by the F1 that is expected without gold, the lowest first",
               words=("order of work", "active learning", "sort pages by difficulty",
                      "prioritise pages", "triage")),
    ),
)  # fmt: skip
