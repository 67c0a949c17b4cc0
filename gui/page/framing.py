"""Framing: which element is framed, by the mouse, and by wheel and keys from there."""

from collections.abc import Mapping
from math import dist
from typing import Any

import numpy as np
from PySide6.QtCore import QObject

from algorithms.levels import Level
from annotate.marks.gold import MAIN
from engine.nodes import NodeTable
from gui.page.overlay import hit
from gui.state.selection import Mode
from gui.state.session import Session

LEVEL_OF: dict[Mode, Level] = {Mode.MAIN: MAIN, Mode.LEVEL_1: 1, Mode.LEVEL_2: 2}

PagePoint = tuple[float, float]
"""Of the mouse on the page, CSS px."""

AWAY = 40.0
"""Distance of the mouse, px, up to which keys act on the element just drawn or offered: a hand is
never quite still."""


STILL = 8.0
"""What was framed by a step wider or narrower is what a click takes, until the mouse is moved so
many px: no hand that presses a key holds still.
"""


class Framing(QObject):
    """Sets the session's candidate: what a click or Enter takes.

    Attributes:
        under: Rows under the mouse, front to back.
    """

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._open, self._selection = session.open, session.selection
        self.under: list[int] = []
        self._framed = -1  # node framed by the mouse alone
        self._framed_in = self._selection.mode
        self._trail: list[int] = []  # rows widened from, so that narrowing goes back the same way
        self.is_held = False  # the frame stays though the mouse is elsewhere
        self._held_at: PagePoint | None = None  # position that the mouse must leave
        self._mouse: PagePoint | None = None
        self._stepped_at: PagePoint | None = None  # the same, after a step wider or narrower
        self.is_stepped = False
        self._selection.mode_changed.connect(self._frame_again)
        self._open.document_changed.connect(self._forget)

    def hold(self, row: int) -> None:
        """Frame a row until the mouse is moved away from where it is next."""
        self._selection.set_candidate(row)
        self.is_held, self._held_at = row >= 0, None

    def let_go(self) -> None:
        """Resume framing the node under the mouse at its next movement."""
        if self.is_held:
            self.is_held, self.under = False, []

    def end_step(self) -> None:
        """Frame by the mouse again, at its next movement."""
        if self.is_stepped:
            self.is_stepped, self.under = False, []

    def point(self, under: list[int], position: PagePoint | None = None) -> None:
        """Frame the element under the mouse; over the same element the frame stays as widened."""
        if position is not None:
            self._mouse = position
            if self.is_stepped:
                self._stepped_at = self._stepped_at or position
                if dist(position, self._stepped_at) <= STILL:
                    return
                self.end_step()
        if self.is_held and position is not None:
            self._held_at = self._held_at or position
            if dist(position, self._held_at) <= AWAY:
                return
            self.let_go()
        if under[:1] != self.under[:1] or (under and self._selection.candidate < 0):
            self._frame_first(under[0] if under else -1)
        self.under = under

    def _forget(self) -> None:
        self.under, self._trail, self._framed, self.is_held = [], [], -1, False
        self.is_stepped, self._mouse = False, None

    def _frame_first(self, row: int) -> None:
        """Frame the node under the mouse: where blocks are marked the largest that may be meant."""
        there, self._trail = row, []
        if row >= 0 and self._open.page is not None and self._selection.mode.makes_block:
            nodes = self._open.page.rendered()
            there = hit.start(self._open.gold, nodes, row, LEVEL_OF[self._selection.mode])
            self._trail = _way_to(nodes, row, there)
        self._framed, self._framed_in = there, self._selection.mode
        self._selection.set_candidate(there)

    def _frame_again(self) -> None:
        """Frame what the mouse means in another mode, unless one has walked away from it."""
        if self.under and self._framed_in is not self._selection.mode:
            if self._selection.candidate == self._framed:
                self._frame_first(self.under[0])
            self._framed_in = self._selection.mode

    def walk(self, way: str) -> None:
        """Move the candidate to its ``parent``, ``child``, ``next`` or ``previous`` element."""
        if self._open.page is None:
            return
        nodes, row = self._open.page.rendered(), self._selection.candidate
        self.is_stepped, self._stepped_at = way in ("parent", "child"), self._mouse
        if row < 0:
            self._selection.set_candidate(_first(nodes))
            return
        if way == "child" and self._trail and nodes.is_inside(self._trail[-1], row):
            self._selection.set_candidate(self._trail.pop())
        elif way in ("parent", "child"):
            there = hit.stride(nodes, row, way)
            if way == "parent" and there != row:
                self._trail.append(row)
            self._selection.set_candidate(there)
        else:
            self._trail = []
            there = hit.step(nodes, row, way)
            self._selection.has_crossed = int(nodes.parent[there]) != int(nodes.parent[row])
            self._selection.set_candidate(there)
            self._selection.has_crossed = False

    def widest(self) -> None:
        """Frame the largest element around the framed one that is not the page itself."""
        page, row = self._open.page, self._selection.candidate
        if page is None:
            return
        nodes = page.rendered()
        row = row if row >= 0 else _first(nodes)
        there = hit.widest(nodes, row)
        self._trail = _way_to(nodes, row, there)
        self._selection.set_candidate(there)


def _first(nodes: NodeTable) -> int:
    """Return where keys begin while nothing is framed: the first element that is not the page."""
    bodies = np.flatnonzero(nodes.has_tag("body"))
    row = int(bodies[0]) if bodies.size else 0
    while hit.is_page(nodes, row) and (there := hit.stride(nodes, row, "child")) != row:
        row = there
    return row


def _way_to(nodes: NodeTable, row: int, there: int) -> list[int]:
    """Return what one narrows to from an element around a row, the innermost first."""
    return [
        each for each in hit.chain(nodes, row) if each != there and nodes.is_inside(each, there)
    ]


def point_of(event: Mapping[str, Any]) -> PagePoint | None:
    """Return the mouse position of an event of resources/js/point.js, None without one."""
    at = event.get("at")
    return (float(at[0]), float(at[1])) if at else None


class Pointing(QObject):
    """Sets the session's `pointed`: the mark under the mouse, or the block just drawn."""

    def __init__(self, session: Session, framing: Framing, parent: QObject) -> None:
        super().__init__(parent)
        self._open, self._selection, self._framing = session.open, session.selection, framing
        self._position: PagePoint | None = None  # of the mouse
        self._held, self._held_at = "", (0.0, 0.0)
        for signal in (
            self._open.gold_changed,
            self._selection.selection_changed,
            self._selection.mode_changed,
        ):
            signal.connect(self._refresh)
        self._open.document_changed.connect(self._forget)

    def move(self, position: PagePoint | None) -> None:
        """Set the mouse position; None where that is not known."""
        if position is not None:
            self._position = position
            if self._held and dist(position, self._held_at) > AWAY:
                self._held = ""
        self._refresh()

    def hold(self, mark_id: str) -> None:
        """Make keys act on a mark until the mouse moves; without one it is selected."""
        if self._position is None:
            self._selection.set_selected((mark_id,))
            return
        self._held, self._held_at = mark_id, self._position
        self._selection.set_selected(())
        self._refresh()

    def let_go(self) -> None:
        """Make keys act on the node under the mouse again."""
        self._held = ""
        self._refresh()

    def _forget(self) -> None:
        self._held, self._position = "", None

    def _refresh(self) -> None:
        page, gold, under = self._open.page, self._open.gold, self._framing.under
        is_free = self._selection.mode is Mode.SELECT and not self._selection.selected
        if not is_free or gold.find(self._held) is None:
            self._held = ""
        ids = [self._held]
        if not self._held and page is not None and is_free and self._selection.candidate in under:
            ids = [*hit.marks_at(gold, page.rendered(), under), ""]
        self._selection.set_pointed(ids[0])
