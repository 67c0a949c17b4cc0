"""Figures of a method's measurements, beside the page."""

from gui.core.action import Action, Context
from gui.core.feature import Feature, Panel, Side
from gui.plugins.figure.panel import FigureDock

FEATURE = Feature(
    "figure",
    after="layers",
    guide="errors.md",
    panels=(
        Panel(
            "figure",
            FigureDock,
            Side.BELOW,
            tasks=("debug",),
            toggle=Action("figure", "Figure of the current method", "Methods", keys=("F4",),
               help="What it measures, linked with the page; thresholds can be dragged", order=110,
               words=("plot", "chart of method", "diagram", "graph"),
               context=(Context.LAYER,))),
    ),
)  # fmt: skip
