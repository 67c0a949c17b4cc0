"""MouseWatch: sees after each capture whether the mouse's way from the page to Pagelet is open."""

import logging

from PySide6.QtCore import QObject, Signal

from engine.web.page_time import PageTime
from engine.web.view import PageView
from gui.page.bridge import Bridge

log = logging.getLogger(__name__)

PATIENCE_S = 1.0
"""How long an answer may take while the page answers all else; most take two milliseconds."""

MOST_RENEWALS = 2


class MouseWatch(QObject):
    """Sends numbers into the page and waits until one comes back over the bridge.

    Where none does, though the page answers all the while, the bridge is made anew, and where that
    does not help it is said.  A page or a machine that is only slow answers nothing quickly.
    """

    restored = Signal()  # the page was reached again, over a new bridge
    lost = Signal(str)  # in words

    def __init__(self, view: PageView, bridge: Bridge, parent: QObject) -> None:
        super().__init__(parent)
        self._view = view
        self._number = 0
        self._renewals = 0
        self._time: PageTime | None = None
        bridge.answered.connect(self._on_answer)

    def check(self) -> None:
        """Begin with the page that has just been read."""
        self._renewals = 0
        self._ask()

    def stop(self) -> None:
        """Stop watching: the page goes."""
        self._number += 1
        if self._time is not None:
            self._time.stop()
            self._time.deleteLater()
            self._time = None

    def _ask(self) -> None:
        """Ask for a number with each tick: the bridge may still be being made."""
        self.stop()
        ping = f"pagelet.ping?.({self._number}) === true"
        self._time = PageTime(self._view, self._on_silence, script=ping, parent=self)
        self._time.start(PATIENCE_S)

    def _on_answer(self, number: int) -> None:
        if number == self._number and self._time is not None:
            self.stop()
            if self._renewals:
                self.restored.emit()

    def _on_silence(self, _: object) -> None:
        if self._renewals < MOST_RENEWALS:
            log.warning("the mouse does not reach Pagelet: the bridge is made anew")
            self._renewals += 1
            self._view.renew_bridge("pagelet.connect")
            self._ask()
        else:
            self.stop()
            self.lost.emit(
                "the mouse does not reach this page: load it again (keys and panels work)"
            )
