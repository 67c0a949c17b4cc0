"""What the Site view lets other processes do; the window asks now and then whether they have said.

A page may take the process down that renders it, or never come to an end: that costs its picture.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from algorithms.templates.overview import Overview
from annotate.evaluation.supervisor import ProcessLost, Supervised
from engine.document import Document
from gui.site_view import study, thumbnailer
from gui.site_view.study import Compare, Count, Occurrences, Read
from gui.site_view.thumbnailer import Drawn, WantedThumbnail

_LOOK_MS = 60
_MOST_S = 60.0
"""What the picture of a page may take."""


class Study(QObject):
    """Compares pages in a process of its own."""

    progressed = Signal(int)  # pages read
    problem = Signal(str)
    compared = Signal(object)  # Overview
    counted = Signal(object)  # Occurrences
    failed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._process: Supervised[study.Order, study.Answer] = Supervised(study.serve)
        self._documents: tuple[Document, ...] = ()
        self._has_read = False
        self._waiting = 0
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_MS)
        self._timer.timeout.connect(self._look)

    @property
    def is_busy(self) -> bool:
        """Whether an answer is still to come."""
        return self._waiting > 0

    def compare(self, documents: Sequence[Document], key: str) -> None:
        """Compare these pages; what was going on for others is dropped."""
        if tuple(documents) != self._documents:
            self.end()
            self._documents = tuple(documents)
        self._hand(Compare(key, None if self._has_read else self._documents))
        self._has_read = True

    def count(self, page: int, members: Iterable[int]) -> None:
        """Ask on how many pages of a cluster the texts of one stand; after `compare` only."""
        if self._has_read:
            self._hand(Count(page, tuple(members)))

    def end(self) -> None:
        """End the process; it starts again when it is asked."""
        self._timer.stop()
        self._waiting, self._has_read = 0, False
        self._process.end(waits=False)

    def _hand(self, order: study.Order) -> None:
        self._waiting += 1
        self._process.hand(order)
        self._timer.start()

    def _look(self) -> None:
        try:
            for answer in self._process.answers():
                self._take(answer)
        except ProcessLost:
            self.end()
            self.failed.emit("the pages could not be compared: the process that did it has ended")
        if not self._waiting:
            self._timer.stop()

    def _take(self, answer: study.Answer) -> None:
        if isinstance(answer, Read):
            self.progressed.emit(answer.count)
            for problem in answer.problems:
                self.problem.emit(problem)
            return
        self._waiting -= 1
        if isinstance(answer, Overview):
            self.compared.emit(answer)
        elif isinstance(answer, Occurrences):
            self.counted.emit(answer)


class Thumbnailer(QObject):
    """Renders pages one after the other, those in sight first."""

    drawn = Signal(object)  # Drawn

    def __init__(self, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._process: Supervised[WantedThumbnail, Drawn] = Supervised(
            thumbnailer.serve, folder, most=100
        )
        self._documents: tuple[Document, ...] = ()
        self._wanted: list[int] = []  # pages in sight, and then the others
        self._done: set[int] = set()
        self._current = -1
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_MS)
        self._timer.timeout.connect(self._look)

    def set_documents(self, documents: Sequence[Document], known: Iterable[int] = ()) -> None:
        """Draw these pages from now on, without those whose picture is known."""
        self.end()
        self._documents, self._done = tuple(documents), set(known)

    def want(self, pages: Sequence[int]) -> None:
        """Draw these pages next."""
        self._wanted = [page for page in pages if page not in self._done]
        if self._wanted and self._current < 0:
            self._next()

    def end(self) -> None:
        """End the process; it starts again when something is wanted."""
        self._timer.stop()
        self._current, self._wanted = -1, []
        self._process.end(waits=False)

    def _next(self) -> None:
        self._current = -1
        while self._wanted:
            page = self._wanted.pop(0)
            if page not in self._done and not self._documents[page].is_live:
                self._current = page
                self._process.hand(WantedThumbnail(page, self._documents[page]))
                self._timer.start()
                return
        self._timer.stop()

    def _look(self) -> None:
        try:
            for answer in self._process.answers():
                self._take(answer)
                return
        except ProcessLost:
            self._give_up("rendering took down the process it ran in")
            return
        if self._process.seconds > _MOST_S:
            self._process.end(waits=False)
            self._give_up(f"rendering took more than {_MOST_S:g} s")

    def _give_up(self, why: str) -> None:
        self._take(Drawn(self._current, None, why))

    def _take(self, answer: Drawn) -> None:
        self._done.add(answer.page)
        self.drawn.emit(answer)
        self._next()
