"""The tour: six steps on a page without marks."""

from gui.core.action import Action
from gui.core.feature import Feature
from gui.plugins.tour.controller import Tour

FEATURE = Feature(
    "tour",
    after="presentation",
    guide="start.md",
    controllers=(Tour,),
    actions=(
        Action("tour", "Tour", "Help", Tour.start, icon="info", order=15,
               help="Six steps on a page without marks; continues at the last step",
               words=("getting started", "first steps", "learn by doing")),
    ),
)  # fmt: skip
