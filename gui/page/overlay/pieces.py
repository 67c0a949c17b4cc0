"""Rows of the node table ↔ the nodes that the page's own script world knows.

The script that collects a page numbers the nodes of the main frame; a row of a frame inside it has
no number there and is drawn by its place within the frame's element.  Texts in frames are named by
the numbers that lead to them: those of the frames' elements from the page down, then their own,
each in its frame.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from engine.nodes import NodeTable
from engine.tree import Ints

PieceIndex = int | list[int]
"""A node's number, or for one in a frame the numbers that lead to it."""

PieceReference = int | list[float]
"""A node's number, or ``[number of the frame's element, x, y, width, height]``."""


class PageNumberings:
    """The two numberings of one captured page.

    Attributes:
        nodes: The page's table.
        row_of: int32 (m,). Number in the page → row.
    """

    def __init__(self, nodes: NodeTable, row_of: Ints) -> None:
        self.nodes, self.row_of = nodes, row_of
        number_of = self._number_of = np.full(len(nodes), -1, dtype=np.int32)
        number_of[row_of] = np.arange(row_of.size, dtype=np.int32)
        frames = self._frame_row = np.full(len(nodes), -1, dtype=np.int32)
        for row in np.flatnonzero(number_of < 0).tolist():
            parent = int(nodes.parent[row])
            frames[row] = parent if number_of[parent] >= 0 else frames[parent]

    def number(self, row: int) -> int:
        """Return the row's number in the page; -1 for rows inside frames."""
        return int(self._number_of[row])

    def piece(self, row: int) -> PieceReference:
        """Return what the drawing script takes for a row."""
        number = self.number(row)
        if number >= 0:
            return number
        frame = int(self._frame_row[row])
        box, outer = self.nodes.rect[row], self.nodes.rect[frame]
        place = (box[0] - outer[0], box[1] - outer[1], box[2], box[3])
        return [self.number(frame), *map(float, place)]

    def box(self, rows: Iterable[int], label: str = "", **style: object) -> dict[str, Any]:
        """Return a box around rows as the drawing script takes it."""
        return {"pieces": [self.piece(row) for row in rows], "label": label, **style}

    def row(self, number: int) -> int:
        """Return the row of a node's number, -1 if there is none."""
        return int(self.row_of[number]) if 0 <= number < self.row_of.size else -1

    def index(self, row: int) -> PieceIndex:
        """Return what leads to a row from the page's own script world."""
        number = self.number(row)
        if number >= 0 or self.nodes.frame[row] == 0:
            return number
        inside = self._rows_of_frame(row)
        above = self.index(int(self.nodes.parent[inside[0]]))
        own = int(np.searchsorted(inside, row))
        return [*([above] if isinstance(above, int) else above), own]

    def row_at(self, index: PieceIndex) -> int:
        """Return the row that an index leads to, -1 if there is none."""
        if isinstance(index, int):
            return self.row(index)
        row = self.row(index[0])
        for own in index[1:]:
            below = self.nodes.children(row) if row >= 0 else ()
            first = next((r for r in below if self.nodes.frame[r] != self.nodes.frame[row]), -1)
            inside = self._rows_of_frame(int(first)) if first >= 0 else ()
            row = int(inside[own]) if 0 <= own < len(inside) else -1
        return row

    def _rows_of_frame(self, row: int) -> Ints:
        """Return the rows of a row's frame, in that frame's order."""
        return np.flatnonzero(self.nodes.frame == self.nodes.frame[row]).astype(np.int32)

    def range(self, row: int, start: int, end: int) -> list[PieceIndex]:
        """Return ``[index, start, end]`` in UTF-16 units, as scripts count."""
        text = self.nodes.text[row]
        return [self.index(row), to_utf16(text, start), to_utf16(text, end)]


def to_utf16(text: str, offset: int) -> int:
    """Return an offset in code points as one in UTF-16 units."""
    return offset + sum(1 for char in text[:offset] if char > "\uffff")


def from_utf16(text: str, offset: int) -> int:
    """Return an offset in UTF-16 units as one in code points; inside a pair: before it."""
    units = 0
    for index, char in enumerate(text):
        units += 2 if char > "\uffff" else 1
        if units > offset:
            return index
    return len(text)
