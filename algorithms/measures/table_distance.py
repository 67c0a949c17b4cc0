"""TEDS: how alike two tables are, by the edit distance of their trees.

Source: X. Zhong, E. ShafieiBavani, A. Jimeno Yepes, Image-based table recognition: data, model, and
evaluation, ECCV 2020, section 5: ``TEDS(A, B) = 1 - EditDist(A, B) / max(|A|, |B|)``.  Trees are
table, thead and tbody, tr, td; inserting and deleting a node costs 1; putting one for another costs
1 where either is no cell, or tags, columns or rows they span differ, and else the Levenshtein
distance of their texts over the longer one's length.  The distance is that of K. Zhang, D. Shasha,
SIAM Journal on Computing 18, 1989.

Departures: ``th`` is a cell as ``td`` is, with a different tag; |A| counts all nodes, the table
itself included, as the paper says and its published script does not; texts are compared without
marks, white space collapsed; captions are left out.

Two nodes of a kind cost nothing where both are no cell.  O(|A| |B|) but for rows and bodies: .6 s
for two tables of 500 nodes.  Where all tables of a page have more than `MOST_PAIRS` pairs of nodes,
it is the longest common sequence of equal rows over the rows of the longer table instead.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import LCSseq, Levenshtein
from rapidfuzz.process import cdist

if TYPE_CHECKING:
    from lxml.html import HtmlElement

MOST_PAIRS = 250_000
"""Pairs of nodes up to which trees are compared."""

_CELLS = ("td", "th")


@dataclass(frozen=True)
class _Postorder:
    """A tree in postorder, n nodes.

    Attributes:
        labels: Tag, columns and rows of each.
        texts: Text of each cell; "" of others.
        leftmost: Number of the leftmost leaf below each.
        keyroots: Nodes with a sibling before them, and the root; ascending.
    """

    labels: tuple[tuple[str, str, str], ...]
    texts: tuple[str, ...]
    leftmost: tuple[int, ...]
    keyroots: tuple[int, ...]


def teds_of_pairs(
    tables: "Sequence[HtmlElement]", others: "Sequence[HtmlElement]"
) -> npt.NDArray[np.float64]:
    """Return how alike each table is to each of the others, 0 to 1, float64 (n, m)."""
    mine, theirs = list(map(_postorder, tables)), list(map(_postorder, others))
    pairs = sum(len(a.labels) for a in mine) * sum(len(b.labels) for b in theirs)
    if pairs > MOST_PAIRS:
        rows, rows_of_others = list(map(_rows, tables)), list(map(_rows, others))
        alike = [[LCSseq.normalized_similarity(a, b) for b in rows_of_others] for a in rows]
    else:
        alike = [[_teds(a, b) for b in theirs] for a in mine]
    return np.array(alike, dtype=np.float64)


def _teds(mine: _Postorder, other: _Postorder) -> float:
    if (mine.labels, mine.texts, mine.leftmost) == (other.labels, other.texts, other.leftmost):
        return 1.0
    most = max(len(mine.labels), len(other.labels))
    return max(0.0, 1.0 - _distance(mine, other) / most)


def _rows(table: "HtmlElement") -> list[str]:
    return ["\t".join(_text(cell) for cell in row) for row in table.iter("tr")]


def _text(cell: "HtmlElement") -> str:
    return " ".join(" ".join(cell.itertext()).split())


def _postorder(table: "HtmlElement") -> _Postorder:
    labels: list[tuple[str, str, str]] = []
    texts: list[str] = []
    leftmost: list[int] = []

    def add(element: "HtmlElement") -> None:
        first = len(labels)
        is_cell = element.tag in _CELLS
        for child in () if is_cell else element:
            if child.tag != "caption":
                add(child)
        labels.append((str(element.tag), element.get("colspan", "1"), element.get("rowspan", "1")))
        texts.append(_text(element) if is_cell else "")
        leftmost.append(first)

    add(table)
    last = {left: number for number, left in enumerate(leftmost)}
    return _Postorder(tuple(labels), tuple(texts), tuple(leftmost), tuple(sorted(last.values())))


def _costs(mine: _Postorder, other: _Postorder) -> npt.NDArray[np.float64]:
    """Return the cost of replacing each node by each node of the other tree."""
    numbers = {label: k for k, label in enumerate(dict.fromkeys((*mine.labels, *other.labels)))}
    is_other = np.not_equal.outer(
        [numbers[label] for label in mine.labels], [numbers[label] for label in other.labels]
    )
    texts = cdist(mine.texts, other.texts, scorer=Levenshtein.normalized_distance, dtype=np.float64)
    return np.where(is_other, 1.0, texts)


def _distance(mine: _Postorder, other: _Postorder) -> float:
    """Zhang and Shasha's distance."""
    matrix = _costs(mine, other)
    costs: list[list[float]] = matrix.tolist()
    trees = _with_leaves(mine, other, matrix)
    for i in mine.keyroots:
        for j in other.keyroots:
            if mine.leftmost[i] < i and other.leftmost[j] < j:
                _forests(i, j, mine.leftmost, other.leftmost, costs, trees)
    return float(trees[-1][-1])


def _with_leaves(
    mine: _Postorder, other: _Postorder, costs: npt.NDArray[np.float64]
) -> list[list[float]]:
    """Return distances of trees of which one is a leaf: it replaces the node with the least cost.

    That never costs more than taking it away and putting another in: no cost is above 1.
    """
    trees = np.zeros((len(mine.labels), len(other.labels)))
    for i, left in enumerate(mine.leftmost):
        trees[i] = i - left + costs[left : i + 1].min(axis=0)
    for j, left in enumerate(other.leftmost):
        if left < j:
            trees[:, j] = j - left + costs[:, left : j + 1].min(axis=1)
    distances: list[list[float]] = trees.tolist()
    return distances


def _forests(
    i: int,
    j: int,
    left: Sequence[int],
    left_other: Sequence[int],
    costs: Sequence[Sequence[float]],
    trees: Sequence[list[float]],
) -> None:
    """Fill in the distances of the trees on the leftmost paths down from two keyroots."""
    first, first_other = left[i], left_other[j]
    width = j - first_other + 2
    before = [float(k) for k in range(width)]
    forests = [before]
    for x in range(first, i + 1):
        row = [before[0] + 1.0]
        cost, tree = costs[x], trees[x]
        is_way = left[x] == first
        part = forests[left[x] - first]
        for y in range(first_other, j + 1):
            k = y - first_other
            least = min(before[k + 1], row[k]) + 1.0
            if is_way and left_other[y] == first_other:
                least = min(least, before[k] + cost[y])
                tree[y] = least
            else:
                least = min(least, part[left_other[y] - first_other] + tree[y])
            row.append(least)
        forests.append(row)
        before = row
