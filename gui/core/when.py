"""Conditions that enable actions, with the reason shown while they do not hold."""

from collections.abc import Callable
from dataclasses import dataclass

from annotate.marks.gold import MAIN
from gui.core.main_area import MainArea, View
from gui.core.workbench import Workbench
from gui.state.selection import Mode
from gui.state.session import Session

Step = Callable[[Workbench], str]


@dataclass(frozen=True, eq=False)
class When:
    """A condition of actions.

    Attributes:
        reason: What to do if it does not hold; shown in the action's tip.
        holds: Whether it does.
        step: The name of the action that leads there, as things stand; "" where none is known.
        of_page: Whether the action is about what the page shows: it waits until that is painted.
    """

    reason: str
    holds: Callable[[Workbench], bool]
    step: Step = lambda now: ""
    of_page: bool = False


def _sees_page(main_area: MainArea) -> bool:
    """Whether the open page can be worked on: nothing covers it, no other page is in its place."""
    return not main_area.is_covered and not main_area.names


def _can_point(session: Session) -> bool:
    """Whether keys act on the mark under the mouse, because nothing is selected."""
    return session.selection.mode is Mode.SELECT and bool(session.open.gold.marks)


def _has_block(now: Workbench) -> bool:
    marks = now.session.selection.selected_marks()
    return any(mark.level != MAIN for mark in marks) or _can_point(now.session)


def _has_piece(now: Workbench) -> bool:
    return _has_block(now) or now.session.selection.mode is Mode.MAIN


def _has_typed(now: Workbench) -> bool:
    session = now.session
    return _has_block(now) or (session.open.page is not None and session.selection.mode.makes_block)


def _has_method(now: Workbench) -> bool:
    layers = now.session.layers
    current = (layer for layer in layers.all if layer.key == layers.current_layer)
    return now.session.open.page is not None and any(not layer.is_gold for layer in current)


def _to_page(now: Workbench) -> str:
    return "open-file" if now.session.open.document is None else "clear"


def _to_mark(now: Workbench) -> str:
    return "mark-next" if now.session.open.gold.marks else "mode-1"


def on_page(
    reason: str,
    holds: Callable[[Workbench], bool],
    step: Step = lambda now: "",
    elsewhere: Callable[[Workbench], bool] = lambda now: False,
) -> When:
    """Return a condition that also needs the page in view: hidden marks must not change.

    ``step`` gives the action that leads there from the page; where ``elsewhere`` holds, too,
    nothing of the page changes.
    """

    def next_step(now: Workbench) -> str:
        sees_page = _sees_page(now.main_area) and now.session.open.page is not None
        return step(now) if sees_page else _to_page(now)

    def both(now: Workbench) -> bool:
        return (_sees_page(now.main_area) or elsewhere(now)) and holds(now)

    return When(reason, both, next_step, True)


def showing(view: type[View], reason: str, step: str) -> When:
    """Return the condition that a view is shown; ``step`` is the action that shows it."""
    return When(reason, lambda now: now.main_area.shows(view), lambda now: step)


ALWAYS = When("", lambda now: True)
WITH_DOCUMENT = When(
    "open a page first", lambda now: now.session.open.document is not None, _to_page
)
ON_PAGE = on_page(
    "open a page first, or go back to it (Esc)", lambda now: now.session.open.page is not None
)
IN_VIEW = When(
    "open a page first, or go back to it (Esc)",
    lambda now: not now.main_area.is_covered and now.session.open.document is not None,
    _to_page,
)
WITH_MARK = on_page(
    "select a mark first",
    lambda now: bool(now.session.selection.selected_marks()) or _can_point(now.session),
    _to_mark,
)
WITH_BLOCK = on_page("select a block first", _has_block, _to_mark)
WITH_PIECE = on_page("select a block first, or mark main content", _has_piece, _to_mark)
WITH_TYPE = on_page("select a block first, or choose a level to mark", _has_typed, _to_mark)
WITH_METHOD = on_page(
    "choose a method in the Methods panel first", _has_method, lambda now: "add-method"
)
