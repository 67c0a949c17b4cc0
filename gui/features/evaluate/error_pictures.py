"""Pictures of pages with errors, drawn in a separate process."""

from collections import OrderedDict
from collections.abc import Callable, Hashable

from PySide6.QtCore import QObject, Signal

from engine.errors import PageletError
from engine.words import sentence
from gui.pictures.drawers import error_worker
from gui.pictures.error_request import ErrorPicture, ErrorRequest
from gui.widgets.events import debounce
from gui.widgets.worker_process import QtWorkerProcess

_WAIT_MS = 150
"""How long a cell must stay current before its picture is drawn."""

_PATIENCE_MS = 10_000
"""Time for an abandoned picture before its process is ended."""

_IDLE_MS = 60_000
"""How long the process waits for the next picture before it is ended."""

_MOST_S = 60.0
_KEPT = 60
"""Pictures kept, of some 60 kB each."""


class ErrorPictures(QObject):
    """Draws the last requested picture; keeps those drawn."""

    drawn = Signal(object)  # the ErrorPicture that is wanted

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._kept: OrderedDict[Hashable, ErrorPicture] = OrderedDict()
        self._wanted: Hashable = None
        self._asked: Hashable = None  # what the process is at
        self._make: Callable[[], ErrorRequest] | None = None
        self._begin_soon = debounce(self, _WAIT_MS, self._begin)
        self._give_up = debounce(self, _PATIENCE_MS, self._restart)
        self._worker = QtWorkerProcess(
            error_worker, doing="rendering", most=100, seconds=_MOST_S, parent=self
        )
        self._idle = debounce(self, _IDLE_MS, self._worker.end)
        self._worker.answered.connect(self._take)
        self._worker.failed.connect(lambda why: self._take(ErrorPicture(b"", sentence(why))))

    @property
    def is_waiting(self) -> bool:
        """Whether a wanted picture is still to come."""
        return self._wanted is not None

    @property
    def is_busy(self) -> bool:
        """Whether the process draws a picture."""
        return self._asked is not None

    @property
    def count(self) -> int:
        """Number of pictures that are kept."""
        return len(self._kept)

    def want(self, key: Hashable, make: Callable[[], ErrorRequest]) -> None:
        """Request a picture; it replaces the previous request.

        ``key`` identifies the picture; ``make`` returns the request later, and may raise
        `PageletError`.
        """
        self._wanted, self._make = key, make
        if key in self._kept:
            self._kept.move_to_end(key)
            self._give(self._kept[key])
        else:
            self._begin_soon.start()

    def cancel(self) -> None:
        """Want no picture."""
        self._wanted = self._make = None
        self._begin_soon.stop()

    def end(self) -> None:
        """Want no picture, and end the process."""
        self.cancel()
        for timer in (self._give_up, self._idle):
            timer.stop()
        self._asked = None
        self._worker.end()

    def _begin(self) -> None:
        if self._wanted is None or self._make is None:
            return
        if self._asked is not None:
            if self._asked != self._wanted and not self._give_up.isActive():
                self._give_up.start()
            return
        try:
            request = self._make()
        except PageletError as error:
            self._give(ErrorPicture(b"", sentence(str(error))))
            return
        self._asked = self._wanted
        self._idle.stop()
        self._worker.hand(request)

    def _restart(self) -> None:
        """End a picture that nobody wants and that takes its time."""
        if self._asked is not None and self._asked != self._wanted:
            self._asked = None
            self._worker.end()
            self._begin()

    def _take(self, picture: ErrorPicture) -> None:
        key, self._asked = self._asked, None
        self._give_up.stop()
        self._idle.start()
        if picture.data:
            self._kept[key] = picture
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        if key == self._wanted:
            self._give(picture)
        elif not self._begin_soon.isActive():
            self._begin()

    def _give(self, picture: ErrorPicture) -> None:
        self.cancel()
        self.drawn.emit(picture)
