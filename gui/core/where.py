"""Scopes of shortcuts: the core's, and what a feature declares for its own view or panel."""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True)
class Where:
    """Scope of a shortcut: the part of the window that has the focus.

    The core's are below; a feature with a separate view or panel declares another.

    Attributes:
        name: Its name.
        is_view: Whether it is the page or stands in its place: of these one has the focus at most.
        is_alone: Whether its view covers the window: then only actions with `in_presentation` are
            enabled.
    """

    WINDOW: ClassVar["Where"]
    PAGE: ClassVar["Where"]
    VIEW: ClassVar["Where"]
    MARKS: ClassVar["Where"]
    BLOCK: ClassVar["Where"]
    TABLE: ClassVar["Where"]
    SOURCE: ClassVar["Where"]

    name: str
    is_view: bool = False
    is_alone: bool = False


Where.WINDOW = Where("window")  # everywhere, except for letters typed into a field
Where.PAGE = Where("page", is_view=True)  # arrows and Enter belong to lists and forms elsewhere
Where.VIEW = Where("view")  # the page or another view of it is shown, and no table
Where.MARKS = Where("marks")  # the page, and the outline of its marks
Where.BLOCK = Where("block")  # a block is selected, or a click makes one: types by letter
Where.TABLE = Where("table", is_view=True)  # of scores
Where.SOURCE = Where("source", is_view=True)  # the text of the Source panel
