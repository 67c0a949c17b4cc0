"""Why a method kept or dropped something: asked by click or key, with changes to try."""

from PySide6.QtCore import QObject
from PySide6.QtGui import QImage

from algorithms.explain.explanations import NOWHERE, DecidedLocation, Location
from gui.core.workbench import Workbench
from gui.features.errors.feature import ErrorWalk
from gui.features.why.finder import WhyFinder
from gui.features.why.state import WhyState
from gui.state.highlight import NOTHING, Highlight
from gui.state.selection import Mode


class Why(QObject):
    """Actions of the Why panel, its keys and a click; also explains the current error."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        session = self._session = workbench.session
        self._canvas = workbench.canvas
        workbench.marking.why_asked.connect(self.ask)
        self._state = session.get(WhyState)
        self._walk = session.get(ErrorWalk)
        self.why = WhyFinder(session, self)
        self._walk.index_changed.connect(self._follow_error)

    def ask(self, row: int, offset: int = -1) -> None:
        """Ask the visible methods why they kept or dropped a place of the page."""
        self._state.ask(Location(row, offset))

    def ask_here(self) -> None:
        """Ask about the current error, else the framed element; clicks ask from now on."""
        session = self._session
        session.selection.set_mode(Mode.WHY)
        self._state.show(True)
        if self._walk.is_shown and self._walk.current is not None:
            self._ask_about_error()
        elif session.selection.candidate >= 0:
            self.ask(session.selection.candidate)

    def point(self, location: DecidedLocation | None) -> None:
        """Outline a decision's position on the page; None for nothing."""
        result = NOTHING
        if location is not None and location != NOWHERE:
            result = Highlight(location.texts, location.rows, is_outlined=True)
        self._session.selection.set_highlight(result)

    def bring(self, location: DecidedLocation) -> None:
        """Scroll to the position of a decision."""
        if location.texts:
            self._canvas.scroll_to_texts(location.texts)
        elif location.rows:
            self._canvas.scroll_to(location.rows[0])

    def picture(self) -> QImage:
        """Return the page as shown now; `CaptureError` if it cannot be drawn."""
        return self._canvas.settled_picture()

    def apply_counterfactual(self, key: str) -> None:
        """Set a method's parameters so that the decision asked about is reversed."""
        self.why.apply(key)

    def undo_counterfactual(self) -> None:
        """Restore the previous parameters of the changed method."""
        self.why.take_back()

    def _follow_error(self) -> None:
        if self._state.is_shown:
            self._ask_about_error()

    def _ask_about_error(self) -> None:
        walk, error = self._walk, self._walk.current
        if error is None:
            return
        row, offset = (error.rows[0], -1) if error.rows else (-1, -1)
        if error.ranges:
            row, start, end = error.ranges[len(error.ranges) // 2]
            offset = (start + end) // 2
        word = -1 if error.is_elsewhere else error.word
        self._state.ask(Location(row, offset, word, walk.key))

    def stop(self) -> None:
        """Cancel all searches."""
        self.why.timer.stop()
        self.why.stop()
