"""The page as the window draws it into a file: HTML, PNG, SVG or PDF."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject

from engine.document import Document
from engine.errors import PageletError
from gui.page.canvas import PageCanvas
from gui.pictures.page_drawing import PageDrawing, drawing_of, measuring
from gui.pictures.saving import kind_of, save
from gui.state.session import Session
from gui.state.shown_scores import headline
from gui.widgets.jobs import Job


class PageExport(QObject):
    """Saves what is drawn: the layers switched on, or the errors where those are shown."""

    def __init__(self, session: Session, canvas: PageCanvas, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._canvas = session, canvas

    def save(self, path: str) -> None:
        """Write the page and its layers to a file; its ending says which kind it is."""
        if self._session.page is None:
            return
        place = Path(path)
        try:
            kind_of(place)
            drawing = self._drawing()
        except PageletError as error:
            self._session.say(str(error))
            return
        job = Job(partial(save, drawing, place), self)
        job.done.connect(lambda _: self._session.say(f"saved {place.name}"))
        job.failed.connect(lambda error: self._session.say(str(error)))
        job.start()

    def _drawing(self) -> PageDrawing:
        session = self._session
        page, document = session.page, session.document
        assert page is not None
        assert document is not None
        specs = self._canvas.drawn
        image, shapes = self._canvas.whole_picture(measuring(specs))
        names = {layer.key: (layer.legend_name, self._note(layer.key)) for layer in session.layers}
        return drawing_of(image, specs, shapes, names, page.title, source_of(document))

    def _note(self, key: str) -> str:
        scores, outcome = self._session.scores.get(key), self._session.outcomes.get(key)
        if scores is None or outcome is None:
            return ""
        return f"F1 {headline(scores, 0, outcome.result).prf.f1:.3f}"


def source_of(document: Document) -> str:
    """Return where a page is from, for others: its address on the web, else the file's name."""
    return document.home or (document.url if document.is_live else Path(document.address).name)
