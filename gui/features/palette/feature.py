"""Palette: all actions, pages and help, in one field."""

from gui.core.action import Action
from gui.core.feature import Feature
from gui.features.palette.controller import Palette
from gui.features.palette.ranking import PaletteEntry

__all__ = ["FEATURE", "Palette", "PaletteEntry"]

FEATURE = Feature(
    "palette",
    guide="pages.md",
    controllers=(Palette,),
    actions=(
        Action("palette", "Find anything", "Help", Palette.open, keys=("Ctrl+Shift+P",),
               icon="search", order=5,
               help="Actions, pages, methods, measures, panels and help by what you call them",
               words=("command palette", "run command", "quick open", "search actions")),
    ),
)  # fmt: skip
