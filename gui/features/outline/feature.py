"""Outline: the marks of a page, or the blocks of a method, as a tree."""

from PySide6.QtWidgets import QWidget

from gui.core.feature import Feature, Panel, Side
from gui.core.main_area import Where
from gui.core.workbench import Workbench
from gui.features.outline.panel import OutlineDock


def _dock(workbench: Workbench, window: QWidget) -> OutlineDock:
    made = OutlineDock(workbench.session, workbench, window)
    made.tree.await_painted = workbench.drawing.await_painted
    return made


FEATURE = Feature(
    "outline", guide="marking.md", panels=(Panel("outline", _dock, Side.LEFT, where=Where.MARKS),)
)
