"""DEPTA: records are neighbours whose trees match.

Source: Y. Zhai, B. Liu, "Web Data Extraction Based on Partial Tree Alignment", WWW 2005.  Data
regions are found as by `mdr`, with trees in the stead of strings of tags: two generalised nodes are
alike if W. Yang's simple tree matching, divided by their mean number of elements, is at least
`LEAST`.  Fields are aligned by `fields`.

Departures: the paper draws the page, builds the tree from boxes and lets no gap within a record be
wider than between records; here the tree is the document's, and pages without style sheets can be
read.  Of `LEAST` the paper gives no number; .7 is MDR's, turned round.

Cost: O(n K) matchings, each kind of subtree matched once with each other.
"""

from algorithms.plugins.records.elements import Elements, RecordSet
from algorithms.plugins.records.mdr import MdrSearch

LEAST = 0.7
"""The least normalised matching of two generalised nodes that are alike; from 0 to 1."""

_Kinds = tuple[int, ...]
"""A number for each of some trees in order: equal ones have the same."""


def depta(page: Elements) -> list[RecordSet]:
    """Return the data records of each data region, in document order."""
    return DeptaSearch(page).record_sets()


class DeptaSearch(MdrSearch):
    """MDR's procedures with simple tree matching."""

    def __init__(self, page: Elements) -> None:
        super().__init__(page)
        known: dict[tuple[str, _Kinds], int] = {}
        self.kind = [0] * len(page)
        for row in range(len(page) - 1, -1, -1):
            tree = page.tags[row], tuple(self.kind[child] for child in page.children[row])
            self.kind[row] = known.setdefault(tree, len(known))
        trees = list(known)
        size: list[int] = []
        for _, inner in trees:
            size.append(1 + sum(size[kind] for kind in inner))

        self.size, self._trees = size, trees
        self._known: dict[tuple[_Kinds, _Kinds], int] = {}

    def matched_runs(self, one: _Kinds, other: _Kinds) -> int:
        """Return the simple tree matching of two runs of trees; inner runs first, at any depth."""
        trees, known = self._trees, self._known
        open_runs = [(one, other)]
        while open_runs:
            runs = open_runs[-1]
            pairs = [
                (trees[kind][1], trees[kind_too][1])
                for kind in runs[0]
                for kind_too in runs[1]
                if kind != kind_too and trees[kind][0] == trees[kind_too][0]
            ]
            if unknown := [each for each in dict.fromkeys(pairs) if each not in known]:
                open_runs += unknown
                continue
            open_runs.pop()
            if runs not in known:
                known[runs] = self._aligned(*runs)
        return known[one, other]

    def _aligned(self, one: _Kinds, other: _Kinds) -> int:
        """Return the matching of two runs by that of the runs in them."""
        trees = self._trees
        best = [0] * (len(other) + 1)
        for kind in one:
            (name, inner), above = trees[kind], best[:]
            for at, kind_too in enumerate(other):
                name_too, inner_too = trees[kind_too]
                both = 0
                if kind == kind_too:
                    both = self.size[kind]
                elif name == name_too:
                    both = 1 + self._known[inner, inner_too]
                best[at + 1] = max(best[at], above[at + 1], above[at] + both)
        return best[-1]

    def are_alike(self, one: list[int], other: list[int]) -> bool:
        left, right = (tuple(self.kind[row] for row in rows) for rows in (one, other))
        if left == right:
            return True
        sizes = [sum(self.size[kind] for kind in kinds) for kinds in (left, right)]
        least = LEAST * sum(sizes) / 2
        return min(sizes) >= least and self.matched_runs(left, right) >= least
