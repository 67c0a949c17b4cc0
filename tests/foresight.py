"""What a hand thinks through before it begins: the same gestures, on marks that nobody sees.

Keys and gestures go to the program's own `Marking`, `DraftsController` and `RepeatedBlocks` on
a session of their own, with the page that is open and what methods found on it; no browser is
asked.  What lies under a place is worked out from boxes, so that a thought can differ from what a
page does; then a way is chosen that is not the cheapest, and it still comes to the right end by
real events.
"""

from collections.abc import Sequence
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeySequence

from annotate.marks.gold import Target
from annotate.marks.targets import selected_targets
from engine.nodes import NodeTable
from gui.core.overlay_sync import in_drawn_layers
from gui.core.workbench import Requests, Workbench
from gui.features.drafts.controller import DraftsController
from gui.features.drafts.seen import SeenMarks
from gui.features.marks.repeating import RepeatedBlocks
from gui.page.gesture_edits import toggle_text
from gui.page.marking import Marking
from gui.state.session import Session
from gui.window.action_table import Owners
from gui.window.actions import ACTIONS
from tests.gestures import Gestures, Tally

_BY_KEYS = {
    QKeySequence(keys).toString(): action for action in reversed(ACTIONS) for keys in action.keys
}


class ThoughtCanvas(QObject):
    """Stands where the canvas does: which part of the page would be in view."""

    page_moved, redrawn, switched = Signal(), Signal(), Signal()
    is_seen = is_painted = True

    def __init__(self, nodes: NodeTable, view_height: float) -> None:
        super().__init__()
        self._nodes, self._view_height = nodes, view_height
        self.top, self.cover = 0.0, QObject(self)

    @property
    def page_height(self) -> float:
        return float(max(self._nodes.height, self._view_height))

    @property
    def seen(self) -> tuple[float, float]:
        return self.top, self.top + self._view_height

    def scroll(self, top: float) -> None:
        self.top = max(0.0, min(top, self.page_height - self._view_height))

    def scroll_to(self, row: int) -> None:
        """Bring a row into view as resources/js/overlay.js does."""
        _, y, _, height = self._nodes.rect[row].tolist()
        if y < self.top or y + height > self.top + self._view_height:
            self.scroll(y - min(self._view_height / 4, 120))


class Thought(QObject):
    """Stands where the workbench and the window do, for what the scripted hand's keys call."""

    def __init__(self, session: Session, view_height: float) -> None:
        super().__init__()
        self.session = Session(self)
        mine = self.session
        mine.layers.all = session.layers.all
        mine.layers.current_layer = session.layers.current_layer
        mine.open.page, mine.open.gold = session.open.page, session.open.gold
        mine.layers.outcomes = dict(session.layers.outcomes)
        for name in ("mode", "next_type", "last_type", "keeps_type", "selected", "suggests_types"):
            setattr(mine.selection, name, getattr(session.selection, name))
        assert session.open.page is not None
        self.canvas: Any = ThoughtCanvas(session.open.page.rendered(), view_height)
        self.workspace: Any = SimpleNamespace(
            setting=lambda _key, default: default,
            set_setting=lambda _key, _value: None,
            dropped_drafts=lambda _key, _nodes: (),
        )
        bring: Any = lambda mark: self.canvas.scroll_to(mark.targets[0].row)  # noqa: E731
        self.sight: Any = SimpleNamespace(bring=bring)
        self.main_area: Any = SimpleNamespace(
            switched=self.canvas.switched, is_covered=False, names=()
        )
        self.drawing: Any = SimpleNamespace(
            redrawn=self.canvas.redrawn, drawn=partial(in_drawn_layers, mine)
        )
        self.requests = Requests(mine.messages.say, self)
        self.marking = Marking(mine, self)
        self.decide, self.confirm = self.marking.commands.delete, self.marking.commands.delete
        mine_as: Any = self
        self.drafting, self.repeating = DraftsController(mine_as), RepeatedBlocks(mine_as)
        self._owners = Owners(
            [mine.selection, self.marking, self.marking.commands, self.drafting, self.repeating]
        )

    def press(self, code: Qt.Key, keys: Qt.KeyboardModifier) -> None:
        """Do what a key does."""
        action = _BY_KEYS[QKeySequence(keys.value | code.value).toString()]
        owner, _, name = action.run.__qualname__.rpartition(".")
        if name == "type_name":
            return  # `Unseen` says which
        if owner == "PageSession" and name == "undo":
            self.marking.stack.undo()
        elif owner == "Workbench":
            action.run(self, *action.arguments)
        elif name == "back_to_page":
            Workbench.clear_selection(self)  # type: ignore[arg-type]
        else:
            self._owners.bind(action.run)(*action.arguments)

    def point(self, x: float, y: float) -> None:
        """Have the mouse at a place of the page."""
        self.marking.point(rows_at(self.session.open.page.rendered(), x, y), (x, y))

    def rectangle(self, box: Sequence[float], *, adds: bool, selects: bool, makes: bool) -> None:
        """Draw a rectangle, from its upper left to its lower right."""
        nodes = self.session.open.page.rendered()
        self.marking._pointing.move((box[0] + box[2], box[1] + box[3]))
        selects = self.marking._selects(is_asked=selects, makes=makes)
        self.marking._take_rect(tuple(box), nodes, adds=adds, selects=selects)

    def text(self, first: Target, last: Target) -> None:
        """Drag over text."""
        nodes = self.session.open.page.rendered()
        end = len(nodes.text[last.row]) if last.is_whole else last.end
        targets = selected_targets(nodes, first.row, max(first.start, 0), last.row, end)
        if targets:
            self.marking.change("mark text", lambda gold, table: toggle_text(gold, table, targets))


class Unseen(Gestures):
    """A hand that only thinks: what it does is counted, and nobody sees it.

    Args:
        session: Where things stand; left as it is.
        zoom: Of the page.
        view_height: How much of the page is seen at once, CSS px.
        with_types: Whether blocks are to have types.
    """

    def __init__(
        self, session: Session, zoom: float, view_height: float, *, with_types: bool
    ) -> None:
        self.thought = Thought(session, view_height)
        self.session, self.with_types = self.thought.session, with_types
        self.canvas = self.thought.canvas
        self._press = self.thought.press
        self._zoom, self._view_height = zoom, view_height
        self.tally, self.stage = Tally(), "marking"

    @property
    def zoom(self) -> float:
        return self._zoom

    @property
    def view_height(self) -> float:
        return self._view_height

    def _draw(self, frame, keys) -> None:
        adds = bool(keys & Qt.KeyboardModifier.ShiftModifier)
        selects = bool(keys & Qt.KeyboardModifier.ControlModifier)
        makes = bool(keys & Qt.KeyboardModifier.AltModifier)
        self.thought.canvas.scroll(frame[1] - 40)
        self.thought.rectangle(frame, adds=adds, selects=selects, makes=makes)

    def _drag_over(self, first: Target, last: Target) -> None:
        self.thought.canvas.scroll(float(self.nodes.rect[first.row, 1]) - 40)
        self.thought.text(first, last)

    def _move_to(self, x: float, y: float, top: float) -> None:
        self.thought.canvas.scroll(float(top) - 40)
        self.thought.point(x, y)

    @property
    def _seen(self) -> SeenMarks:
        return self.thought.drafting.seen

    def _rest_at(self, top: float) -> None:
        self.thought.canvas.scroll(top)
        self._seen.note()

    def _await_view(self, before: tuple[float, float]) -> None:
        pass  # what is thought is there at once

    def _press_button(self, keys) -> None:
        self.thought.marking.take(adds=bool(keys))

    def _type_name(self, name: str) -> None:
        Workbench.set_type(self.thought, name)


def rows_at(nodes: NodeTable, x: float, y: float) -> list[int]:
    """Return the elements at a place, the deepest of the last drawn first, up to the root."""
    left, top, width, height = nodes.rect.T
    hit = (left <= x) & (x < left + width) & (top <= y) & (y < top + height)
    result = np.flatnonzero(hit & nodes.visible & ~nodes.is_text)
    if not result.size:
        return []
    rows = [int(result[-1])]
    while nodes.parent[rows[-1]] >= 0:
        rows.append(int(nodes.parent[rows[-1]]))
    return rows
