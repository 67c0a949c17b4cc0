"""MouseWatch: sees after each capture whether the mouse's way from the page to Pagelet is open."""

import logging

from PySide6.QtCore import QObject, Signal

from engine.web.view import PageView
from gui.page.bridge import Bridge
from gui.widgets.debounce import debounce

log = logging.getLogger(__name__)

PATIENCE_MS = 1000
"""How long an answer may take; most take two milliseconds."""

AGAIN_MS = 30
MOST_RENEWALS = 2


class MouseWatch(QObject):
    """Sends a number into the page and waits until it comes back over the bridge.

    Where it does not, the bridge is made anew, and where that does not help it is said.
    """

    restored = Signal()  # the page was reached again, over a new bridge
    lost = Signal(str)  # in words

    def __init__(self, view: PageView, bridge: Bridge, parent: QObject) -> None:
        super().__init__(parent)
        self._view = view
        self._number = 0
        self._renewals = 0
        self._timer = debounce(self, PATIENCE_MS, self._on_silence)
        self._again = debounce(self, AGAIN_MS, self._send)
        bridge.answered.connect(self._on_answer)

    def check(self) -> None:
        """Begin with the page that has just been read."""
        self._renewals = 0
        self._ask()

    def stop(self) -> None:
        """Ask no more: the page goes."""
        self._number += 1
        self._timer.stop()
        self._again.stop()

    def _ask(self) -> None:
        self._number += 1
        self._timer.start(PATIENCE_MS)
        self._send()

    def _send(self) -> None:
        self._view.run(f"pagelet.ping?.({self._number}) === true", self._on_sent, self._on_error)

    def _on_sent(self, is_sent: bool) -> None:
        if not is_sent and self._timer.isActive():  # the bridge is being made
            self._again.start()

    def _on_error(self, error: Exception) -> None:
        log.info("the bridge could not be asked: %s", error)

    def _on_answer(self, number: int) -> None:
        if number == self._number and self._timer.isActive():
            self._timer.stop()
            if self._renewals:
                self.restored.emit()

    def _on_silence(self) -> None:
        if self._renewals < MOST_RENEWALS:
            log.warning("the mouse does not reach Pagelet: the bridge is made anew")
            self._renewals += 1
            self._view.renew_bridge("pagelet.connect")
            self._ask()
        else:
            self.lost.emit(
                "the mouse does not reach this page: load it again (keys and panels work)"
            )
