"""Which marks to confirm have been in view: those that one key may confirm, wherever they are."""

from PySide6.QtCore import QEvent, QObject

from annotate.marks.drafts import unsure
from annotate.marks.fit import shown_rects
from annotate.marks.gold import Mark
from gui.core.marks_in_view import by_view
from gui.core.workbench import Workbench
from gui.widgets.events import debounce, until_collected

REST_MS = 400
"""How long the page must stand still, on screen: what rushes past is not seen."""


class SeenMarks(QObject):
    """Marks to confirm that have been in view, at rest and drawn, as they are now.

    A mark that has changed since, such as a draft with another type, must be seen again.
    """

    def __init__(self, workbench: Workbench, parent: QObject) -> None:
        super().__init__(parent)
        session, canvas, drawing = workbench.session, workbench.canvas, workbench.drawing
        self._open, self._drawing, self._canvas = session.open, drawing, canvas
        self._main_area = workbench.main_area
        self._seen: set[Mark] = set()
        self._awaits_paint = False
        self._rest = debounce(self, REST_MS, self.note)
        canvas.page_moved.connect(self._rest.start)
        session.open.gold_changed.connect(self._on_change)
        drawing.redrawn.connect(self._on_change)
        session.open.page_changed.connect(self._seen.clear)
        session.open.page_changed.connect(self._rest.start)
        workbench.main_area.switched.connect(self._rest.start)
        for widget in (canvas, canvas.cover):
            widget.installEventFilter(self)

    def stop(self) -> None:
        """Note no more: the page closes."""
        self._rest.stop()
        self._rest.blockSignals(True)

    @property
    def rests(self) -> bool:
        """Whether the page stands still, and what is in view has been noted."""
        return not self._rest.isActive() and not self._awaits_paint

    @property
    def _is_seen(self) -> bool:
        area = self._main_area
        return self._canvas.is_seen and not area.is_covered and not area.names

    def note(self) -> None:
        """Note what is in view, or do so after it has been on screen for a while."""
        if not self._is_seen:
            return  # it starts again with what lies over the page
        if self._canvas.is_painted:
            self._seen.update(self._in_view())
        elif not self._awaits_paint:
            self._awaits_paint = True
            self._canvas.once_painted(self._on_painted)

    def asked(self) -> tuple[Mark, ...]:
        """Return the marks to confirm that are drawn, in document order."""
        return self._drawing.drawn(unsure(self._open.gold))

    def marks(self) -> tuple[Mark, ...]:
        """Return those of them that were or are in view."""
        seen = self._seen.union(self._in_view())
        return tuple(mark for mark in self.asked() if mark in seen)

    def _in_view(self) -> tuple[Mark, ...]:
        page, canvas, marks = self._open.page, self._canvas, self.asked()
        if page is None or not marks or not self._is_seen:
            return ()
        nodes = page.rendered()
        sizes = shown_rects(nodes)[:, 2:].max(axis=1)
        boxed = [m for m in marks if any(sizes[target.row] > 0 for target in m.targets)]
        return by_view(boxed, nodes, canvas.seen, canvas.page_height).inside

    def _on_change(self) -> None:
        if not self._rest.isActive():  # frequent changes do not postpone it
            self._rest.start()

    def _on_painted(self) -> None:
        self._awaits_paint = False
        self._rest.start()

    @until_collected
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Begin anew when the page comes into sight."""
        shows = QEvent.Type.Show if watched is self._canvas else QEvent.Type.Hide
        if event.type() == shows:
            self._rest.start()
        return super().eventFilter(watched, event)
