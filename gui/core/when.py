"""When an action can be had, and the sentence that says why not."""

from collections.abc import Callable
from dataclasses import dataclass

from annotate.marks.gold import MAIN
from gui.core.main_area import MainArea, View
from gui.core.workbench import Workbench
from gui.state.session import Mode, Session


@dataclass(frozen=True, eq=False)
class When:
    """A condition of actions.

    Attributes:
        reason: What to do where it does not hold; said in the action's tip.
        holds: Whether it does.
    """

    reason: str
    holds: Callable[[Workbench], bool]


def _sees_page(main_area: MainArea) -> bool:
    """Whether the open page can be worked on: nothing covers it, no other page is in its place."""
    return not main_area.is_covered and not main_area.names


def _can_point(session: Session) -> bool:
    """Whether keys act on the mark under the mouse, because nothing is selected."""
    return session.mode is Mode.SELECT and bool(session.gold.marks)


def _has_mark(now: Workbench) -> bool:
    return bool(now.session.selected_marks()) or _can_point(now.session)


def _has_block(now: Workbench) -> bool:
    session = now.session
    return any(mark.level != MAIN for mark in session.selected_marks()) or _can_point(session)


def _has_typed(now: Workbench) -> bool:
    session = now.session
    return _has_block(now) or (session.page is not None and session.mode.makes_block)


def _has_method(now: Workbench) -> bool:
    session = now.session
    current = (layer for layer in session.layers if layer.key == session.current_layer)
    return session.page is not None and any(not layer.is_gold for layer in current)


def on_page(reason: str, holds: Callable[[Workbench], bool]) -> When:
    """Return a condition that needs the page in view besides: what is out of sight stays."""
    return When(reason, lambda now: _sees_page(now.main_area) and holds(now))


def showing(view: type[View], reason: str) -> When:
    """Return the condition that a view is shown."""
    return When(reason, lambda now: now.main_area.shows(view))


ALWAYS = When("", lambda now: True)
WITH_DOCUMENT = When("open a page first", lambda now: now.session.document is not None)
ON_PAGE = on_page(
    "open a page first, or go back to it (Esc)", lambda now: now.session.page is not None
)
IN_VIEW = When(
    "open a page first, or go back to it (Esc)",
    lambda now: not now.main_area.is_covered and now.session.document is not None,
)
WITH_MARK = on_page("select a mark first", _has_mark)
WITH_BLOCK = on_page("select a block first", _has_block)
WITH_TYPE = on_page("select a block first, or choose a level to mark", _has_typed)
WITH_METHOD = on_page("choose a method in the Layers panel first", _has_method)
