"""Export of the current view, the page with its layers, and its marks."""

import re
from functools import partial
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

from PySide6.QtCore import QObject

from annotate.marks import gold_file
from annotate.workspace.guideline_versions import mark_versions
from annotate.workspace.stored_guideline import refs_of
from annotate.workspace.workspace import page_key
from engine.document import Document
from engine.words import plural
from gui.core.workbench import Workbench
from gui.pictures.page_drawing import PageDrawing, drawing_of, measuring
from gui.pictures.page_files import KINDS, kind_of, save
from gui.state.shown_scores import headline
from gui.widgets.jobs import JobLine

_FIRST = ("index", "default", "home")
"""Names of start pages: their folder is more specific."""


class PageExport(QObject):
    """Export of the page as drawn: with its visible layers, or with the errors in their place."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._workbench = workbench
        self._session, self._canvas = workbench.session, workbench.canvas
        self._line = JobLine(self)

    def ask_picture(self) -> None:
        """Ask where to save a picture of the current view, and in which format."""
        main_area, title = self._workbench.main_area, "Save a picture of the page"
        kinds, name = main_area.current.picture_kinds or ("png",), self._page_name()
        main_area.files.save(
            title, "Pictures", kinds, lambda path: main_area.current.save_picture(path),
            f"{name}.{kinds[0]}",
        )  # fmt: skip

    def ask_page(self) -> None:
        """Ask where to save the page with its layers, and in which format."""
        name = f"{self._page_name()}-layers.{KINDS[0]}"  # never that of the page itself
        files = self._workbench.main_area.files
        files.save("Save the page with its layers", "Pages", KINDS, self.save, name)

    def ask_gold(self) -> None:
        """Ask where to save the marks; beside the page they are read with it next time."""
        document = self._session.open.document
        if document is None:
            return
        beside = Path(document.path or document.name)
        gold = gold_file.gold_path(document.root / beside if document.root else beside)
        name = str(document.root / beside.parent / gold.name) if document.root else gold.name
        title, files = "Save the marks of the page", self._workbench.main_area.files
        files.save(title, "Gold files", ("gold.json",), self.save_gold, name)

    def save_gold(self, path: str) -> None:
        """Write the page's marks to a gold file, such as the one that may lie beside the page."""
        session, messages = self._session, self._session.messages
        if (page := session.open.page) is not None:
            gold = session.open.gold
            with messages.errors():
                workspace, document = self._workbench.workspace, session.open.document
                versions = mark_versions(workspace, page_key(document)) if document else {}
                gold_file.write(Path(path), page, gold, None, refs_of(workspace)[0], versions)
                messages.say(f"saved {plural(len(gold.marks), 'mark')} in {Path(path).name}")

    def _page_name(self) -> str:
        document = self._session.open.document
        return file_name(document) if document is not None else "page"

    def save(self, path: str) -> None:
        """Write the page and its layers to a file, in the format of its suffix."""
        if self._session.open.page is None:
            return
        target = Path(path)

        def told(answer: Exception | None) -> None:
            self._session.messages.say(f"saved {target.name}" if answer is None else str(answer))

        with self._session.messages.errors():
            kind_of(target)
            self._line.start(partial(save, self._drawing(), target), told)

    def _drawing(self) -> PageDrawing:
        layers, specs = self._session.layers, self._canvas.drawn
        page, document = self._session.open.page, self._session.open.document
        assert page is not None
        assert document is not None
        image, shapes = self._canvas.whole_picture(measuring(specs))
        names = {layer.key: (layer.legend_name, self._note(layer.key)) for layer in layers.all}
        return drawing_of(image, specs, shapes, names, page.title, source_of(document))

    def _note(self, key: str) -> str:
        layers = self._session.layers
        scores, outcome = layers.scores.get(key), layers.outcomes.get(key)
        if scores is None or outcome is None:
            return ""
        seen = ", gold seen" if key in layers.gold_seen else ""
        return f"F1 {headline(scores, 0, outcome.result).prf.f1:.3f}{seen}"


def source_of(document: Document) -> str:
    """Return the origin of a page for others: its address on the web, else the file's name."""
    return document.home or (document.url if document.is_live else Path(document.address).name)


def file_name(document: Document) -> str:
    """Return a file name for exports of a page, without suffix."""
    address, is_live = urlsplit(document.url), document.is_live
    path = PurePosixPath(unquote(address.path) if is_live else document.path or document.name)
    names = [path.stem, path.parent.name, (address.hostname or "") if is_live else ""]
    result = [name for name in names if name.strip("/") and name.lower() not in _FIRST]
    return re.sub(r"[^\w.-]+", "-", (result or ["page"])[0]).strip("-.")[:80] or "page"
