"""Comparison of two pages of one template, node by node: shared, different and single nodes.

The nodes are paired from the root down, one to one and in order: among the children of a pair by
the dearest alignment (S. B. Needleman, C. D. Wunsch, 1970, with gaps for nothing), where equal
texts, ids and classes and the content below count.  Other than in
`annotate.plugins.transfer.matching`, which computes colors of rows, a row is paired with one row or
none.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby

import numpy as np
import numpy.typing as npt

from annotate.marks.page_text import page_text
from annotate.marks.style import PageStyle, page_style
from engine.nodes import NodeTable
from engine.tree import BLOCK_TAGS, Bools, Ints, lock

_NAME, _KIND, _PLAIN, _INSIDE, _SAME = 0.1, 0.15, 0.15, 0.2, 0.4  # shares of likeness, together 1
_SHARED = 0.3
"""Up to this share of common characters a line of text is another one altogether."""
_CELLS = 4_000_000
"""So many pairs of children are compared; longer lists are paired in order, kind by kind."""

_Same = npt.NDArray[np.uint64]
_RowPair = tuple[int, int]
_SAYS_SAME, _DIFFERS, _OPEN = "same", "differs", "open"


@dataclass(frozen=True)
class DiffRegion:
    """Neighbouring nodes of each page that belong together; one page may have none.

    Attributes:
        ours, theirs: Their rows, ascending.
    """

    ours: tuple[int, ...]
    theirs: tuple[int, ...]

    @property
    def is_single(self) -> bool:
        return not (self.ours and self.theirs)


@dataclass(frozen=True, eq=False)
class PageDiff:
    """Correspondence of two pages.

    Attributes:
        rows: int32 (n,). The row of theirs for each row of ours, -1 for none; ascending in each
            element.  Locked.
        shared: Largest subtrees with the same text on both: parts of the template.
        differing: Parts that differ, or that one page has alone.
    """

    ours: NodeTable
    theirs: NodeTable
    rows: Ints
    shared: tuple[DiffRegion, ...]
    differing: tuple[DiffRegion, ...]

    def __post_init__(self) -> None:
        lock(self.rows)

    def turned(self) -> "PageDiff":
        """Return the same with the pages exchanged."""
        back = np.full(len(self.theirs), -1, dtype=np.int32)
        paired = np.flatnonzero(self.rows >= 0)
        back[self.rows[paired]] = paired
        shared, differing = (
            tuple(DiffRegion(each.theirs, each.ours) for each in locations)
            for locations in (self.shared, self.differing)
        )
        return PageDiff(self.theirs, self.ours, back, shared, differing)


def diff_pages(ours: NodeTable, theirs: NodeTable) -> PageDiff:
    """Pair the nodes of two pages.

    O(rows), and for each pair of elements O(children of one times children of the other).
    """
    both = _Both(page_style(ours), page_style(theirs), _digests(ours), _digests(theirs))
    rows = both.paired()
    shared: list[DiffRegion] = []
    differing: list[DiffRegion] = []
    region = sorted(both.places(rows), key=lambda each: (each[0].ours or each[0].theirs)[0])
    for position, is_shared in region:
        (shared if is_shared else differing).append(position)
    return PageDiff(ours, theirs, rows, tuple(shared), tuple(differing))


def _digests(nodes: NodeTable) -> _Same:
    """Return a number for the texts and pictures at and below each row, uint64 (n,); 0 for none.

    Equal where these are equal, in any order.
    """
    content = page_text(nodes).content
    own = np.zeros(len(nodes) + 1, dtype=np.uint64)
    for row in np.flatnonzero(content).tolist():
        text = nodes.text[row] if nodes.is_text[row] else nodes.attributes[row].get("src", "")
        mixed = hash((nodes.name_of(row), " ".join(text.split())))
        own[row + 1] = mixed & 0xFFFFFFFFFFFFFFFF
    sums = np.cumsum(own, dtype=np.uint64)
    return np.asarray(sums[nodes.end] - sums[np.arange(len(nodes))])


@dataclass(frozen=True, eq=False)
class _Both:
    ours: PageStyle
    theirs: PageStyle
    same_ours: _Same
    same_theirs: _Same

    # pairing -----------------------------------------------------------------------------------
    def paired(self) -> Ints:
        rows = np.full(len(self.ours.nodes), -1, dtype=np.int32)
        waiting = [(0, 0)]
        while waiting:
            row, other = waiting.pop()
            rows[row] = other
            if self._is_copy(row, other):
                rows[row : self.ours.nodes.end[row]] = np.arange(
                    other, self.theirs.nodes.end[other]
                )
            else:
                mine, others = self.ours.children(row), self.theirs.children(other)
                waiting.extend(self._aligned(mine, others))
        return rows

    def is_same(self, row: int, other: int) -> bool:
        """Whether two rows hold the same texts and pictures, at least one."""
        is_text = self.ours.leaves[row] > 0 and self.same_ours[row] == self.same_theirs[other]
        return bool(is_text)

    def _is_copy(self, row: int, other: int) -> bool:
        """Whether two rows hold the same, element by element."""
        one, two = self.ours.nodes, self.theirs.nodes
        if not self.is_same(row, other) or one.end[row] - row != two.end[other] - other:
            return False
        mine, others = slice(row + 1, one.end[row]), slice(other + 1, two.end[other])
        return bool(np.array_equal(one.parent[mine] - row, two.parent[others] - other)) and all(
            one.name_of(row + k) == two.name_of(other + k)
            for k in range(1, int(one.end[row]) - row)
        )

    def _aligned(self, mine: list[int], others: list[int]) -> Iterator[tuple[int, int]]:
        if not mine or not others:
            return
        if len(mine) * len(others) > _CELLS:
            yield from self._in_order(mine, others)
            return
        likeness = self._likeness(mine, others)
        best = np.zeros((len(mine) + 1, len(others) + 1))
        for index in range(len(mine)):
            step = np.maximum(best[index, 1:], best[index, :-1] + likeness[index])
            best[index + 1, 1:] = np.maximum.accumulate(step)
        row, other = len(mine), len(others)
        while row and other:
            if best[row, other] == best[row - 1, other]:
                row -= 1
            elif best[row, other] == best[row, other - 1]:
                other -= 1
            else:
                row, other = row - 1, other - 1
                yield mine[row], others[other]

    def _likeness(self, mine: list[int], others: list[int]) -> npt.NDArray[np.float64]:
        """Return the similarity of children, float64 (children of one, children of the other).

        0 where the names differ: these are never paired.
        """
        one, two = self.ours, self.theirs

        def equal(value: Callable[[PageStyle, int], object]) -> npt.NDArray[np.bool_]:
            number: dict[object, int] = {}
            left = [number.setdefault(value(one, row), len(number)) for row in mine]
            right = [number.setdefault(value(two, row), len(number)) for row in others]
            return np.asarray(np.equal.outer(np.array(left), np.array(right)), dtype=np.bool_)

        result = _NAME + _KIND * equal(lambda page, row: page.kind[row])
        result += _PLAIN * equal(lambda page, row: page.plain[row])
        result += _INSIDE * (one.inside[mine] @ two.inside[others].T)
        result += _SAME * np.equal.outer(self.same_ours[mine], self.same_theirs[others])
        result *= equal(lambda page, row: page.nodes.name_of(row))
        return np.asarray(result, dtype=np.float64)

    def _in_order(self, mine: list[int], others: list[int]) -> Iterator[tuple[int, int]]:
        behind = 0
        for row in mine:
            kind = self.ours.plain[row]
            result = (k for k in range(behind, len(others)) if self.theirs.plain[others[k]] == kind)
            position = next(result, -1)
            if position >= 0:
                yield row, others[position]
                behind = position + 1

    # what differs ------------------------------------------------------------------------------
    def places(self, rows: Ints) -> Iterator[tuple[DiffRegion, bool]]:
        """Return shared and different parts, from the top down; True for shared ones.

        Neighbours in one parent that are of one sort are one place.
        """
        common = self._common(rows)
        is_line = _lines(self.ours.nodes)

        def sort(pair: _RowPair) -> str:
            row, other = pair
            if row < 0 or other < 0:
                return _DIFFERS
            if self.is_same(row, other):
                return _SAYS_SAME
            is_paired = any(rows[child] >= 0 for child in self.ours.children(row))
            least = _SHARED if is_line[row] else 0.0
            return _OPEN if is_paired and common[row] > least else _DIFFERS

        waiting: list[list[_RowPair]] = [[(0, 0)]]
        while waiting:
            for kind, run in groupby(waiting.pop(), sort):
                pairs = list(run)
                if kind == _OPEN:
                    waiting.extend(self._side_by_side(*pair, rows) for pair in reversed(pairs))
                    continue
                ours = tuple(row for row, _ in pairs if row >= 0)
                theirs = tuple(row for _, row in pairs if row >= 0)
                yield DiffRegion(ours, theirs), kind == _SAYS_SAME

    def _side_by_side(self, row: int, other: int, rows: Ints) -> list[_RowPair]:
        """Return the children of a pair in order, -1 for those without a match."""
        others = self.theirs.children(other)
        result: list[_RowPair] = []
        behind = 0
        for child in self.ours.children(row):
            if rows[child] < 0:
                result.append((child, -1))
                continue
            stop = others.index(int(rows[child]), behind)
            result += [(-1, each) for each in others[behind:stop]]
            result.append((child, others[stop]))
            behind = stop + 1
        return result + [(-1, each) for each in others[behind:]]

    def _common(self, rows: Ints) -> npt.NDArray[np.float64]:
        """Return the shared part of the text of each subtree and its match.

        In characters, a picture as ten; of the longer one of both.  float64 (n,).
        """
        one, two = self.ours.nodes, self.theirs.nodes
        weight, other = _weights(one), _weights(two)
        leaf = np.flatnonzero((rows >= 0) & (weight > 0))
        same = leaf[self.same_ours[leaf] == self.same_theirs[rows[leaf]]]
        weights = np.zeros(len(one))
        weights[same] = weight[same]
        longer = one.subtree_sum(weight)
        paired = rows >= 0
        longer[paired] = np.maximum(longer[paired], two.subtree_sum(other)[rows[paired]])
        return np.asarray(one.subtree_sum(weights) / np.maximum(longer, 1.0))


def _weights(nodes: NodeTable) -> npt.NDArray[np.float64]:
    text = page_text(nodes)
    weight = np.where(text.content, 10.0, 0.0)
    weight[text.rows] = text.stops - text.starts
    return weight


def _lines(nodes: NodeTable) -> Bools:
    """Return which rows hold only text and inline elements, bool (n,)."""
    is_block = nodes.has_tag(*BLOCK_TAGS)
    return np.asarray(nodes.subtree_sum(is_block) - is_block == 0)
