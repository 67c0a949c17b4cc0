"""Slides as files: one PDF, or a picture each."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QPoint, QSize, QSizeF
from PySide6.QtGui import QImage, QPageLayout, QPageSize, QPainter, QPdfWriter, QPicture
from PySide6.QtWidgets import QWidget

from engine.bounded_file import atomic_write
from engine.errors import InputError

_DPI, _POINTS = 96, 72
"""CSS px per inch, and points: a page of the PDF is as large as the slide on screen."""


@dataclass(frozen=True, eq=False)
class Shot:
    """Slide as shown: the page, and the text below it."""

    page: QImage
    words: QPicture
    words_size: QSize

    @property
    def size(self) -> QSize:
        """Size in points of the screen."""
        page = self.page.deviceIndependentSize().toSize()
        return QSize(page.width(), page.height() + self.words_size.height())


def shot_of(page: QWidget, words: QWidget) -> Shot:
    """Return a shot of two widgets, one below the other."""
    drawn = QPicture()
    painter = QPainter(drawn)
    words.render(painter, QPoint(0, 0))
    painter.end()
    return Shot(page.grab().toImage(), drawn, words.size())


def write_slides(path: Path, shots: Sequence[Shot]) -> tuple[Path, ...]:
    """Write slides; return the files.

    Args:
        path: ``talk.pdf`` for one file; ``talk.png`` for ``talk-01.png``, ``talk-02.png``, …
        shots: The slides.

    Raises:
        InputError: Nothing can be written there.
    """
    if path.suffix.lower() == ".pdf":
        _write(path, _as_pdf(shots))
        return (path,)
    digits = max(2, len(str(len(shots))))
    paths = []
    for number, shot in enumerate(shots, 1):
        paths.append(path.with_name(f"{path.stem}-{number:0{digits}}{path.suffix or '.png'}"))
        _write(paths[-1], _as_picture(shot, paths[-1]))
    return tuple(paths)


def _as_picture(shot: Shot, path: Path) -> bytes:
    ratio = shot.page.devicePixelRatio()
    image = QImage(shot.size * ratio, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    painter = QPainter(image)
    _draw(painter, shot)
    painter.end()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    kind = path.suffix.lstrip(".").upper()
    if not image.save(buffer, kind):  # type: ignore[call-overload]
        raise InputError(f"cannot write {path}: pictures are PNG, JPEG or WebP, or all one PDF")
    return bytes(buffer.data().data())


def _as_pdf(shots: Sequence[Shot]) -> bytes:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setResolution(_DPI)
    writer.setPageMargins(QMarginsF())
    painter = QPainter()
    for number, shot in enumerate(shots):
        size = QSizeF(shot.size) * (_POINTS / _DPI)
        layout = QPageLayout(
            QPageSize(size, QPageSize.Unit.Point, "", QPageSize.SizeMatchPolicy.ExactMatch),
            QPageLayout.Orientation.Portrait,
            QMarginsF(),
        )
        writer.setPageLayout(layout)
        if number == 0:
            painter.begin(writer)
        else:
            writer.newPage()
        _draw(painter, shot)
    painter.end()
    return bytes(buffer.data().data())


def _draw(painter: QPainter, shot: Shot) -> None:
    painter.drawImage(QPoint(0, 0), shot.page)
    below = shot.size.height() - shot.words_size.height()
    painter.drawPicture(QPoint(0, below), shot.words)


def _write(path: Path, data: bytes) -> None:
    with atomic_write(path) as beside:
        beside.write_bytes(data)
