"""Segments as drawn, multi-polygons with holes, and their nodes.

Source: J. Kiesel et al., "Web Page Segmentation Revisited: Evaluation Framework and Dataset", CIKM
2020, section 4.3: a drawn segment becomes the union of the boxes of all nodes of which at least
three quarters lie in it.

Pagelet's blocks are rows with all below them, so the topmost of these nodes are taken, and a node's
box includes everything visible at or below it (`geometry.visual_rects`): a menu that extends beyond
its bar is included if bar and menu are.  Departure: a segment that is a union of such boxes
already, but for a pixel at its borders, is taken as it is.  Fitted a second time, it would grow by
every wrapper that it fills to three quarters.

Areas of shapes with upright and level borders are exact; where a border slants, a pixel is in a
shape if its centre is.  Holes and crossing borders follow the even-odd rule.
"""

from dataclasses import dataclass
from operator import itemgetter

import numpy as np
import numpy.typing as npt

from engine import geometry
from engine.nodes import NodeTable
from engine.tree import Bools, Doubles, Ints

Ring = Doubles
"""Points, float64 (k, 2), of a closed line; the last is joined to the first."""

Polygon = tuple[Ring, ...]
"""Its outer ring, then its holes."""

FIT = 0.75
"""How much of a node must lie in a drawn segment (theta_c of the paper)."""

ALIKE = 0.99
"""Share of a segment that whole nodes must fill for it to be a union of boxes."""

_SLACKS = (0.0, 1.0)
"""How far, in px, a whole node may stick out: nothing, then what snapping borders can do."""

_TINY = 1e-9  # tolerance of areas for rounding


@dataclass(frozen=True, eq=False)
class Shape:
    """A segment: the union of its polygons, in pixels from the page's top left."""

    polygons: tuple[Polygon, ...]

    def cells(self, size: tuple[float, float]) -> "Grid":
        """Cut the page, of this width and height, into cells that are in it or not."""
        rings = [ring for polygon in self.polygons for ring in polygon]
        points = np.concatenate(rings) if rings else np.zeros((0, 2))
        points = np.clip(points, 0, size)
        xs, ys = np.unique(points[:, 0]), np.unique(points[:, 1])
        if xs.size < 2 or ys.size < 2:
            return Grid(np.zeros(1), np.zeros(1), np.zeros((0, 0), dtype=bool))
        sides = [np.roll(ring, -1, axis=0) - ring for ring in rings]
        if any((side != 0).all(axis=1).any() for side in sides):
            xs = np.arange(np.floor(xs[0]), np.ceil(xs[-1]) + 1)
            ys = np.arange(np.floor(ys[0]), np.ceil(ys[-1]) + 1)
        inside = np.zeros((ys.size - 1, xs.size - 1), dtype=bool)
        for polygon in self.polygons:
            # Each border toggles all cells right of it, row by row.  OpenCV's fillPoly would also
            # paint the border itself, half a pixel too far on two sides.
            toggles = np.zeros((ys.size - 1, xs.size), dtype=bool)
            for ring in polygon:
                _toggle(toggles, ring, (xs[:-1] + xs[1:]) / 2, (ys[:-1] + ys[1:]) / 2)
            inside |= np.logical_xor.accumulate(toggles, axis=1)[:, :-1]
        return Grid(xs, ys, inside)


def _toggle(toggles: Bools, ring: Ring, centres_x: Doubles, centres_y: Doubles) -> None:
    for ends in zip(ring.tolist(), np.roll(ring, -1, axis=0).tolist(), strict=True):
        # Downwards, so that a border that is followed back crosses each row at the same place.
        (x0, y0), (x1, y1) = sorted(ends, key=itemgetter(1))
        # Rows whose centres lie between the two ends, the upper one included.
        first, last = np.searchsorted(centres_y, (y0, y1)).tolist()
        if first < last:
            crossing = x0 + (centres_y[first:last] - y0) * ((x1 - x0) / (y1 - y0))
            toggles[np.arange(first, last), np.searchsorted(centres_x, crossing)] ^= True


@dataclass(frozen=True, eq=False)
class Grid:
    """A grid of rectangles, those of a shape marked.

    Attributes:
        xs, ys: float64 (c + 1,), (r + 1,). Its lines, ascending.
        inside: bool (r, c). Which cells are in the shape.
    """

    xs: Doubles
    ys: Doubles
    inside: Bools

    @classmethod
    def of_boxes(cls, boxes: Doubles) -> "Grid":
        """Return the union of rectangles, (n, 4): left, top, right, bottom."""
        solid = boxes[(boxes[:, 2:] > boxes[:, :2]).all(axis=1)].astype(np.float64)
        xs, ys = np.unique(solid[:, ::2]), np.unique(solid[:, 1::2])
        inside = np.zeros((max(ys.size - 1, 0), max(xs.size - 1, 0)), dtype=bool)
        columns, rows = np.searchsorted(xs, solid[:, ::2]), np.searchsorted(ys, solid[:, 1::2])
        for (left, right), (top, bottom) in zip(columns.tolist(), rows.tolist(), strict=True):
            inside[top:bottom, left:right] = True
        return cls(xs, ys, inside)

    @property
    def area(self) -> float:
        """The area of all cells in the shape."""
        return float((np.outer(np.diff(self.ys), np.diff(self.xs)) * self.inside).sum())

    def area_in(self, boxes: Doubles) -> Doubles:
        """Return the area of the shape in each rectangle, (n, 4), float64 (n,)."""
        if not self.inside.size:
            return np.zeros(len(boxes))
        table = np.zeros((self.ys.size, self.xs.size))
        table[1:, 1:] = np.outer(np.diff(self.ys), np.diff(self.xs)) * self.inside
        table = np.cumsum(np.cumsum(table, axis=0), axis=1)
        left, top, right, bottom = boxes.T
        return np.asarray(
            self._up_to(table, right, bottom) - self._up_to(table, left, bottom)
            - self._up_to(table, right, top) + self._up_to(table, left, top)
        )  # fmt: skip

    def _up_to(self, table: Doubles, x: Doubles, y: Doubles) -> Doubles:
        """Return the area left of and above points: between grid lines it grows evenly."""
        row, below = _between(self.ys, y)
        column, beyond = _between(self.xs, x)
        upper = table[row, column] * (1 - beyond) + table[row, column + 1] * beyond
        lower = table[row + 1, column] * (1 - beyond) + table[row + 1, column + 1] * beyond
        return np.asarray(upper * (1 - below) + lower * below)


def _between(lines: Doubles, at: Doubles) -> tuple[npt.NDArray[np.intp], Doubles]:
    """Return which line is before each place, and how far it is to the next, 0 to 1."""
    before = np.clip(np.searchsorted(lines, at, side="right") - 1, 0, lines.size - 2)
    share = (at - lines[before]) / (lines[before + 1] - lines[before])
    return before, np.clip(share, 0.0, 1.0)


def fit(shape: Shape, nodes: NodeTable) -> tuple[int, ...]:
    """Return the rows of a segment, ascending; none of them below another, all visible."""
    boxes = geometry.corners(geometry.visual_rects(nodes))
    boxes[~nodes.visible] = 0
    cells = shape.cells((nodes.width, nodes.height))
    held = cells.area_in(boxes)
    widths, heights = np.clip(boxes[:, 2:] - boxes[:, :2], 0, None).T
    areas = widths * heights
    fits = (areas > 0) & (held > 0) & (held >= FIT * areas * (1 - _TINY))
    for slack in _SLACKS:
        is_whole = held >= areas * (1 - _TINY) - slack * (widths + heights)
        whole = topmost(np.flatnonzero(fits & is_whole), nodes.end)
        if Grid.of_boxes(boxes[whole]).area >= ALIKE * cells.area:
            return tuple(whole.tolist())
    return tuple(topmost(np.flatnonzero(fits), nodes.end).tolist())


def topmost(rows: npt.NDArray[np.intp], ends: Ints) -> npt.NDArray[np.intp]:
    """Return those of some rows, ascending, that lie below no other of them."""
    if not rows.size:
        return rows
    reached = np.maximum.accumulate(ends[rows])
    return rows[np.concatenate(([True], rows[1:] >= reached[:-1]))]


def union_of(boxes: Doubles) -> Shape:
    """Return the union of rectangles, (n, 4): left, top, right, bottom.

    Its outer rings and holes are found on the grid their sides make, each cell two by two pixels
    of a picture: OpenCV's contours run through the pixels at a border, and of such a cell each of
    them tells which side that border is on.
    """
    from engine.opencv import cv2

    cells = Grid.of_boxes(boxes)
    if not cells.inside.size:
        return Shape(())
    picture = cells.inside.astype(np.uint8).repeat(2, axis=0).repeat(2, axis=1)
    contours, links = cv2.findContours(picture, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    rings = [_ring(np.asarray(contour, np.int32).reshape(-1, 2), cells) for contour in contours]
    above = [] if links is None else links.reshape(-1, 4)[:, 3].tolist()
    polygons = []
    for number, parent in enumerate(above):
        if parent < 0:
            holes = [rings[k] for k, outer in enumerate(above) if outer == number]
            polygons.append((rings[number], *holes))
    return Shape(tuple(polygons))


def _ring(contour: Ints, cells: Grid) -> Ring:
    lines = (contour + 1) // 2
    points = np.stack((cells.xs[lines[:, 0]], cells.ys[lines[:, 1]]), axis=1)
    points = points[(points != np.roll(points, 1, axis=0)).any(axis=1)]
    before, after = points - np.roll(points, 1, axis=0), np.roll(points, -1, axis=0) - points
    turns = before[:, 0] * after[:, 1] != before[:, 1] * after[:, 0]
    return np.asarray(points[turns], dtype=np.float64)


def as_lists(shape: Shape) -> list[list[list[list[float]]]]:
    """Return a shape as JSON has it: polygons, closed rings, points; whole numbers as integers."""
    return [
        [
            [[_number(x), _number(y)] for x, y in [*ring.tolist(), ring[0].tolist()]]
            for ring in polygon
        ]
        for polygon in shape.polygons
    ]


def _number(value: float) -> float:
    return int(value) if value == int(value) else value


def from_json(value: object) -> Shape:
    """Return a segment of the published form, or of GeoJSON; `ValueError` if it is neither.

    A single polygon or ring is accepted as well.
    """
    if isinstance(value, dict):
        value = value.get("coordinates")
    if not isinstance(value, list):
        raise ValueError("it has no polygons")
    if not value:
        return Shape(())
    depth = _depth(value)
    if depth not in (2, 3, 4):
        raise ValueError("expected polygons: lists of rings, each a list of points")
    for _ in range(4 - depth):
        value = [value]
    return Shape(tuple(tuple(_points(ring) for ring in polygon) for polygon in value))


def _depth(value: object) -> int:
    depth = 0
    while isinstance(value, list):
        depth += 1
        value = value[0] if value else None
    return depth


def _points(ring: object) -> Ring:
    points = np.array(ring, dtype=np.float64)
    if points.ndim != 2 or points.shape[1] != 2 or len(points) < 3:
        raise ValueError("a ring needs at least three points [x, y]")
    if not np.isfinite(points).all() or np.abs(points).max() > 1e6:
        raise ValueError("a point's coordinates are out of range")
    if (points[0] == points[-1]).all():
        points = points[:-1]
    return points
