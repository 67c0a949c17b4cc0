"""A table of a page in a clean tree, with all cells of kept rows; positions of cells with spans."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from lxml.html import HtmlElement, html_parser

from algorithms.structure.kinds import CELLS, Key, align_of, span_of
from algorithms.structure.leaves import KeptPage
from engine.tree import Ints

_GROUPS = frozenset(["thead", "tbody", "tfoot"])


def new(tag: str, **attributes: str) -> HtmlElement:
    """Return an element of a clean tree."""
    element: HtmlElement = html_parser.makeelement(tag, attributes)
    return element


def table_rows(page: KeptPage, table: int, leaf_rows: Ints) -> Mapping[Key, HtmlElement]:
    """Return the table, its rows and its cells, empty still, by the rows of the page they are from.

    Args:
        page: The page.
        table: Row of the table, which holds no other.
        leaf_rows: Rows of all that is kept, ascending, int32 (k,).

    A cell that reaches down from a row of which nothing is kept stands empty in the first one
    below, so that columns stay.
    """
    tree, made = page.reading.rows.tree, {("table", table): new("table")}
    end = int(tree.end[table])
    inside = slice(table, end)
    is_cell = tree.has_tag(*CELLS, rows=inside)
    cells = (np.flatnonzero(is_cell) + table).tolist()
    of_line: dict[int, list[int]] = {
        line: [] for line in (np.flatnonzero(tree.has_tag("tr", rows=inside)) + table).tolist()
    }
    for own in cells:  # a row that the page leaves out is that of the group
        line = int(tree.parent[own])
        while line not in of_line and line > table and tree.name_of(line) not in _GROUPS:
            line = int(tree.parent[line])
        of_line.setdefault(line, []).append(own)
    lines = sorted(of_line)
    spans = [[(cell, *_spans(page, cell)) for cell in of_line[line]] for line in lines]
    groups = [line if tree.name_of(line) != "tr" else int(tree.parent[line]) for line in lines]
    ends = [max([int(tree.end[cell]) for cell in of_line[line]], default=line) for line in lines]
    kept = np.diff(np.searchsorted(leaf_rows, np.stack([lines, ends], axis=1))).ravel() > 0
    before = [0, *np.cumsum(kept).tolist()]
    by_row: dict[int, list[tuple[int, HtmlElement]]] = {}
    for each in grid_of(spans, groups):
        first, past = before[each.row], before[each.row + each.height]
        if past == first:
            continue
        cell = made[tree.name_of(each.cell), each.cell] = new(tree.name_of(each.cell))
        for name, span in (("colspan", each.width), ("rowspan", past - first)):
            if span > 1:
                cell.set(name, str(span))
        if align := align_of(page.reading.rows.attributes(each.cell)):
            cell.set("align", align)
        by_row.setdefault(first, []).append((each.column, cell))
    for number, k in enumerate(np.flatnonzero(kept).tolist()):
        line = lines[k] if tree.name_of(lines[k]) == "tr" else ~lines[k]
        row = made["tr", line] = new("tr")
        in_order = sorted(by_row.get(number, ()), key=lambda placed: placed[0])
        row.extend(cell for _, cell in in_order)
        in_head = tree.name_of(groups[k]) == "thead"
        _add(made["table", table], row, in_head=in_head)
    return made


def _add(table: HtmlElement, row: HtmlElement, *, in_head: bool) -> None:
    """Add a row to the head, where it is in one or has headers alone, or to the body below."""
    is_body = len(table) > 0 and table[-1].tag == "tbody"
    is_head = not is_body and (in_head or all(cell.tag == "th" for cell in row))
    tag = "thead" if is_head else "tbody"
    if not len(table) or table[-1].tag != tag:
        table.append(new(tag))
    table[-1].append(row)


def _spans(page: KeptPage, cell: int) -> tuple[int, int]:
    given = page.reading.rows.attributes(cell)
    return span_of(given, "colspan"), span_of(given, "rowspan")


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
