"""Rows of the node table ↔ the nodes that the page's own script world knows.

The script that collects a page numbers the nodes of the main frame; a row of a frame inside it has
no number there and is drawn by its place within the frame's element.
"""

from dataclasses import dataclass

import numpy as np

from engine.nodes import NodeTable
from engine.tree import Ints

Piece = int | list[float]
"""A node's number, or ``[number of the frame's element, x, y, width, height]``."""


@dataclass(frozen=True, eq=False)
class Pieces:
    """The two numberings of one captured page.

    Attributes:
        nodes: The page's table.
        row_of: int32 (m,). Number in the page → row.
    """

    nodes: NodeTable
    row_of: Ints

    def __post_init__(self) -> None:
        number_of = np.full(len(self.nodes), -1, dtype=np.int32)
        number_of[self.row_of] = np.arange(self.row_of.size, dtype=np.int32)
        object.__setattr__(self, "_number_of", number_of)
        frames = np.full(len(self.nodes), -1, dtype=np.int32)
        for row in np.flatnonzero(number_of < 0).tolist():
            parent = int(self.nodes.parent[row])
            frames[row] = parent if number_of[parent] >= 0 else frames[parent]
        object.__setattr__(self, "_frame_row", frames)

    def number(self, row: int) -> int:
        """Return the row's number in the page; -1 for rows inside frames."""
        return int(self._number_of[row])  # type: ignore[attr-defined]

    def piece(self, row: int) -> Piece:
        """Return what the drawing script takes for a row."""
        number = self.number(row)
        if number >= 0:
            return number
        frame = int(self._frame_row[row])  # type: ignore[attr-defined]
        box, outer = self.nodes.rect[row], self.nodes.rect[frame]
        return [
            self.number(frame),
            float(box[0] - outer[0]),
            float(box[1] - outer[1]),
            float(box[2]),
            float(box[3]),
        ]

    def row(self, number: int) -> int:
        """Return the row of a node's number, -1 if there is none."""
        return int(self.row_of[number]) if 0 <= number < self.row_of.size else -1

    def range(self, row: int, start: int, end: int) -> list[int] | None:
        """Return ``[number, start, end]`` in UTF-16 units, as scripts count; None in frames."""
        number = self.number(row)
        if number < 0:
            return None
        text = self.nodes.text[row]
        return [number, to_utf16(text, start), to_utf16(text, end)]


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
