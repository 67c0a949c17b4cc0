"""When an action can be had, and the sentence that says why not."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from annotate.marks.gold import MAIN
from gui.core.workbench import Workbench
from gui.state.session import Mode, Session


class Shown(Protocol):
    """Which view of the window is shown."""

    @property
    def is_page(self) -> bool:
        """Whether the page can be worked on: no table and no second page is in its place."""

    @property
    def is_view(self) -> bool:
        """Whether the page or another view of it is shown: no table, no site."""

    @property
    def is_table(self) -> bool:
        """Whether the Evaluate view is."""

    @property
    def is_3d(self) -> bool:
        """Whether the page is shown in 3-D."""

    @property
    def is_side_by_side(self) -> bool:
        """Whether it is shown more than once."""

    @property
    def is_pair(self) -> bool:
        """Whether two pages are shown."""

    @property
    def is_presentation(self) -> bool:
        """Whether the page is presented."""


@dataclass(frozen=True)
class Situation:
    """What is open, and in which view."""

    workbench: Workbench
    shown: Shown

    @property
    def session(self) -> Session:
        """What is open."""
        return self.workbench.session


@dataclass(frozen=True, eq=False)
class When:
    """A condition of actions.

    Attributes:
        reason: What to do where it does not hold; said in the action's tip.
        holds: Whether it does.
    """

    reason: str
    holds: Callable[[Situation], bool]


def _can_point(session: Session) -> bool:
    """Whether keys act on the mark under the mouse, because nothing is selected."""
    return session.mode is Mode.SELECT and bool(session.gold.marks)


def _has_mark(now: Situation) -> bool:
    return bool(now.session.selected_marks()) or _can_point(now.session)


def _has_block(now: Situation) -> bool:
    session = now.session
    return any(mark.level != MAIN for mark in session.selected_marks()) or _can_point(session)


def _has_typed(now: Situation) -> bool:
    session = now.session
    return _has_block(now) or (session.page is not None and session.mode.makes_block)


def _has_method(now: Situation) -> bool:
    session = now.session
    current = (layer for layer in session.layers if layer.key == session.current_layer)
    return session.page is not None and any(not layer.is_gold for layer in current)


def on_page(reason: str, holds: Callable[[Situation], bool]) -> When:
    """Return a condition that needs the page in view besides: what is out of sight stays."""
    return When(reason, lambda now: now.shown.is_page and holds(now))


ALWAYS = When("", lambda now: True)
WITH_DOCUMENT = When("open a page first", lambda now: now.session.document is not None)
ON_PAGE = on_page(
    "open a page first, or go back to it (Esc)", lambda now: now.session.page is not None
)
IN_VIEW = When(
    "open a page first, or go back to it (Esc)",
    lambda now: now.shown.is_view and now.session.document is not None,
)
WITH_MARK = on_page("select a mark first", _has_mark)
WITH_BLOCK = on_page("select a block first", _has_block)
WITH_TYPE = on_page("select a block first, or choose a level to mark", _has_typed)
WITH_METHOD = on_page("choose a method in the Layers panel first", _has_method)
IN_TABLE = When("open the Evaluate view first (F8)", lambda now: now.shown.is_table)
IN_3D = on_page("show the page in 3-D first (F6)", lambda now: now.shown.is_3d)
SIDE_BY_SIDE = on_page(
    "show the page side by side first (F2)", lambda now: now.shown.is_side_by_side
)
TWO_PAGES = When("show two pages side by side first (Shift+F12)", lambda now: now.shown.is_pair)
PRESENTING = When("present the page first (F11)", lambda now: now.shown.is_presentation)
