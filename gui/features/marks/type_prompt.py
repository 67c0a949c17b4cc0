"""The type of a block: its letter, its words, and the prompt for it."""

from PySide6.QtCore import QObject

from annotate.marks.gold import TYPES
from gui.core.workbench import Workbench
from gui.state.selection import Mode
from gui.state.session import Session
from gui.widgets.quick_pick import Choice

TYPE_KEYS = {
    "Header": "H", "Footer": "F", "Content": "C", "Sidebar": "S",
    "Logo": "L", "Menu": "N", "Title": "I", "Link list": "K", "Table": "B", "Comments": "O",
    "Ad": "A", "Image": "P", "Video": "E", "Article": "R", "Search bar": "Q",
}  # fmt: skip
"""Letters of Kreuzer's types.  First letters where free; V, M, D, T, G, U, Y, Z are tools."""

TYPE_HINTS = {
    "Menu": "navigation", "Title": "tItle", "Link list": "linK", "Table": "taBle",
    "Comments": "cOmments", "Image": "picture", "Video": "vidEo", "Article": "aRticle",
    "Search bar": "query",
}  # fmt: skip
"""What the letter reminds of where it is not the first."""

TYPE_WORDS = {
    "Header": ("page top", "masthead", "banner area"),
    "Footer": ("page bottom", "imprint", "copyright area"),
    "Content": ("main area", "text body block"),
    "Sidebar": ("aside", "side column"),
    "Logo": ("brand", "company emblem"),
    "Menu": ("navigation", "navbar", "nav"),
    "Title": ("headline", "heading"),
    "Link list": ("related links", "list of links"),
    "Table": ("tabular data", "grid of cells"),
    "Comments": ("user comments", "discussion block"),
    "Ad": ("advertisement", "sponsored", "banner ad"),
    "Image": ("picture", "photo", "figure block"),
    "Video": ("film", "player", "clip"),
    "Article": ("story", "post", "news item"),
    "Search bar": ("search box", "query field"),
}
"""What else a type may be called: the palette finds it by them."""


class TypePrompt(QObject):
    """Asks for a type in the field over the page."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._workbench = workbench

    def type_name(self) -> None:
        """Ask for the type of the selected blocks, or of the one under the mouse."""
        session = self._workbench.session
        session.selection.set_selected([mark.id for mark in session.selection.meant_marks()])
        self._workbench.main_area.field.ask(
            "Type of the block", "Type a name", self._workbench.set_type, type_choices(session)
        )


def type_choices(session: Session) -> list[Choice]:
    """Return the types to offer: Kreuzer's, those of the block's level first, then the page's."""
    to_come = 2 if session.selection.mode is Mode.LEVEL_2 else 1
    level_now = max((mark.level for mark in session.selection.selected_marks()), default=to_come)
    result, former = [], session.former_types
    for level, names in sorted(TYPES.items(), key=lambda item: item[0] != level_now):
        kept = (name for name in names if former.get(name) not in names)
        result += [Choice(former.get(x, x), f"level {level}", TYPE_KEYS[x]) for x in kept]
    known = {choice.text for choice in result}
    for mark in session.open.gold.marks:
        if mark.type and mark.type not in known:
            known.add(mark.type)
            result.append(Choice(mark.type, "used on this page"))
    return result
