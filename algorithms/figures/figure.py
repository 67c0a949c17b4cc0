"""Figure: curves, dots, strips and thresholds of one run, and the part of the page that each
represents.

A figure is data: what draws it knows no method, and what makes it knows no screen.  Its *items* are
the things one can point at; each represents words of the source (methods that extract) or rows of
the page (methods that segment), so that the figure leads to the page and the page to the figure.
"""

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from engine.tree import Bools, Doubles, Ints, Locked

KEPT, DROPPED, GOLD, PLAIN, FAINT, SECOND, BEST = (
    "kept", "dropped", "gold", "plain", "faint", "second", "best",
)  # fmt: skip
"""Tones: the meaning of a colour; each has a sign or line of its own as well."""

NOWHERE = -1
"""First word, or row, of an item without a place on the page."""


@dataclass(frozen=True, eq=False)
class Curve(Locked):
    """A line.

    Attributes:
        name: As in the legend.
        x, y: float64 (n,) each.
        tone: One of the tones.
        is_stepped: Whether each value holds until the next ``x``.
    """

    name: str
    x: Doubles
    y: Doubles
    tone: str = PLAIN
    is_stepped: bool = False


@dataclass(frozen=True, eq=False)
class Dots(Locked):
    """Places in the plane.

    Attributes:
        name: As in the legend.
        x, y: float64 (n,) each.
        tone: One of the tones.
        sizes: float64 (n,). Pixels across; None for all alike.
    """

    name: str
    x: Doubles
    y: Doubles
    tone: str = PLAIN
    sizes: Doubles | None = None


@dataclass(frozen=True, eq=False)
class Bars(Locked):
    """Boxes from 0 up to a value: ``low`` to ``high`` along x, (n,) each."""

    name: str
    low: Doubles
    high: Doubles
    y: Doubles
    tone: str = PLAIN


@dataclass(frozen=True, eq=False)
class Strips(Locked):
    """Rows of shades, one above the other, the first on top.

    Attributes:
        name: Meaning of the shades.
        cells: float32 (r, c). Values from 0 to 1; all columns are equally wide.
        low, high: Where the first column starts and the last ends.
        labels: r of them.
        columns: Meaning of the c columns; () where x is a number.
        scale: Values of the shades 0 and 1; () where those are the values.
    """

    name: str
    cells: npt.NDArray[np.float32]
    low: float
    high: float
    labels: tuple[str, ...]
    columns: tuple[str, ...] = ()
    scale: tuple[float, ...] = ()


@dataclass(frozen=True, eq=False)
class Bands(Locked):
    """Ranges along x from bottom to top: ``low`` to ``high``, (n,) each."""

    name: str
    low: Doubles
    high: Doubles
    tone: str = KEPT


@dataclass(frozen=True, eq=False)
class Links(Locked):
    """Straight lines, as of a tree: ``x`` and ``y`` are (n, 2)."""

    name: str
    x: Doubles
    y: Doubles
    tone: str = FAINT


@dataclass(frozen=True)
class Threshold:
    """Line that separates kept from dropped.

    Attributes:
        name: As in the legend.
        at: Its position.
        axis: ``"y"``, or ``"x"`` for an upright line.
        parameter: Which parameter moves it; "" where none does.
        unit: How far the line moves for one of the parameter: ``at / unit`` is its value.
    """

    name: str
    at: float
    axis: str = "y"
    parameter: str = ""
    unit: float = 1.0


@dataclass(frozen=True, eq=False)
class Items(Locked):
    """Items that can be pointed at, m of them.

    Attributes:
        low, high: float64 (m,). Its extent along x; ascending starts where extents matter.
        y: float64 (m,).
        places: int32 (m, 2). First and one past the last word, or row; `NOWHERE` for none.
        labels: m of them: description of each, with its numbers.
    """

    low: Doubles
    high: Doubles
    y: Doubles
    places: Ints
    labels: tuple[str, ...]

    def __len__(self) -> int:
        return int(self.low.size)

    def along(self, x: float) -> int:
        """Return the item at a place along x, the nearest one between two; -1 for none."""
        if not len(self):
            return -1
        after = int(np.searchsorted(self.low, x, side="right"))
        if after and x <= self.high[after - 1]:
            return after - 1
        near = [k for k in (after - 1, after) if 0 <= k < len(self)]
        return min(near, key=lambda k: min(abs(x - self.low[k]), abs(x - self.high[k])))

    def nearest(self, x: float, y: float, per_x: float, per_y: float) -> int:
        """Return the item nearest to a place; ``per_x`` and ``per_y`` are pixels a unit."""
        if not len(self):
            return -1
        dx = ((self.low + self.high) / 2 - x) * per_x
        return int(np.argmin(dx**2 + ((self.y - y) * per_y) ** 2))

    def on(self, first: int, last: int) -> Ints:
        """Return the items that have one of these words or rows in them, ascending."""
        hit = (self.places[:, 0] < last) & (self.places[:, 1] > first) & (self.places[:, 0] >= 0)
        return np.flatnonzero(hit).astype(np.int32)


NO_ITEMS = Items(np.zeros(0), np.zeros(0), np.zeros(0), np.zeros((0, 2), np.int32), ())


@dataclass(frozen=True, eq=False)
class Figure:
    """Figure of one run.

    Attributes:
        title: What it shows, as in a list of figures.
        x_label, y_label: What its axes count.
        curves, dots, bars, strips, bands, links: Drawn in this order from the top.
        thresholds: Lines drawn over all of them.
        items: Items that can be pointed at.
        is_plane: Whether the nearest item in the plane is meant, not the one along x.
        is_downward: Whether y grows downwards, as the levels of a tree do.
        of_rows: Whether items are rows of the page, not words of the source.
        note: Additional remark, one sentence; "" for none.
    """

    title: str
    x_label: str
    y_label: str
    curves: tuple[Curve, ...] = ()
    dots: tuple[Dots, ...] = ()
    bars: tuple[Bars, ...] = ()
    strips: Strips | None = None
    bands: tuple[Bands, ...] = ()
    links: tuple[Links, ...] = ()
    thresholds: tuple[Threshold, ...] = ()
    items: Items = field(default_factory=lambda: NO_ITEMS)
    is_plane: bool = False
    is_downward: bool = False
    of_rows: bool = False
    note: str = ""


def items(
    low: npt.ArrayLike,
    high: npt.ArrayLike,
    y: npt.ArrayLike,
    positions: npt.ArrayLike,
    labels: tuple[str, ...],
) -> Items:
    """Return items of anything like an array; a single number applies to all."""
    at = np.asarray(positions, dtype=np.int32).reshape(-1, 2).copy()

    def column(values: npt.ArrayLike) -> Doubles:
        return np.broadcast_to(np.asarray(values, dtype=np.float64), len(at)).copy()

    return Items(column(low), column(high), column(y), at, labels)


def bands(name: str, runs: npt.ArrayLike, tone: str = KEPT) -> Bands:
    """Return ranges from pairs of numbers, (n, 2)."""
    pairs = np.asarray(runs, dtype=np.float64).reshape(-1, 2)
    return Bands(name, pairs[:, 0].copy(), pairs[:, 1].copy(), tone)


def curve(
    name: str, x: npt.ArrayLike, y: npt.ArrayLike, tone: str = PLAIN, *, is_stepped: bool = False
) -> Curve:
    """Return a curve of anything like an array."""
    return Curve(name, np.array(x, np.float64), np.array(y, np.float64), tone, is_stepped)


def dots_of(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    groups: tuple[tuple[str, str, Bools], ...],
    sizes: Doubles | None = None,
) -> tuple[Dots, ...]:
    """Return dots by group: name, tone and which of the places, (n,); no empty group."""
    across, up = np.asarray(x, np.float64), np.asarray(y, np.float64)
    return tuple(
        Dots(name, across[which], up[which], tone, None if sizes is None else sizes[which])
        for name, tone, which in groups
        if which.any()
    )


def to_csv(figure: Figure) -> str:
    """Return all numbers of a figure as CSV: ``series, kind, x, y, to_x, to_y, text``."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("series", "kind", "x", "y", "to_x", "to_y", "text"))
    writer.writerows(_records(figure))
    return out.getvalue()


def _records(figure: Figure) -> Iterator[tuple[object, ...]]:
    for line in figure.curves:
        for x, y in zip(line.x.tolist(), line.y.tolist(), strict=True):
            yield line.name, "curve", x, y, "", "", ""
    for group in figure.dots:
        for x, y in zip(group.x.tolist(), group.y.tolist(), strict=True):
            yield group.name, "dot", x, y, "", "", ""
    for box in figure.bars:
        for low, high, y in zip(box.low.tolist(), box.high.tolist(), box.y.tolist(), strict=True):
            yield box.name, "bar", low, 0.0, high, y, ""
    if figure.strips is not None:
        strips = figure.strips
        edges = np.linspace(strips.low, strips.high, strips.cells.shape[1] + 1).tolist()
        for label, row in zip(strips.labels, strips.cells.tolist(), strict=True):
            for k, value in enumerate(row):
                yield label, "strip", edges[k], value, edges[k + 1], "", ""
    for band in figure.bands:
        for low, high in zip(band.low.tolist(), band.high.tolist(), strict=True):
            yield band.name, "band", low, "", high, "", ""
    for link in figure.links:
        for (x, to_x), (y, to_y) in zip(link.x.tolist(), link.y.tolist(), strict=True):
            yield link.name, "link", x, y, to_x, to_y, ""
    for limit in figure.thresholds:
        yield limit.name, f"threshold {limit.axis}", limit.at, "", "", "", limit.parameter
    each = figure.items
    columns = (each.low.tolist(), each.y.tolist(), each.high.tolist(), each.labels)
    for low, y, high, label in zip(*columns, strict=True):
        yield "items", "item", low, y, high, "", label
