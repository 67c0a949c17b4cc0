"""Positions of a table's cells: rows and columns with spans, as in HTML."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

C = TypeVar("C")


@dataclass(frozen=True)
class GridCell(Generic[C]):
    """A cell at a row and column, over ``height`` rows and ``width`` columns."""

    cell: C
    row: int
    column: int
    height: int
    width: int


def grid_of(
    rows: Sequence[Sequence[tuple[C, int, int]]], groups: Sequence[object] = ()
) -> list[GridCell[C]]:
    """Place the cells of rows, each ``(cell, colspan, rowspan)``, in the order they come.

    A cell is in the first column that no cell of a row above reaches down to (HTML, "forming a
    table"); it goes no further down than the last row of its group.

    Args:
        rows: The rows.
        groups: By row what group it is of, neighbours of one alike; by default all are of one.
    """
    ends = [len(rows)] * len(rows)
    for number in range(len(groups) - 2, -1, -1):
        is_last = groups[number] != groups[number + 1]
        ends[number] = number + 1 if is_last else ends[number + 1]
    placed: list[GridCell[C]] = []
    reach: list[int] = []  # by column: the first row that is free again
    for number, row in enumerate(rows):
        column = 0
        for cell, width, height in row:
            while column < len(reach) and reach[column] > number:
                column += 1
            height = max(1, min(height, ends[number] - number))
            placed.append(GridCell(cell, number, column, height, width))
            reach += [0] * (column + width - len(reach))
            reach[column : column + width] = [number + height] * width
            column += width
    return placed
