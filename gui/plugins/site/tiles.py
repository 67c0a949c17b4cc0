"""Layout of the tiles: lines below a heading for each cluster, and one for pages alone."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from PySide6.QtCore import QPoint, QRect, QSize

LEAST_WIDTH, GAP, MARGIN = 128, 12, 12
MOST_COLUMNS = 6
"""On a large screen tiles grow instead of adding columns."""

_HEAD_GAP, _CLUSTER_GAP = 6, 4


@dataclass(frozen=True)
class Head:
    """Heading of a cluster: its position, the cluster's number (-1: pages alone), its pages."""

    rect: QRect
    label: int
    pages: tuple[int, ...]


@dataclass(frozen=True)
class TileLine:
    """Line of tiles: its top, and the pages from left to right."""

    top: int
    pages: tuple[int, ...]


@dataclass(frozen=True)
class Tiles:
    """Tiles in a scrolled area, in px from its top.

    Attributes:
        size: Size of each picture, 16:9; the columns fill the width.
        columns: Tiles in a full line.
        label_height: Height of the name below each picture.
        heads, lines: Headings and lines from top to bottom.
        height: Total height.
    """

    size: QSize
    columns: int
    label_height: int
    heads: tuple[Head, ...]
    lines: tuple[TileLine, ...]
    height: int

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The pages in reading order."""
        return tuple(page for line in self.lines for page in line.pages)

    @cached_property
    def cells(self) -> dict[int, tuple[int, int]]:
        """Line and column by page."""
        return {
            page: (number, column)
            for number, line in enumerate(self.lines)
            for column, page in enumerate(line.pages)
        }

    @cached_property
    def _tops(self) -> list[int]:
        return [line.top for line in self.lines]

    def rect(self, page: int) -> QRect:
        """Return the rectangle of a page's picture; raises `KeyError` for unknown pages."""
        number, column = self.cells[page]
        left = MARGIN + column * (self.size.width() + GAP)
        return QRect(QPoint(left, self.lines[number].top), self.size)

    def between(self, top: int, bottom: int) -> list[int]:
        """Return the pages whose pictures or names are visible from ``top`` to ``bottom``."""
        deep = self.size.height() + self.label_height + GAP
        first = bisect_right(self._tops, top - deep)
        last = bisect_right(self._tops, bottom + GAP)
        return [page for line in self.lines[first:last] for page in line.pages]

    def at(self, point: QPoint) -> int:
        """Return the page whose picture or name is at a point, -1 for none."""
        for page in self.between(point.y(), point.y()):
            if self.rect(page).adjusted(0, 0, 0, self.label_height).contains(point):
                return page
        return -1

    def head_at(self, point: QPoint) -> Head | None:
        """Return the head at a point, if one is there."""
        return next((head for head in self.heads if head.rect.contains(point)), None)


def lay_out(
    clusters: Sequence[Sequence[int]], width: int, label_height: int, *, has_heads: bool
) -> Tiles:
    """Lay out the pages of each cluster in lines that fill a width; small clusters share a line.

    Pages alone in theirs come last, together.
    """
    alone = [pages[0] for pages in clusters if len(pages) == 1]
    groups = [(label, [*pages]) for label, pages in enumerate(clusters) if len(pages) > 1]
    has_heads = has_heads and bool(groups)
    groups += [(-1, alone)] if alone else []
    room = width - 2 * MARGIN + GAP
    columns = min(max(1, room // (LEAST_WIDTH + GAP)), MOST_COLUMNS)
    wide = max(LEAST_WIDTH, room // columns - GAP)
    size = QSize(wide, round(wide * 9 / 16))
    heads, lines, top = [], [], MARGIN
    for band in _bands([pages for _, pages in groups], columns):
        at = 0
        for label, some in [groups[k] for k in band] if has_heads else ():
            across = min(len(some), columns) * (wide + GAP) - GAP
            rect = QRect(MARGIN + at * (wide + GAP), top, across, label_height)
            heads.append(Head(rect, label, tuple(some)))
            at += len(some)
        top += label_height + _HEAD_GAP if has_heads else 0
        pages = [page for k in band for page in groups[k][1]]
        for first in range(0, len(pages), columns):
            lines.append(TileLine(top, tuple(pages[first : first + columns])))
            top += size.height() + label_height + GAP
        top += _CLUSTER_GAP
    return Tiles(size, columns, label_height, tuple(heads), tuple(lines), top)


def _bands(clusters: Sequence[Sequence[int]], columns: int) -> list[list[int]]:
    """Return the clusters of each line: as many as one line holds."""
    result: list[list[int]] = []
    room = 0
    for label, pages in enumerate(clusters):
        if result and len(pages) <= room:
            result[-1].append(label)
            room -= len(pages)
        else:
            result.append([label])
            room = columns - len(pages)
    return result
