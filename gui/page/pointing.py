"""Pointing: which mark keys act on while none is selected."""

from collections.abc import Mapping
from math import dist
from typing import Any

from PySide6.QtCore import QObject

from gui.page.framing import AWAY, Framing, PagePoint
from gui.page.overlay import hit
from gui.state.selection import Mode
from gui.state.session import Session


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
