"""Pictures of tiles, read and scaled to the tiles' size in the background."""

from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QObject, QSize, Signal
from PySide6.QtGui import QImage, QImageReader, QPixmap

from gui.widgets.jobs import Task

_MOST_HELD = 1500
"""Largest number of pictures in memory, some 40 kB each."""
_AT_ONCE = 6
"""Pictures read by one job: few, so that those scrolled past are not waited for."""


class TilePictures(QObject):
    """Returns pictures of pages in the size of the tiles, and reads missing ones."""

    arrived = Signal(list)  # pages whose picture is available now

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._size = QSize()
        self._pictures: OrderedDict[int, QPixmap] = OrderedDict()
        self._broken: set[int] = set()
        self._requested: dict[int, Path] = {}
        self._task = Task(self, in_line=True)

    def set_size(self, size: QSize) -> None:
        """Set the size of pictures, in screen pixels."""
        if size != self._size:
            self.forget()
            self._size = size

    def forget(self) -> None:
        """Drop all pictures: the pages have changed."""
        self._end()
        self._pictures.clear()
        self._broken.clear()

    def renew(self, page: int) -> None:
        """Drop the picture of a page: it was drawn again."""
        self._pictures.pop(page, None)
        self._broken.discard(page)

    def of(self, page: int) -> QPixmap | None:
        """Return the picture of a page, None if it is not read yet."""
        picture = self._pictures.get(page)
        if picture is not None:
            self._pictures.move_to_end(page)
        return picture

    def want(self, paths: Mapping[int, Path]) -> None:
        """Read the missing pictures of these pages, and drop other requests."""
        self._requested = {
            page: path
            for page, path in paths.items()
            if page not in self._pictures and page not in self._broken
        }
        self._next()

    def _next(self) -> None:
        if self._task.is_busy or not self._requested:
            return
        some, size = dict(list(self._requested.items())[:_AT_ONCE]), QSize(self._size)
        self._task.start(
            lambda: {page: _read(path, size) for page, path in some.items()}, self._on_read
        )

    def _on_read(self, images: dict[int, QImage]) -> None:
        for page, image in images.items():
            self._requested.pop(page, None)
            if image.isNull():
                self._broken.add(page)
                continue
            self._pictures[page] = QPixmap.fromImage(image)
            if len(self._pictures) > _MOST_HELD:
                self._pictures.popitem(last=False)
        self.arrived.emit(list(images))
        self._next()

    def _end(self) -> None:
        self._requested = {}
        self._task.cancel()


def _read(path: Path, size: QSize) -> QImage:
    reader = QImageReader(str(path))
    reader.setScaledSize(size)
    image = reader.read()
    return image.convertToFormat(QImage.Format.Format_RGB32) if not image.isNull() else image
