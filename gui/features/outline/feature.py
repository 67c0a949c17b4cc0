"""Outline: the marks of a page, or the blocks of a method, as a tree."""

from gui.core.action import Where
from gui.core.feature import Feature, Panel, Side
from gui.features.outline.panel import OutlineDock

FEATURE = Feature(
    "outline",
    guide="marking.md",
    panels=(
        Panel(
            "outline",
            lambda workbench, window: OutlineDock(workbench.session, workbench, window),
            Side.LEFT,
            where=Where.MARKS,
        ),
    ),
)
