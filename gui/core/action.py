"""What one action is: a row of the table that menus, keys, tools and help are made of."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from PySide6.QtCore import QPoint

from annotate.marks.gold import MAIN
from gui.core.when import ALWAYS, When
from gui.state.session import Session

if TYPE_CHECKING:
    from gui.core.workbench import Workbench

SUB = " ▸ "
"""Stands between a menu and its submenu in `Action.menu`."""


class Where(StrEnum):
    """Scope of a shortcut: what has the keyboard."""

    WINDOW = "window"  # anything; letters typed into a field stay letters
    PAGE = "page"  # arrows and Enter belong to lists and forms elsewhere
    VIEW = "view"  # the page or another view of it is shown, and no table
    MARKS = "marks"  # the page, and the outline of its marks
    BLOCK = "block"  # a block is selected, or a click makes one: types by letter
    TABLE = "table"  # of scores
    VIEW_3D = "terrain"
    SOURCE = "source"  # the text of the Source panel
    SIDE = "side"  # the page side by side
    PAGE_DIFF = "siblings"  # two pages side by side
    PRESENTATION = "talk"  # then only actions with `in_presentation` hold


class Context(StrEnum):
    """Target of a context menu."""

    BLOCK = "block"
    BLOCKS = "blocks"  # several are selected
    MAIN = "main content"  # an element of it or a part of a text
    ELEMENT = "element"  # not marked
    OUTLINE = "outline"  # beside its entries
    PAGES = "pages"  # an entry of the list
    LAYER = "layer"
    SCORE = "score"
    TILE = "tile"
    PANEL = "panel"
    PAGE = "page"  # beside all of these
    NO_PAGE = "no page"


VIEWS = frozenset(
    [Where.PAGE, Where.TABLE, Where.VIEW_3D, Where.SOURCE, Where.SIDE, Where.PAGE_DIFF]
)
"""Of these one has the focus at most."""


@runtime_checkable
class HasContext(Protocol):
    """Widget with a context menu for its items."""

    def context_at(self, at: QPoint | None) -> Context | None:
        """Select the item at a point of the screen; return what it is, None to ask the parent.

        ``at`` is None for the keyboard: what is chosen already is meant.
        """


def of_marks(session: Session) -> Context | None:
    """Return what the selected marks are; None while none is selected."""
    marks = session.selection.selected_marks()
    blocks = sum(mark.level != MAIN for mark in marks)
    if blocks:
        return Context.BLOCKS if len(marks) > 1 else Context.BLOCK
    return Context.MAIN if marks else None


@dataclass(frozen=True)
class Action:
    """An action of the window: a menu entry, a key, a palette entry.

    Attributes:
        name: How code calls it.
        text: What menus call it.
        menu: Which menu it stands in, "" for none; "Review ▸ Comments" for a submenu, which
            stands where the first of its rows would.  " ▸ Status" is a submenu of right clicks.
        run: The method it calls, of a class: ``PageSession.undo``, ``ChecksController.step``.
            The window has one object of that class.  `NotImplemented` for `Panel.toggle`.
        arguments: What the method is given.
        keys: Shortcuts, the one to show first.
        icon: A file of ``resources/icons``.
        where: Where its keys hold.
        when: When it can be had.
        group: Actions of one group exclude each other: exactly one is checked.
        value: What makes it the checked one of its group.
        is_on: Whether what it switches is on: the menu ticks it then.  None where it is no switch.
        help: A sentence for the tool tip; the text will do where it is "".
        section: The heading it stands under in the `?` overlay; the menu's where it is "".
        line: Whether the menu draws a line above it.
        in_presentation: Whether it can be done while the page is presented.
        context: The right clicks that offer it; at most nine a context, those of the menu *Type*
            in a submenu.
        order: Where it stands in its menu, among rows of all features, in steps of ten.
        words: What else a user may call it: the palette finds it by them.  Two at least.
    """

    name: str
    text: str
    menu: str
    run: Callable[..., object] = NotImplemented
    arguments: tuple[object, ...] = ()
    keys: tuple[str, ...] = ()
    icon: str = ""
    where: Where = Where.WINDOW
    when: When = ALWAYS
    group: str = ""
    value: object = None
    is_on: "Callable[[Workbench], bool] | None" = None
    help: str = ""
    section: str = ""
    line: bool = False
    in_presentation: bool = False
    context: tuple[Context, ...] = ()
    order: int = 0
    words: tuple[str, ...] = ()

    @property
    def top_menu(self) -> str:
        """Top-level menu of the action; "" for none."""
        return self.menu.partition(SUB)[0]

    @property
    def submenu(self) -> str:
        """Submenu of the action; "" for none."""
        return self.menu.partition(SUB)[2]


@dataclass(frozen=True)
class ViewActions:
    """Makes the rows of one view: no menu has them, and they share what is said here.

    Attributes:
        name: What their names begin with.
        where, when, section, in_presentation: As in `Action`.
    """

    name: str
    where: Where
    when: When
    section: str
    in_presentation: bool = False

    def __call__(
        self,
        name: str,
        text: str,
        run: Callable[..., object],
        arguments: tuple[object, ...],
        keys: tuple[str, ...],
        help_: str = "",
        *,
        words: tuple[str, ...],
    ) -> Action:
        return Action(
            f"{self.name}-{name}", text, "", run, arguments, keys, where=self.where,
            when=self.when, section=self.section, help=help_, words=words,
            in_presentation=self.in_presentation,
        )  # fmt: skip
