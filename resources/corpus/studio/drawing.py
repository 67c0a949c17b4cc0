"""Things drawn over a landscape with a pen: boats, lamps, birds; and saving pictures."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QImage,
    QLinearGradient,
    QPainter,
    QPen,
    QPolygonF,
    QRadialGradient,
)

from resources.corpus.studio.landscape import Array

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


def _glow(painter: QPainter, at: QPointF, radius: float, colour: QColor) -> None:
    """Paint a light with its halo."""
    halo = QRadialGradient(at, radius)
    for place, alpha in ((0.0, 255), (0.1, 240), (0.2, 110), (0.45, 38), (1.0, 0)):
        shade = QColor(colour)
        shade.setAlpha(alpha)
        halo.setColorAt(place, shade)
    painter.setBrush(QBrush(halo))
    painter.drawEllipse(at, radius, radius)


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
        _glow(painter, QPointF(0, -83), 24, QColor(255, 226, 150))
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


def comet(x: float, y: float, length: float, angle: float) -> Drawing:
    """Return a comet with its head at (x, y) and two tails, `angle` in degrees from the right."""

    def draw(painter: QPainter, width: int, height: int) -> None:
        painter.save()
        painter.translate(x * width, y * height)
        painter.rotate(-angle)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Screen)
        reach = length * width
        for step in range(60):  # many thin wedges make a soft dust tail
            share = step / 59
            glow = QLinearGradient(0, 0, reach * (1 - 0.25 * share), 0)
            strength = int(13 * (1 - abs(share - 0.45)) ** 2) + 1
            glow.setColorAt(0, QColor(255, 236, 204, strength * 3))
            glow.setColorAt(0.35, QColor(255, 226, 190, strength))
            glow.setColorAt(1, QColor(255, 220, 180, 0))
            painter.setBrush(QBrush(glow))
            bend = (share - 0.5) * reach * 0.3 - reach * 0.07
            _polygon(painter, [(0, -2), (reach, bend - 9), (reach, bend + 9), (0, 2)])
        ion = QLinearGradient(0, 0, reach * 1.15, 0)
        ion.setColorAt(0, QColor(150, 196, 255, 130))
        ion.setColorAt(1, QColor(120, 170, 255, 0))
        painter.setBrush(QBrush(ion))
        rise = reach * 0.17
        _polygon(painter, [(0, -1.5), (reach * 1.15, rise - 3), (reach * 1.15, rise + 3), (0, 1.5)])
        _glow(painter, QPointF(0, 0), 26 * width / 900, QColor(246, 248, 240))
        painter.restore()

    return draw


def dome(x: float, y: float, size: float) -> Drawing:
    """Return an observatory by night, its slit open and a lamp over the door."""

    def draw(painter: QPainter, width: int, height: int) -> None:
        painter.save()
        painter.translate(x * width, y * height)
        painter.scale(size * height / 100, size * height / 100)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(7, 8, 12))
        hill = [(t * 12.0, 2 + abs(t) ** 1.5 * 0.9 + 1.6 * (t % 3 == 0)) for t in range(-60, 61)]
        _polygon(painter, [(-900, 600), *hill, (900, 600)])
        shell = QLinearGradient(-46, 0, 46, 0)
        shell.setColorAt(0, QColor(112, 122, 146))
        shell.setColorAt(0.4, QColor(58, 66, 86))
        shell.setColorAt(1, QColor(18, 22, 32))
        painter.setBrush(QBrush(shell))
        painter.drawPie(QRectF(-46, -92, 92, 92), 0, 180 * 16)
        painter.setBrush(QColor(9, 11, 18))
        _polygon(painter, [(2, -92), (18, -88), (20, -46), (8, -46)])
        painter.setBrush(QColor(150, 64, 44))
        _polygon(painter, [(9, -50), (14, -74), (18, -73), (15, -50)])
        painter.setBrush(QBrush(shell))
        painter.drawRect(QRectF(-42, -46, 84, 48))
        painter.setBrush(QColor(10, 13, 20, 120))
        painter.drawRect(QRectF(-48, -48, 96, 5))
        painter.setBrush(QColor(14, 15, 20))
        painter.drawRect(QRectF(-14, -24, 15, 26))
        _glow(painter, QPointF(-6.5, -29), 30, QColor(255, 96, 64))
        painter.restore()

    return draw


def tram(x: float, y: float, size: float) -> Drawing:
    """Return a narrow-gauge diesel engine with two tipping lorries, on its track."""

    def draw(painter: QPainter, width: int, height: int) -> None:
        painter.save()
        painter.translate(x * width, y * height)
        painter.scale(size * width / 100, size * width / 100)
        painter.setPen(Qt.PenStyle.NoPen)
        bank = QLinearGradient(0, 0, 0, 40)
        bank.setColorAt(0, QColor(116, 106, 84))
        bank.setColorAt(0.25, QColor(74, 84, 44))
        bank.setColorAt(1, QColor(50, 62, 30))
        painter.setBrush(QBrush(bank))
        _polygon(painter, [(-200, 3), (200, 3), (200, 120), (-200, 120)])
        painter.setBrush(QColor(66, 48, 34))
        for i in range(-200, 200, 5):
            painter.drawRect(QRectF(i, 2.6, 2.6, 1.8))
        painter.setBrush(QColor(120, 112, 108))
        painter.drawRect(QRectF(-200, 1.4, 400, 1.2))
        painter.setBrush(QColor(30, 30, 34))
        painter.drawRect(QRectF(-44, -6, 38, 3))
        painter.drawRect(QRectF(4, -5, 34, 2))
        painter.drawRect(QRectF(44, -5, 34, 2))
        body = QLinearGradient(0, -26, 0, -6)
        body.setColorAt(0, QColor(222, 176, 60))
        body.setColorAt(1, QColor(150, 98, 22))
        painter.setBrush(QBrush(body))
        _polygon(painter, [(-42, -6), (-42, -17), (-24, -17), (-24, -6)])
        _polygon(painter, [(-24, -6), (-24, -27), (-8, -27), (-8, -6)])
        painter.setBrush(QColor(56, 60, 62))
        _polygon(painter, [(-26, -27), (-25, -29), (-7, -29), (-6, -27)])
        painter.setBrush(QColor(160, 198, 210))
        painter.drawRect(QRectF(-22, -24.5, 5, 6))
        painter.drawRect(QRectF(-15, -24.5, 5, 6))
        painter.setBrush(QColor(40, 40, 42))
        painter.drawRect(QRectF(-35, -22, 2, 5))
        for i in range(4):
            painter.drawRect(QRectF(-40, -15 + i * 2, 8, 0.8))
        painter.setBrush(QColor(255, 244, 190))
        painter.drawEllipse(QPointF(-42, -13), 1.4, 1.4)
        for place in (4, 44):
            rust = QLinearGradient(place, -20, place + 34, -6)
            rust.setColorAt(0, QColor(150, 84, 56))
            rust.setColorAt(1, QColor(84, 44, 30))
            painter.setBrush(QBrush(rust))
            _polygon(painter, [(place, -18), (place + 34, -18), (place + 25, -6), (place + 9, -6)])
            painter.setBrush(QColor(96, 90, 80))
            _polygon(
                painter, [(place + 4, -18), (place + 12, -22), (place + 22, -21), (place + 31, -18)]
            )
        painter.setBrush(QColor(20, 20, 22))
        for place in (-37, -13, 11, 31, 51, 71):
            painter.drawEllipse(QPointF(place, -1), 3.2, 3.2)
        painter.setBrush(QColor(130, 126, 120))
        for place in (-37, -13, 11, 31, 51, 71):
            painter.drawEllipse(QPointF(place, -1), 1.2, 1.2)
        painter.restore()

    return draw
