"""Texts on running tasks: said only once it has taken a while."""

from PySide6.QtCore import QObject

from gui.state.session import Session
from gui.widgets.debounce import debounce

SHOW_MS = 500
"""What is faster than this needs no word about it."""


class Progress(QObject):
    """Message on a running task, shown after `SHOW_MS`."""

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._waits = ""
        self._timer = debounce(self, SHOW_MS, self._show)

    def say(self, text: str) -> None:
        self._waits = text
        if self._session.progress:
            self._session.set_progress(text)
        elif not self._timer.isActive():
            self._timer.start()

    def end(self) -> None:
        """Clear the message."""
        self._waits = ""
        self._timer.stop()
        self._session.set_progress("")

    def _show(self) -> None:
        if self._waits:
            self._session.set_progress(self._waits)
