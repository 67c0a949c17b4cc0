"""Action: a row of the table from which menus, keys, toolbars and help are made."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from PySide6.QtCore import QPoint

from annotate.marks.gold import MAIN
from gui.core.main_area import Where
from gui.core.when import ALWAYS, When
from gui.state.session import Session

if TYPE_CHECKING:
    from gui.core.workbench import Workbench

SUB = " ▸ "
"""Stands between a menu and its submenu in `Action.menu`."""


class Context(StrEnum):
    """Target of a context menu."""

    BLOCK = "block"
    BLOCKS = "blocks"  # several are selected
    MAIN = "main content"  # an element of it or a part of a text
    ELEMENT = "element"  # not marked
    OUTLINE = "outline"  # outside its entries
    PAGES = "pages"  # an entry of the list
    LAYER = "layer"
    SCORE = "score"
    TILE = "tile"
    PANEL = "panel"
    PAGE = "page"  # outside all of these
    NO_PAGE = "no page"


@runtime_checkable
class HasContext(Protocol):
    """Widget with a context menu for its items."""

    def context_at(self, at: QPoint | None) -> Context | None:
        """Select the item at a point of the screen; return its context, None to ask the parent.

        ``at`` is None for the keyboard: the selected item counts.
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
        name: Its stored name, which code uses too.
        text: Its text in menus.
        menu: Its menu, "" for none; "Mark ▸ Drafts ▸ Drop" for a submenu, at the position of the
            first of its rows.  " ▸ Status" is a submenu of context menus.
        run: The method that it calls: ``PageSession.undo``, ``ChecksController.step``.
            The window has one object of that class.  `NotImplemented` for `Panel.toggle`.
        arguments: Arguments of the method.
        keys: Shortcuts, the shown one first.
        icon: A file of ``resources/icons``.
        where: Scope of its keys.
        when: Condition under which it is enabled.
        group: Actions of one group exclude each other: exactly one is checked.
        value: Value of the group for which it is checked.
        is_on: Returns whether it is switched on: the menu ticks it then.  None if it is no switch.
        named: Returns its text now, where menus have another one than ``text``; None if never.
        help: Sentence of the tool tip; "" for the text.
        section: Its heading in the `?` overlay; "" for the menu's.
        line: Whether the menu draws a line above it.
        in_presentation: Whether it is enabled while the page is presented.
        context: The context menus that offer it, at most fourteen each; those of the menu *Type*
            are in a submenu.
        order: Its position in its menu, among rows of all features, in steps of ten.
        words: Other names by which the palette finds it, at least two.
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
    named: "Callable[[Workbench], str] | None" = None
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
    """Makes the actions of one view, which have no menu and share these values.

    Attributes:
        name: Prefix of their names.
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
