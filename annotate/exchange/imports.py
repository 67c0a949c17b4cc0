"""Marks of other tools brought onto pages: from annotations, or from boxes on pictures of them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from annotate.exchange import annotations, boxes
from annotate.exchange.drawn_boxes import PictureBox, marks_at, picture_stems
from annotate.exchange.marked_page import MarkedPage
from annotate.marks.anchor import Anchors
from annotate.marks.gold import Gold, Mark, MarkState
from annotate.marks.records import MarkRecord
from engine.document import Document
from engine.errors import InputError
from engine.page import Page

Boxes = Mapping[str, list[PictureBox]]

BOX_READERS: Mapping[str, Callable[[Path], Boxes]] = {
    "coco": boxes.read_coco,
    "labelme": boxes.read_labelme,
    "label-studio": boxes.read_label_studio,
}
"""Formats of boxes by key."""

KEYS = ("webannotation", *BOX_READERS)
"""The formats that are imported onto pages; the others are opened as data sets."""


_ODD = (LookupError, TypeError, ValueError, ArithmeticError, AttributeError, RecursionError)
"""What values of other kinds or sizes than expected raise, wherever in a file they stand."""


@dataclass(frozen=True)
class Imported:
    """What came of one page.

    Attributes:
        gold: The marks that were found; those not quite where they were are so marked.
        problems: A sentence for each that was not found.
        by_path, by_box: Of boxes, how many stand where a node's path, or the box alone, leads.
    """

    gold: Gold
    problems: tuple[str, ...]
    by_path: int = 0
    by_box: int = 0


class MarkFile:
    """A file of another tool's marks, asked page by page; `InputError` says what is wrong with it.

    Args:
        path: The file.
        key: Its format, one of `KEYS`.
    """

    def __init__(self, path: Path, key: str) -> None:
        self._records: dict[str, list[MarkRecord]] = {}
        self._boxes: Boxes = {}
        try:
            if key == "webannotation":
                self._records = annotations.read(path)
            else:
                self._boxes = BOX_READERS[key](path)
        except _ODD as error:
            raise InputError(f"{path.name} is damaged: {type(error).__name__}: {error}") from None
        boxes = [drawn.box for each in self._boxes.values() for drawn in each]
        if not np.isfinite(np.array(boxes, dtype=float)).all():
            raise InputError(f"{path.name} is damaged: a box in it is infinitely large")

    @property
    def names(self) -> Sequence[str]:
        return (*self._records, *self._boxes)

    def name_of(self, name: str, document: Document) -> str | None:
        """Return what a page is called in the file; None if the file has no such page."""
        marked = MarkedPage(name, document, Page(document.address), Gold())
        known = {document.address, document.home, document.url, name, marked.identifier} - {""}
        for result in self.names:
            if result in known:
                return result
        if not self._boxes:
            return None
        stems = {result: picture_stems(result) for result in self.names}
        for position in (0, 1):
            for result, each in stems.items():
                if each[position : position + 1] == (marked.stem,):
                    return result
        return None

    def marks(self, name: str, page: Page) -> Imported:
        """Return the marks of a page, by its name in the file, on the rendered page."""
        if name in self._records:
            anchors = Anchors(page.rendered())
            result = [anchors.find(record) for record in self._records[name]]
            lost = [mark for mark in result if mark.state is MarkState.LOST]
            return Imported(Gold(tuple(result)), tuple(map(_lost, lost)))
        placed = marks_at(page.rendered(), self._boxes[name], page.viewport)
        return Imported(Gold(placed.marks), placed.problems, placed.by_path, placed.by_box)


def _lost(mark: Mark) -> str:
    quote = mark.quote if len(mark.quote) <= 60 else f"{mark.quote[:59]}…"
    return f'not found on the page: "{quote}"'
