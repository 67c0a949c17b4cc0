"""Things drawn over a landscape with a pen: boats, lamps, birds; and saving pictures."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from landscape import Array
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QLinearGradient, QPainter, QPen, QPolygonF

Drawing = Callable[[QPainter, int, int], None]


def as_image(picture: Array) -> QImage:
    """Return the picture (height, width, 3), values 0 to 1, as an image."""
    pixels = np.ascontiguousarray((np.clip(picture, 0, 1) * 255 + 0.5).astype(np.uint8))
    height, width = pixels.shape[:2]
    kind = QImage.Format.Format_RGB888
    return QImage(pixels.data, width, height, width * 3, kind).copy()


def save(picture: Array, path: Path, over: Drawing | None = None, quality: int = 88) -> None:
    """Write the picture, with a drawing over it, at the best quality that stays under 60 kB."""
    image = as_image(picture)
    if over is not None:
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        over(painter, image.width(), image.height())
        painter.end()
    path.parent.mkdir(parents=True, exist_ok=True)
    while True:
        if not image.save(str(path), quality=quality):
            raise OSError(f"cannot write {path}")
        if path.stat().st_size <= 60_000 or quality <= 30:
            return
        quality -= 4


def _polygon(painter: QPainter, points: list[tuple[float, float]]) -> None:
    painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in points]))


def ferry(x: float, y: float, size: float) -> Drawing:
    """Return a small double-ended car ferry, seen from the side, its waterline at (x, y)."""

    def draw(painter: QPainter, width: int, height: int) -> None:
        painter.save()
        painter.translate(x * width, y * height)
        painter.scale(size * width / 100, size * width / 100)
        painter.setPen(Qt.PenStyle.NoPen)
        shade = QLinearGradient(0, 0, 0, 16)
        shade.setColorAt(0, QColor(14, 16, 22, 170))
        shade.setColorAt(1, QColor(14, 16, 22, 0))
        painter.setBrush(QBrush(shade))
        painter.drawEllipse(QRectF(-52, -3, 104, 17))
        hull = QLinearGradient(0, -9, 0, 0)
        hull.setColorAt(0, QColor(38, 58, 74))
        hull.setColorAt(1, QColor(16, 24, 32))
        painter.setBrush(QBrush(hull))
        _polygon(painter, [(-54, -11), (-48, -9), (48, -9), (54, -11), (47, 0), (-47, 0)])
        painter.setBrush(QColor(222, 214, 198))
        _polygon(painter, [(-40, -9), (-40, -14), (40, -14), (40, -9)])
        _polygon(painter, [(-17, -14), (-15, -23), (15, -23), (17, -14)])
        painter.setBrush(QColor(196, 186, 168))
        _polygon(painter, [(-9, -23), (-8, -31), (8, -31), (9, -23)])
        painter.setBrush(QColor(34, 40, 50))
        for i in range(5):
            painter.drawRect(QRectF(-13 + i * 5.4, -20.5, 3.6, 3.2))
        painter.drawRect(QRectF(-7, -29.5, 14, 3.4))
        painter.setBrush(QColor(178, 62, 40))
        painter.drawRect(QRectF(-40, -10, 80, 1.1))
        painter.setPen(QPen(QColor(30, 34, 40), 0.7))
        painter.drawLine(QPointF(0, -31), QPointF(0, -44))
        painter.drawLine(QPointF(-5, -39), QPointF(5, -39))
        for i in range(-40, 41, 5):
            painter.drawLine(QPointF(i, -14), QPointF(i, -17))
        painter.drawLine(QPointF(-40, -17), QPointF(-17, -17))
        painter.drawLine(QPointF(17, -17), QPointF(40, -17))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(255, 226, 160))
        painter.drawEllipse(QPointF(0, -44), 1.2, 1.2)
        painter.setBrush(QColor(255, 255, 255, 70))
        _polygon(painter, [(47, 0), (78, 1.6), (47, 2.2)])
        _polygon(painter, [(-47, 0), (-64, 1.2), (-47, 1.8)])
        painter.restore()

    return draw


def lighthouse(x: float, y: float, size: float) -> Drawing:
    """Return a lighthouse with its lamp lit, its foot at (x, y)."""

    def draw(painter: QPainter, width: int, height: int) -> None:
        painter.save()
        painter.translate(x * width, y * height)
        painter.scale(size * height / 100, size * height / 100)
        painter.setPen(Qt.PenStyle.NoPen)
        tower = QLinearGradient(-10, 0, 10, 0)
        tower.setColorAt(0, QColor(238, 226, 206))
        tower.setColorAt(0.45, QColor(206, 194, 178))
        tower.setColorAt(1, QColor(92, 86, 88))
        painter.setBrush(QBrush(tower))
        _polygon(painter, [(-10, 0), (-6.4, -74), (6.4, -74), (10, 0)])
        painter.setBrush(QColor(150, 50, 40, 215))
        _polygon(painter, [(-8.9, -23), (-8, -42), (8, -42), (8.9, -23)])
        painter.setBrush(QColor(46, 44, 48))
        painter.drawRect(QRectF(-9, -77, 18, 3))
        _polygon(painter, [(-6, -89), (0, -99), (6, -89)])
        painter.setBrush(QColor(255, 232, 164))
        painter.drawRect(QRectF(-4.6, -89, 9.2, 12))
        painter.setBrush(QColor(255, 226, 150, 46))
        painter.drawEllipse(QPointF(0, -83), 22, 22)
        painter.drawEllipse(QPointF(0, -83), 12, 12)
        painter.setBrush(QColor(214, 206, 194))
        _polygon(painter, [(9, 0), (9, -12), (17, -17), (26, -12), (26, 0)])
        painter.setBrush(QColor(96, 62, 50))
        _polygon(painter, [(8, -12), (17, -18), (27, -12)])
        painter.restore()

    return draw


def birds(*places: tuple[float, float, float]) -> Drawing:
    """Return gulls at (x, y, size)."""

    def draw(painter: QPainter, width: int, height: int) -> None:
        for x, y, size in places:
            s = size * width
            px, py = x * width, y * height
            painter.setPen(QPen(QColor(24, 24, 30, 210), max(1.0, s * 0.11)))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawArc(QRectF(px - s, py - s * 0.4, s, s), 30 * 16, 110 * 16)
            painter.drawArc(QRectF(px, py - s * 0.4, s, s), 40 * 16, 110 * 16)

    return draw


def both(*drawings: Drawing) -> Drawing:
    """Return the drawings one over the other."""

    def draw(painter: QPainter, width: int, height: int) -> None:
        for drawing in drawings:
            drawing(painter, width, height)

    return draw
