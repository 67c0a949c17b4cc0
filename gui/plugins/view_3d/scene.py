"""Geometry of the page in 3-D: plates, the camera, and picking by a point.

A plate is an element's box, one level above its parent's plate, with walls down to it. The
projection is orthographic, so all plates of a level share one affine map: a point of the page at a
level is drawn at ``base @ (x, y) + level * rise + origin``.

Levels are drawn upwards, walls of a level before its plates, without sorting by distance: of two
things at one point of the view the higher one is nearer to a viewer above.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Self

import numpy as np

from engine.nodes import NodeTable
from engine.tree import Bools, Doubles, Ints, lock
from gui.plugins.view_3d.paint_order import paint_rank, shown_boxes

STEEPEST = np.radians(80)
"""Beyond, plates are lines."""

_LEAST_ZOOM, _MOST_ZOOM = 0.02, 8.0

_HEIGHT, _LIFTS = 0.45, (5.0, 40.0)
"""Height of the highest level as a share of the page's width; range of a level, px."""


@dataclass(frozen=True, eq=False)
class Scene:
    """Plates of a page in drawing order: by level, then as a browser paints.

    Attributes:
        rows: int32 (p,). Rows of the node table.
        boxes: float64 (p, 4). Left, top, right, bottom of the visible part, CSS px.
        level: int32 (p,). Number of plates below, 0 for the page itself.
        below: int32 (p,). Index of the plate directly below; -1 for the lowest.
        size: Width and height of the page in CSS px.
    """

    rows: Ints
    boxes: Doubles
    level: Ints
    below: Ints
    size: tuple[int, int]

    def __post_init__(self) -> None:
        for column in (self.rows, self.boxes, self.level, self.below):
            lock(column)

    @classmethod
    def of(cls, nodes: NodeTable) -> Self:
        """Return the plates of all visible elements.  O(n log n)."""
        boxes = shown_boxes(nodes)
        has_area = (boxes[:, 2] - boxes[:, 0] >= 1) & (boxes[:, 3] - boxes[:, 1] >= 1)
        is_plate = nodes.visible & ~nodes.is_text & has_area
        level, lower = _plates_below(nodes, is_plate)
        rows = np.flatnonzero(is_plate)
        rows = rows[np.lexsort((paint_rank(nodes)[rows], level[rows]))]
        position = np.full(len(nodes), -1, dtype=np.int32)
        position[rows] = np.arange(rows.size, dtype=np.int32)
        below = np.where(lower[rows] >= 0, position[lower[rows]], -1).astype(np.int32)
        size = (int(nodes.width), int(nodes.height))
        return cls(rows.astype(np.int32), boxes[rows], level[rows], below, size)

    def __len__(self) -> int:
        return int(self.rows.size)

    @cached_property
    def top(self) -> int:
        """Highest level."""
        return int(self.level[-1]) if len(self) else 0

    @cached_property
    def slices(self) -> tuple[slice, ...]:
        """Slices of the plates of level 0, 1 ... `top`. `top`."""
        return _slices(self.level, self.top)

    @cached_property
    def pieces(self) -> Doubles:
        """Visible parts of plates, float64 (q, 4), by level.

        A plate hides the part of the plate directly below it from all sides: the largest of those
        parts are left out. So a pixel of the page is drawn about once, at any depth.
        """
        return self._bare[0]

    @cached_property
    def piece_slices(self) -> tuple[slice, ...]:
        """Slices of the pieces of level 0, 1 ... `top`. `top`."""
        return _slices(self._bare[1], self.top)

    @cached_property
    def _bare(self) -> tuple[Doubles, Ints]:
        on: list[list[list[float]]] = [[] for _ in range(len(self))]
        boxes = self.boxes.tolist()
        for index, below in enumerate(self.below.tolist()):
            if below >= 0:
                on[below].append(boxes[index])
        pieces: list[list[float]] = []
        levels: list[int] = []
        for box, holes, level in zip(boxes, on, self.level.tolist(), strict=True):
            left = _without(box, holes)
            pieces += left
            levels += [level] * len(left)
        return np.array(pieces, dtype=float).reshape(-1, 4), np.array(levels, dtype=np.int32)

    def far_to_near(self, level: int, faces: tuple[int, int]) -> Ints:
        """Return the order in which a level's plates hide each other's walls, the hidden first.

        ``faces`` are 1 if larger x, and larger y, is nearer to the viewer, else -1.  O(k^2) for k
        plates of the level, once.
        """
        key = (level, *faces)
        if key not in self._orders:
            self._orders[key] = _far_to_near(self.boxes[self.slices[level]], faces)
        return self._orders[key]

    @cached_property
    def _orders(self) -> dict[tuple[int, int, int], Ints]:
        return {}

    def cut(self, level: int) -> "Scene":
        """Return the scene without plates above ``level``."""
        if level >= self.top:
            return self
        count = int(np.searchsorted(self.level, level, side="right"))
        return Scene(
            self.rows[:count], self.boxes[:count], self.level[:count], self.below[:count], self.size
        )

    def index(self, row: int) -> int:
        """Return the index of a row's plate; -1 if it has none."""
        result = np.flatnonzero(self.rows == row)
        return int(result[0]) if result.size else -1


def _plates_below(nodes: NodeTable, is_plate: Bools) -> tuple[Ints, Ints]:
    """Return the number of plates among each row's ancestors, and the nearest; -1 for none.

    int32 (n,) each.
    """
    counts, below, plates = [0] * len(nodes), [-1] * len(nodes), is_plate.tolist()
    for row, parent in enumerate(nodes.parent.tolist()):
        if parent >= 0:
            counts[row] = counts[parent] + plates[parent]
            below[row] = parent if plates[parent] else below[parent]
    return np.array(counts, dtype=np.int32), np.array(below, dtype=np.int32)


def _slices(level: Ints, top: int) -> tuple[slice, ...]:
    edges = np.searchsorted(level, np.arange(top + 2))
    return tuple(slice(a, b) for a, b in pairwise(edges.tolist()))


def _far_to_near(boxes: Doubles, faces: tuple[int, int]) -> Ints:
    low, high = boxes[:, :2], boxes[:, 2:]
    flipped = np.array(faces) < 0
    low, high = np.where(flipped, -high, low), np.where(flipped, -low, high)
    is_behind = high[:, None, :] <= low[None, :, :]  # along x, along y
    before: Bools = np.asarray(is_behind.any(axis=2), dtype=bool)
    before &= ~before.T  # nearer along x and farther along y: neither hides the other
    count = before.sum(axis=0)
    order = np.empty(len(boxes), dtype=np.int32)
    for index in range(len(boxes)):
        first = int(np.argmin(count))
        order[index] = first
        count -= before[first]
        count[first] = len(boxes) + 1 + index
    return order


_MOST_HOLES = 6
"""Number of largest plates cut out of the one below; more would leave tiny pieces."""

_LEAST_HOLE = 0.02
"""Least share of the plate worth another rectangle."""


def _without(box: list[float], holes: list[list[float]]) -> list[list[float]]:
    """Return rectangles that together cover a box without its largest holes."""
    least = _LEAST_HOLE * _area(box)
    large = sorted((hole for hole in holes if _area(hole) > least), key=_area)[-_MOST_HOLES:]
    pieces = [box]
    for left, top, right, bottom in reversed(large):
        rest: list[list[float]] = []
        for piece in pieces:
            x1, y1, x2, y2 = piece
            a, b = max(x1, left), min(x2, right)
            c, d = max(y1, top), min(y2, bottom)
            if a >= b or c >= d:
                rest.append(piece)
                continue
            strips = ([x1, y1, x2, c], [x1, d, x2, y2], [x1, c, a, d], [b, c, x2, d])
            rest += [each for each in strips if each[0] < each[2] and each[1] < each[3]]
        pieces = rest
    return pieces


def _area(box: list[float]) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


@dataclass(frozen=True)
class Camera:
    """Viewpoint of the page.

    Attributes:
        turn: Radians the page is turned about its vertical axis, clockwise.
        tilt: Radians it is tilted away; 0 looks straight down.
        zoom: Device px per CSS px.
        lift: CSS px between two levels.
        aim: The point of the page (CSS px) that is seen in the middle of the view.
    """

    turn: float = np.radians(-28)
    tilt: float = np.radians(52)
    zoom: float = 0.5
    lift: float = 26.0
    aim: tuple[float, float] = (0.0, 0.0)

    @property
    def base(self) -> Doubles:
        """Map of the page's directions, float64 (2, 2)."""
        sin, cos = np.sin(self.turn), np.cos(self.turn)
        low = np.cos(self.tilt)
        return self.zoom * np.array([[cos, -sin], [sin * low, cos * low]])

    @property
    def rise(self) -> Doubles:
        """Screen offset of the next level, float64 (2,): upwards."""
        return np.array([0.0, -self.zoom * self.lift * np.sin(self.tilt)])

    @property
    def is_flat(self) -> bool:
        return self.turn == 0 and (self.tilt == 0 or self.lift == 0)

    def turned(self, by: float) -> "Camera":
        """Return a camera turned by ``by`` more radians."""
        return replace(self, turn=float((self.turn + by + np.pi) % (2 * np.pi) - np.pi))

    def tilted(self, by: float) -> "Camera":
        """Return a camera tilted by some more radians, within 0 and `STEEPEST`."""
        return replace(self, tilt=float(np.clip(self.tilt + by, 0.0, STEEPEST)))

    def zoomed(self, factor: float) -> "Camera":
        """Return a camera zoomed by a factor, within limits."""
        return replace(self, zoom=float(np.clip(self.zoom * factor, _LEAST_ZOOM, _MOST_ZOOM)))

    def moved(self, dx: float, dy: float) -> "Camera":
        """Return a camera that shows everything some px further right and down."""
        x, y = np.linalg.solve(self.base, (dx, dy))
        return replace(self, aim=(self.aim[0] - float(x), self.aim[1] - float(y)))


@dataclass(frozen=True, eq=False)
class Projection:
    """Camera in a view of a given size, px."""

    camera: Camera
    width: int
    height: int

    @cached_property
    def origin(self) -> Doubles:
        """Position of the page's corner at level 0 in the view, float64 (2,)."""
        middle = np.array([self.width / 2, self.height / 2])
        return np.asarray(middle - self.camera.base @ np.array(self.camera.aim))

    def seen(self, x: float, y: float, level: float) -> tuple[float, float]:
        """Return the position in the view of a point of the page at a level."""
        at = self.camera.base @ np.array([x, y]) + level * self.camera.rise + self.origin
        return float(at[0]), float(at[1])

    def on_page(self, x: float, y: float, level: float) -> Doubles:
        """Return the point of the page at a level for a position in the view, (2,)."""
        at = np.array([x, y]) - self.origin - level * self.camera.rise
        return np.asarray(np.linalg.solve(self.camera.base, at))


def pick(scene: Scene, projection: Projection, x: float, y: float) -> int:
    """Return the row of the element at a position in the view, -1 for none.

    Exact: the line of sight is followed from the highest level down, through each level's plates
        and the walls below them.  O(p).
    """
    for level in range(scene.top, -1, -1):
        part = scene.slices[level]
        start = projection.on_page(x, y, level)
        end = projection.on_page(x, y, level - 1)
        hits = np.flatnonzero(_crosses(scene.boxes[part], start, end if level else start))
        if hits.size:
            boxes = scene.boxes[part][hits]
            on_top = np.all((boxes[:, :2] <= start) & (start < boxes[:, 2:]), axis=1)
            best = np.flatnonzero(on_top)
            if best.size:  # the plates of a level are in the order of painting
                return int(scene.rows[part][hits[best[-1]]])
            nearest = np.argmin(_span(boxes, start, end)[0])
            return int(scene.rows[part][hits[nearest]])
    return -1


def _crosses(boxes: Doubles, start: Doubles, end: Doubles) -> Bools:
    """Return which boxes, (k, 4), a line from ``start`` to ``end`` touches, bool (k,)."""
    near, far = _span(boxes, start, end)
    inside = np.all((boxes[:, :2] <= start) & (start < boxes[:, 2:]), axis=1)
    return np.asarray(inside | ((near < far) & (far > 0) & (near < 1)))


def _span(boxes: Doubles, start: Doubles, end: Doubles) -> tuple[Doubles, Doubles]:
    """Return where a line, 0 at ``start`` and 1 at ``end``, enters and leaves each box."""
    way = end - start
    with np.errstate(divide="ignore", invalid="ignore"):
        one = (boxes[:, :2] - start) / way
        other = (boxes[:, 2:] - start) / way
    still = np.abs(way) < 1e-12
    within = (boxes[:, :2] <= start) & (start < boxes[:, 2:])
    near = np.where(still, np.where(within, -np.inf, np.inf), np.minimum(one, other))
    far = np.where(still, np.where(within, np.inf, -np.inf), np.maximum(one, other))
    return near.max(axis=1), far.min(axis=1)


def fit_camera(scene: Scene, width: int, height: int, camera: Camera) -> Camera:
    """Return a camera that fits the first screens of a page into the view.

    A page may be twenty screens long: one more than twice as high as wide is shown from its top.
    """
    page_width, page_height = scene.size
    seen_height = min(page_height, 2 * page_width)
    lift = float(np.clip(_HEIGHT * page_width / max(scene.top, 1), *_LIFTS)) if camera.lift else 0.0
    camera = replace(camera, lift=lift)
    corners = np.array([(x, y) for x in (0, page_width) for y in (0, seen_height)], dtype=float)
    plain = replace(camera, zoom=1.0)
    seen = corners @ plain.base.T
    seen = np.concatenate([seen, seen + scene.top * plain.rise])
    room = seen.max(axis=0) - seen.min(axis=0)
    zoom = 0.94 * min(width / max(room[0], 1), height / max(room[1], 1))
    middle = (seen.max(axis=0) + seen.min(axis=0)) / 2
    aim = np.linalg.solve(plain.base, middle)
    return replace(camera, aim=(float(aim[0]), float(aim[1]))).zoomed(zoom / camera.zoom)
