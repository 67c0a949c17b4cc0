"""MDR: records are neighbours whose tags are alike.

Source: B. Liu, R. Grossman, Y. Zhai, "Mining Data Records in Web Pages", KDD 2003.  Names of
functions are those of the paper's procedures.

A *generalised node* is a run of r sibling elements; a *data region* is a run of generalised nodes
of one length whose neighbours are alike: the edit distance of their tags, divided by their mean
length, is at most T.  Departures: texts are no nodes, as tags alone are compared; a subtree of
fewer than three levels is not searched, as in the paper, and so neither is one of flat cells.

Cost: O(n K) distances, each bit-parallel; some 100 ms for a page of 3,000 elements.
"""

from itertools import pairwise

from rapidfuzz.distance import Levenshtein

from algorithms.plugins.records.elements import Elements, Record, RecordSet

K = 10
"""The most elements in a generalised node (section 3.2)."""

T = 0.3
"""The greatest distance of two generalised nodes that are alike (section 5)."""

_Region = tuple[int, int, int]
"""Elements in a generalised node, its first child, children in all."""


def mdr(page: Elements) -> list[RecordSet]:
    """Return the data records of each data region, in document order."""
    return MdrSearch(page).record_sets()


class MdrSearch:
    """Procedures of the paper on a page; a subclass compares siblings by `are_alike`."""

    def __init__(self, page: Elements) -> None:
        self.page = page
        codes = {name: chr(number + 1) for number, name in enumerate(dict.fromkeys(page.tags))}
        self.tags = "".join(codes[name] for name in page.tags)
        self.levels = [1] * len(page)
        for row in range(len(page) - 1, 0, -1):
            up = page.parent[row]
            self.levels[up] = max(self.levels[up], self.levels[row] + 1)

    def record_sets(self) -> list[RecordSet]:
        # FindDRs: a region of a child counts unless a region of its parent covers the child
        result: list[RecordSet] = []
        stack = [0]
        while stack:
            node = stack.pop()
            children = self.page.children[node]
            if self.levels[node] < 3:
                continue
            covered: set[int] = set()
            for region in self.ident_drs(children):
                size, first, count = region
                covered.update(children[first : first + count])
                runs = [children[at : at + size] for at in range(first, first + count, size)]
                if records := self.find_records(runs):
                    result.append(records)
            stack += [child for child in reversed(children) if child not in covered]
        return sorted(result)

    def ident_drs(self, children: list[int]) -> list[_Region]:
        result: list[_Region] = []
        start = 0
        while start < len(children) and (best := self.longest(children, start))[2]:
            result.append(best)
            start = best[1] + best[2]
        return result

    def longest(self, children: list[int], start: int) -> _Region:
        best: _Region = (0, 0, 0)
        for size in range(1, K + 1):
            for first in range(start, start + size):
                found: _Region = (size, first, 0)
                for at in range(first, len(children) - 2 * size + 1, size):
                    middle = at + size
                    if self.are_alike(children[at:middle], children[middle : middle + size]):
                        found = (
                            (size, found[1], found[2] + size) if found[2] else (size, at, 2 * size)
                        )
                    elif found[2]:
                        break
                if found[2] > best[2] and (not best[2] or found[1] <= best[1]):
                    best = found
        return best

    def are_alike(self, one: list[int], other: list[int]) -> bool:
        left = self.tags[one[0] : self.page.end[one[-1]]]
        right = self.tags[other[0] : self.page.end[other[-1]]]
        most = T * (len(left) + len(right)) / 2
        return Levenshtein.distance(left, right, score_cutoff=int(most)) <= most

    def find_records(self, runs: list[list[int]]) -> RecordSet:
        records: RecordSet = []
        for run in runs:
            inner = [self.page.children[row] for row in run]
            holds_records = all(self.is_uniform(each) for each in inner)
            if len(run) == 1 and holds_records and self.page.tags[run[0]] != "tr":
                records += [(child,) for child in inner[0]]  # FindRecords-1
            elif len(run) > 1 and holds_records and len({len(each) for each in inner}) == 1:
                records += list(zip(*inner, strict=True))  # FindRecords-n: in several places
            else:
                records.append(tuple(run))
        return [record for record in records if self.has_text(record)]

    def is_uniform(self, rows: list[int]) -> bool:
        return len(rows) > 1 and all(
            self.are_alike([one], [other]) for one, other in pairwise(rows)
        )

    def has_text(self, record: Record) -> bool:
        return any(self.page.leaves(row) for row in record)
