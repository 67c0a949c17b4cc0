"""TEDS: how alike two tables are, by the edit distance of their trees.

Source: X. Zhong, E. ShafieiBavani, A. Jimeno Yepes, Image-based table recognition: data, model, and
evaluation, ECCV 2020, section 5: ``TEDS(A, B) = 1 - EditDist(A, B) / max(|A|, |B|)``.  Trees are
table, thead and tbody, tr, td; inserting and deleting a node costs 1; putting one for another costs
1 where either is no cell, or tags, columns or rows they span differ, and else the Levenshtein
distance of their texts over the longer one's length.  The distance is that of K. Zhang, D. Shasha,
SIAM Journal on Computing 18, 1989.

Departures: ``th`` is a cell as ``td`` is, with a tag of its own; |A| counts all nodes, the table
itself included, as the paper says and its published script does not; texts are compared without
marks, white space collapsed; captions are left out.

Two nodes of a kind cost nothing where both are no cell.  O(|A| |B|) but for rows and bodies: .5 s
for two tables of 500 nodes; above `MOST_PAIRS` pairs of nodes it is the longest common sequence of
equal rows over the rows of the longer table instead.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from rapidfuzz.distance import LCSseq, Levenshtein
from rapidfuzz.process import cdist

if TYPE_CHECKING:
    from lxml.html import HtmlElement

MOST_PAIRS = 500_000
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


def teds(a: "HtmlElement", b: "HtmlElement") -> float:
    """Return how alike two ``table`` elements are, 0 to 1; 1 for equal ones."""
    mine, other = _postorder(a), _postorder(b)
    if len(mine.labels) * len(other.labels) > MOST_PAIRS:
        rows, others = _rows(a), _rows(b)
        return float(LCSseq.normalized_similarity(rows, others))
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


def _costs(mine: _Postorder, other: _Postorder) -> list[list[float]]:
    """What putting each node for each of the other tree costs."""
    numbers = {label: k for k, label in enumerate(dict.fromkeys((*mine.labels, *other.labels)))}
    is_other = np.not_equal.outer(
        [numbers[label] for label in mine.labels], [numbers[label] for label in other.labels]
    )
    texts = cdist(mine.texts, other.texts, scorer=Levenshtein.normalized_distance, dtype=np.float64)
    costs: list[list[float]] = np.where(is_other, 1.0, texts).tolist()
    return costs


def _distance(mine: _Postorder, other: _Postorder) -> float:
    """Zhang and Shasha's distance."""
    costs = _costs(mine, other)
    trees = [[0.0] * len(other.labels) for _ in mine.labels]
    for i in mine.keyroots:
        for j in other.keyroots:
            _forests(i, j, mine.leftmost, other.leftmost, costs, trees)
    return trees[-1][-1]


def _forests(
    i: int,
    j: int,
    left: Sequence[int],
    left_other: Sequence[int],
    costs: Sequence[Sequence[float]],
    trees: Sequence[list[float]],
) -> None:
    """Fill in the distances of the trees on the leftmost ways down from two keyroots."""
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
