"""Drawing of the page in 3-D: one affine map, and one call, for the plates of a level.

Every pixel of the page is visible on one plate only, that of the topmost element: a plate and its
walls hide the area below. So all plates are drawn from one texture, the picture of the page, into
which colours and edges are painted once.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QPen, QPolygonF, QTransform

from engine.tree import Bools, Doubles, Ints
from gui.plugins.view_3d.scene import Projection, Scene

TINT = 0.42
"""Opacity of a plate's colour over its picture: text stays readable."""

WALL_SHARES = (0.62, 0.46)
"""Lightness of walls facing forward, and to a side, relative to the plate's colour."""

UNTINTED = "#aeb4c0"
"""Walls of plates without a colour."""


@dataclass(frozen=True, eq=False)
class Paint:
    """Colours of a scene's plates.

    Attributes:
        colors: ``#rrggbb``, distinct.
        of_plate: int32 (p,). Index into `colors`; -1 for none.
    """

    colors: tuple[str, ...]
    of_plate: Ints


@dataclass(frozen=True, eq=False)
class Texture:
    """Picture of the page with the colours of its plates, in three sizes."""

    image: QImage

    @cached_property
    def half(self) -> QImage:
        """Texture of half the width and height."""
        return _smaller(self.image)

    @cached_property
    def quarter(self) -> QImage:
        """Texture of a quarter of the width and height."""
        return _smaller(self.half)

    def for_zoom(self, zoom: float) -> tuple[QImage, float]:
        """Return the picture for a zoom, and the number of CSS px per px in it."""
        if zoom > 0.6:
            return self.image, 1.0
        return (self.half, 2.0) if zoom > 0.28 else (self.quarter, 4.0)


def _smaller(image: QImage) -> QImage:
    return image.scaled(
        max(1, image.width() // 2),
        max(1, image.height() // 2),
        Qt.AspectRatioMode.IgnoreAspectRatio,
        Qt.TransformationMode.SmoothTransformation,
    )


def draw_textures(picture: QImage, scene: Scene, paint: Paint) -> Texture:
    """Return the page's picture with each plate's colour and edge on it.  Some 10 ms."""
    width, height = scene.size
    image = QImage(max(1, width), max(1, height), QImage.Format.Format_RGB32)
    image.fill(QColor("#ffffff"))
    painter = QPainter(image)
    painter.drawImage(0, 0, picture)
    inks = [QColor(color) for color in paint.colors]
    for ink in inks:
        ink.setAlphaF(TINT)
    edge = QColor(0, 0, 0, 44)
    for index, box in enumerate(scene.boxes.tolist()):
        rect = QRectF(box[0], box[1], box[2] - box[0], box[3] - box[1])
        color = int(paint.of_plate[index])
        if color >= 0:
            painter.drawImage(rect, picture, rect)  # without the colours below
            painter.fillRect(rect, inks[color])
        painter.setPen(QPen(edge, 1))
        painter.drawRect(rect.adjusted(0, 0, -1, -1))
    painter.end()
    return Texture(image)


def draw(
    painter: QPainter,
    scene: Scene,
    projection: Projection,
    texture: Texture,
    paint: Paint,
    *,
    is_fine: bool,
) -> None:
    """Draw a scene; ``is_fine`` smooths edges and pictures, if nothing moves."""
    hint = QPainter.RenderHint
    painter.save()
    painter.setRenderHint(hint.SmoothPixmapTransform, is_fine)
    painter.setRenderHint(hint.Antialiasing, False)
    painter.setPen(Qt.PenStyle.NoPen)
    image, scale = texture.for_zoom(projection.camera.zoom)
    brush = QBrush(image)
    brush.setTransform(QTransform.fromScale(scale, scale))
    walled = _in_view(scene.boxes, scene.level, projection)
    sizes = [part.stop - part.start for part in scene.piece_slices]
    piece_level = np.repeat(np.arange(scene.top + 1), sizes)
    bare = _in_view(scene.pieces, piece_level, projection)
    walls = [Walls(projection, side) for side in (0, 1)]
    for level, (part, piece) in enumerate(zip(scene.slices, scene.piece_slices, strict=True)):
        if level:
            chosen = np.flatnonzero(walled[part]).astype(np.int32)
            if is_fine:
                order = scene.far_to_near(level, (walls[1].faces, walls[0].faces))
                chosen = order[walled[part][order]]
            groups = chosen[:, None] if is_fine else (chosen,)
            for group in groups:
                boxes, colors = scene.boxes[part][group], paint.of_plate[part][group]
                for wall in walls:
                    for color, rects, way in wall.rects(level, boxes, colors, paint.colors):
                        painter.setTransform(way)
                        painter.setBrush(QColor(color))
                        painter.drawRects(_rects(rects))
        painter.setTransform(map_of(projection.camera.base, origin_of(projection, level)))
        painter.setBrush(brush)
        painter.drawRects(_rects(scene.pieces[piece][bare[piece]]))
    painter.restore()


def outline(scene: Scene, projection: Projection, index: int) -> QPolygonF:
    """Return the edge of a plate as drawn."""
    left, top, right, bottom = scene.boxes[index].tolist()
    level = int(scene.level[index])
    corners = ((left, top), (right, top), (right, bottom), (left, bottom), (left, top))
    return QPolygonF([QPointF(*projection.seen(x, y, level)) for x, y in corners])


class Walls:
    """Walls along one direction of the page: also rectangles, in a sheared map."""

    def __init__(self, projection: Projection, side: int) -> None:
        """Create walls along x (``side`` 0; they face up or down the page) or along y (1)."""
        self._projection, self._side = projection, side
        base, rise = projection.camera.base, projection.camera.rise
        towards = base[1]  # gain in nearness per px to the right, and per px down
        self.faces = 1 if towards[1 - side] > 0 else -1
        self._along = base[:, side]
        across = base[:, 1 - side]
        area = self._along[0] * rise[1] - self._along[1] * rise[0]
        self.is_seen = abs(area) > 1e-6 and abs(towards[1 - side]) > 1e-9
        if self.is_seen:
            basis = np.column_stack([self._along, rise])
            self._shear, self._climb = np.linalg.solve(basis, across)

    def rects(
        self, level: int, boxes: Doubles, colors: Ints, names: Sequence[str]
    ) -> Iterable[tuple[str, Doubles, QTransform]]:
        """Yield the walls below the boxes, (k, 4), of a level: by colour, as boxes in a map.

        ``colors`` is the place in ``names`` of each box's colour, -1 for none.
        """
        if not self.is_seen:
            return
        edge = (3 if self.faces > 0 else 1) - self._side  # bottom or top; right or left
        at = boxes[:, edge]
        low, high = boxes[:, self._side], boxes[:, self._side + 2]
        walls = np.stack(
            [low + self._shear * at, self._climb * at - 1, high + self._shear * at,
             self._climb * at], axis=1,
        )  # fmt: skip
        basis = np.column_stack([self._along, self._projection.camera.rise])
        way = map_of(basis, origin_of(self._projection, level))
        for color in np.unique(colors).tolist():
            tint = QColor(names[color] if color >= 0 else UNTINTED)
            share = WALL_SHARES[self._side]
            parts = (tint.red(), tint.green(), tint.blue())
            shade = QColor(*(round(part * share) for part in parts))
            yield shade.name(), walls[colors == color], way


def origin_of(projection: Projection, level: int) -> Doubles:
    """Return the position in the view of the page's corner at a level, (2,)."""
    return np.asarray(projection.origin + level * projection.camera.rise)


def map_of(base: Doubles, origin: Doubles) -> QTransform:
    """Return the map with these directions, the columns of ``base``, and this origin."""
    (a, c), (b, d) = base.tolist()
    return QTransform(a, b, c, d, *origin.tolist())


def _rects(boxes: Doubles) -> list[QRectF]:
    """Convert boxes of left, top, right, bottom to rectangles for a painter."""
    sizes = boxes[:, 2:] - boxes[:, :2]
    return [QRectF(*box) for box in np.hstack([boxes[:, :2], sizes]).tolist()]


def _in_view(boxes: Doubles, level: npt.NDArray[np.integer], projection: Projection) -> Bools:
    """Return which boxes, (k, 4), may be visible with the walls below them, bool (k,)."""
    base, rise = projection.camera.base, projection.camera.rise
    corners = boxes[:, [0, 1, 2, 1, 0, 3, 2, 3]].reshape(-1, 4, 2)
    seen = corners @ base.T + projection.origin + level[:, None, None] * rise
    low, high = seen.min(axis=1), seen.max(axis=1)
    high[:, 1] -= rise[1]
    size: npt.NDArray[np.float64] = np.array([projection.width, projection.height], dtype=float)
    return np.asarray(np.all(high >= 0, axis=1) & np.all(low <= size, axis=1))
