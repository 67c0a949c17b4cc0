"""Which marks to confirm have been in view: those that one key may confirm, wherever they are."""

from PySide6.QtCore import QObject

from annotate.marks.drafts import unsure
from annotate.marks.gold import Mark
from gui.core.marks_in_view import by_view
from gui.page.canvas import PageCanvas
from gui.state.session import Session
from gui.widgets.events import debounce

REST_MS = 400
"""How long the page must stand still: what rushes past is not seen."""


class SeenMarks(QObject):
    """Marks to confirm that have been in view, at rest, as they are now.

    A mark that has changed since, such as a draft with another type, must be seen again.
    """

    def __init__(self, session: Session, canvas: PageCanvas, parent: QObject) -> None:
        super().__init__(parent)
        self._open, self._layers, self._canvas = session.open, session.layers, canvas
        self._seen: set[Mark] = set()
        self._rest = debounce(self, REST_MS, self.note)
        canvas.page_moved.connect(self._rest.start)
        session.open.gold_changed.connect(self._on_change)
        session.open.page_changed.connect(self._seen.clear)
        session.open.page_changed.connect(self._rest.start)

    def stop(self) -> None:
        """Note no more: the page closes."""
        self._rest.stop()

    @property
    def rests(self) -> bool:
        """Whether the page stands still, and what is in view has been noted."""
        return not self._rest.isActive()

    def note(self) -> None:
        """Note what is in view."""
        self._seen.update(self._in_view())

    def asked(self) -> tuple[Mark, ...]:
        """Return the marks to confirm in document order, but for weak drafts that are not drawn."""
        marks, draws_weak = unsure(self._open.gold), self._layers.draws_weak
        return tuple(m for m in marks if draws_weak or not m.is_weak)

    def marks(self) -> tuple[Mark, ...]:
        """Return those of them that were or are in view."""
        seen = self._seen.union(self._in_view())
        return tuple(mark for mark in self.asked() if mark in seen)

    def _in_view(self) -> tuple[Mark, ...]:
        page, canvas, marks = self._open.page, self._canvas, self.asked()
        if page is None or not marks:
            return ()
        return by_view(marks, page.rendered(), canvas.seen, canvas.page_height).inside

    def _on_change(self) -> None:
        if not self._rest.isActive():  # frequent changes do not postpone it
            self._rest.start()
