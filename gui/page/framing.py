"""Framing: which element is framed, by the mouse, and by wheel and keys from there."""

from collections.abc import Mapping
from math import dist
from typing import Any

import numpy as np
from PySide6.QtCore import QObject

from annotate.marks.gold import MAIN
from engine.nodes import NodeTable
from gui.page.overlay import hit
from gui.state.selection import Mode
from gui.state.session import Session

LEVEL_OF = {Mode.MAIN: MAIN, Mode.LEVEL_1: 1, Mode.LEVEL_2: 2}

PagePoint = tuple[float, float]
"""Of the mouse on the page, CSS px."""

AWAY = 40.0
"""What was just drawn or offered keeps the keys until the mouse is so many px away: a hand is never
quite still, and what lies around is mostly something else."""


class Framing(QObject):
    """Sets the session's candidate: what a click or Enter takes.

    Attributes:
        under: Rows under the mouse, front to back.
    """

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self.under: list[int] = []
        self._framed = -1  # what the mouse alone framed
        self._framed_in = session.selection.mode
        self._trail: list[int] = []  # rows widened from, so that narrowing goes back the same way
        self.is_held = False  # the frame stays though the mouse is elsewhere
        self._held_at: PagePoint | None = None  # from where the mouse must move away
        session.selection.mode_changed.connect(self._frame_again)
        session.open.document_changed.connect(self._forget)

    def hold(self, row: int) -> None:
        """Frame a row until the mouse is moved away from where it is next."""
        self._session.selection.set_candidate(row)
        self.is_held, self._held_at = row >= 0, None

    def let_go(self) -> None:
        """Resume framing the node under the mouse at its next movement."""
        if self.is_held:
            self.is_held, self.under = False, []

    def point(self, under: list[int], position: PagePoint | None = None) -> None:
        """Frame the element under the mouse; over the same element the frame stays as widened."""
        if self.is_held and position is not None:
            self._held_at = self._held_at or position
            if dist(position, self._held_at) <= AWAY:
                return
            self.let_go()
        if under[:1] != self.under[:1] or (under and self._session.selection.candidate < 0):
            self._frame_first(under[0] if under else -1)
        self.under = under

    def _forget(self) -> None:
        self.under, self._trail, self._framed, self.is_held = [], [], -1, False

    def _frame_first(self, row: int) -> None:
        """Frame the node under the mouse: where blocks are marked the largest that may be meant."""
        session, there = self._session, row
        if row >= 0 and session.open.page is not None and session.selection.mode.makes_block:
            nodes = session.open.page.rendered()
            there = hit.start(session.open.gold, nodes, row, LEVEL_OF[session.selection.mode])
            self._trail = _way_to(nodes, row, there)
        else:
            self._trail = []
        self._framed, self._framed_in = there, session.selection.mode
        session.selection.set_candidate(there)

    def _frame_again(self) -> None:
        """Frame what the mouse means in another mode, unless one has walked away from it."""
        session = self._session
        if self.under and self._framed_in is not session.selection.mode:
            if session.selection.candidate == self._framed:
                self._frame_first(self.under[0])
            self._framed_in = session.selection.mode

    def walk(self, way: str) -> None:
        """Move the candidate to its ``parent``, ``child``, ``next`` or ``previous`` element."""
        session = self._session
        if session.open.page is None:
            return
        nodes, row = session.open.page.rendered(), session.selection.candidate
        if row < 0:
            session.selection.set_candidate(_first(nodes))
            return
        if way == "child" and self._trail and nodes.is_inside(self._trail[-1], row):
            session.selection.set_candidate(self._trail.pop())
        elif way in ("parent", "child"):
            there = hit.stride(nodes, row, way)
            if way == "parent" and there != row:
                self._trail.append(row)
            session.selection.set_candidate(there)
        else:
            self._trail = []
            there = hit.step(nodes, row, way)
            session.selection.has_crossed = int(nodes.parent[there]) != int(nodes.parent[row])
            session.selection.set_candidate(there)
            session.selection.has_crossed = False

    def widest(self) -> None:
        """Frame the largest element around the framed one that is not the page itself."""
        page, row = self._session.open.page, self._session.selection.candidate
        if page is None:
            return
        nodes = page.rendered()
        row = row if row >= 0 else _first(nodes)
        there = hit.widest(nodes, row)
        self._trail = _way_to(nodes, row, there)
        self._session.selection.set_candidate(there)


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
        self._session, self._framing = session, framing
        self._position: PagePoint | None = None  # of the mouse
        self._held, self._held_at = "", (0.0, 0.0)
        for signal in (
            session.open.gold_changed,
            session.selection.selection_changed,
            session.selection.mode_changed,
        ):
            signal.connect(self._refresh)
        session.open.document_changed.connect(self._forget)

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
            self._session.selection.set_selected((mark_id,))
            return
        self._held, self._held_at = mark_id, self._position
        self._session.selection.set_selected(())
        self._refresh()

    def let_go(self) -> None:
        """Make keys act on the node under the mouse again."""
        self._held = ""
        self._refresh()

    def _forget(self) -> None:
        self._held, self._position = "", None

    def _refresh(self) -> None:
        session, ids = self._session, list[str]()
        is_free = session.selection.mode is Mode.SELECT and not session.selection.selected
        if not is_free or session.open.gold.find(self._held) is None:
            self._held = ""
        if self._held:
            ids = [self._held]
        elif (
            session.open.page is not None
            and is_free
            and session.selection.candidate in self._framing.under
        ):
            ids = hit.marks_at(session.open.gold, session.open.page.rendered(), self._framing.under)
        session.selection.set_pointed(ids[0] if ids else "")
