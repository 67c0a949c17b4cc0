"""Few gestures that mark the main content of a page, sought among all that a hand could do.

What is marked is a set of texts and pictures; a gesture is another set, added, taken out, or added
unless all of it is there (then it is taken out, as rectangles, clicks and drags over text do).
What a gesture holds is asked of the program's own functions.  The search keeps the best sets of
each number of actions, so that a cheaper way may be missed.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np

from annotate.marks.gold import MAIN, Gold, Target
from annotate.marks.similar import _others, builds
from annotate.marks.targets import leaves
from engine.nodes import NodeTable
from engine.tree import Bools, Longs
from gui.page.overlay import hit

_BEAM, _MOST_SETS, _MOST_ACTIONS, _MOST_WIDER = 60, 4000, 40, 6
_BESIDE = 2  # so many parts before and after the main content a gesture may begin or end at


@dataclass(frozen=True, eq=False)
class Gesture:
    """A gesture: actions it takes, what it is over, and how it changes what is marked.

    Attributes:
        kind: ``rect``, ``text``, ``click``, or a key: ``more`` adds all alike, ``less`` does away
            with them.
        rows: First and last row it is over.
    """

    kind: str
    cost: int
    rows: tuple[int, int]
    holds: Bools

    def after(self, marked: Bools) -> Bools:
        """Return what is marked after it."""
        all_there = not (self.holds & ~marked).any()
        if self.kind == "less" or (self.kind != "more" and all_there):
            return marked & ~self.holds
        return marked | self.holds


Sets = dict[bytes, tuple[Bools, list[Gesture]]]
"""What may be marked, each with the gestures that lead there."""


class MainPlanner:
    """The gestures of one page, and the cheapest series of them.

    Args:
        nodes: The page.
        gold: Its main content.
        over: Returns what a ``rect`` or ``text`` from a row to another holds; () for a gesture that
            nobody makes.
    """

    def __init__(
        self,
        nodes: NodeTable,
        gold: Gold,
        over: Callable[[str, int, int], Sequence[Target]],
    ) -> None:
        self.nodes, self._over = nodes, over
        self._atoms = np.array([row for row in leaves(nodes, 0).tolist() if nodes.visible[row]])
        self._words = np.array(
            [len(nodes.text[r].split()) * bool(nodes.is_text[r]) for r in self._atoms.tolist()]
        )
        self.wanted = self.marked(gold)
        self.gestures = self._distinct([*self._clicks(), *self._drags()])

    def marked(self, gold: Gold) -> Bools:
        """Return which texts and pictures are main content, bool (k,)."""
        return self._held(t for mark in gold.of_level(MAIN) for t in mark.targets)

    def f1(self, marked: Bools) -> float:
        """Return the F1 of the words of what is marked."""
        common = self._words[marked & self.wanted].sum()
        return float(
            2 * common / max(self._words[marked].sum() + self._words[self.wanted].sum(), 1)
        )

    def is_reached(self, marked: Bools, least: float) -> bool:
        """Return whether enough is right: 1.0 asks for all texts and pictures and no others."""
        return self.f1(marked) >= least and (least < 1 or bool((marked == self.wanted).all()))

    def plan(self, marked: Bools, least: float) -> list[Gesture]:
        """Return gestures that lead to an F1 of at least ``least``."""
        levels: dict[int, Sets] = {0: {marked.tobytes(): (marked, [])}}
        known: dict[bytes, int] = {}
        for cost in range(_MOST_ACTIONS):
            for now, done in self._best(levels.pop(cost, {})).values():
                if self.is_reached(now, least):
                    return done
                for each in self.gestures:
                    then, at = each.after(now), cost + each.cost
                    if known.get(key := then.tobytes(), at + 1) > at:
                        known[key] = at
                        levels.setdefault(at, {})[key] = then, [*done, each]
            for at, sets in levels.items():
                if len(sets) > _MOST_SETS:
                    levels[at] = self._best(sets)
        raise AssertionError("no series of gestures was found")

    def _best(self, sets: Sets) -> Sets:
        """Return the sets nearest to the wanted one, by errors and by words."""
        by_errors = sorted(sets.items(), key=lambda item: self._left(item[1][0]))
        by_words = sorted(sets.items(), key=lambda item: -self.f1(item[1][0]))
        return dict([*by_errors[:_BEAM], *by_words[:_BEAM]])

    def _left(self, marked: Bools) -> float:
        """Return how far a set is from the wanted one: stretches of errors, then their words."""
        wrong = marked != self.wanted
        kind = np.where(wrong, 1 + self.wanted, 0)
        stretches = int(((kind[1:] != kind[:-1]) & (kind[1:] > 0)).sum()) + int(kind[0] > 0)
        weight = self._words + 0.5
        return stretches + 0.3 * float(weight[wrong].sum() / weight[self.wanted].sum())

    def _held(self, targets: Iterable[Target]) -> Bools:
        result = np.zeros(len(self._atoms), dtype=bool)
        for target in targets:
            first, end = np.searchsorted(self._atoms, [target.row, self.nodes.end[target.row]])
            result[first:end] = True
        return result

    def _clicks(self) -> Iterator[Gesture]:
        """Yield clicks on elements, each with its steps wider, and keys for all alike."""
        nodes, built = self.nodes, builds(self.nodes)
        for row in np.flatnonzero(~nodes.is_text & nodes.visible & (nodes.area > 0)).tolist():
            holds = self._held([Target(row)])
            if not holds.any():
                continue
            framed = self._framed(self._atoms[holds][0])
            same = [
                k for k, here in enumerate(framed) if (self._held([Target(here)]) == holds).all()
            ]
            if same:
                yield Gesture("click", 1 + same[0], (row, row), holds)
            if row in framed and (others := _others(nodes, built, row)):
                alike = self._held(map(Target, (row, *others)))
                for kind in ("more", "less"):
                    yield Gesture(kind, 1 + framed.index(row), (row, row), alike)

    def _framed(self, atom: int) -> list[int]:
        """Return the elements that are framed over a text or picture, by steps wider."""
        result = [int(self.nodes.parent[atom]) if self.nodes.is_text[atom] else int(atom)]
        while len(result) < _MOST_WIDER:
            there = hit.stride(self.nodes, result[-1], "parent")
            if there == result[-1]:
                break
            result.append(there)
        return result

    def _drags(self) -> Iterator[Gesture]:
        """Yield rectangles and drags over text between parts that are wanted whole, or not."""
        rows: list[int] = []
        for row in np.flatnonzero(~self.nodes.is_text).tolist():
            here = self.wanted[self._held([Target(row)])]
            is_one = here.size and here.all() == here.any()
            if is_one and not (rows and self.nodes.is_inside(row, rows[-1])):
                rows.append(row)
        right = [k for k, row in enumerate(rows) if self.wanted[self._held([Target(row)])].any()]
        if not right:
            return
        near = rows[max(0, right[0] - _BESIDE) : right[-1] + _BESIDE + 1]
        for first, last in combinations_with_replacement(near, 2):
            for kind in ("rect", "text"):
                yield Gesture(kind, 1, (first, last), self._held(self._over(kind, first, last)))

    def _distinct(self, gestures: Sequence[Gesture]) -> list[Gesture]:
        """Return the cheapest gesture of each effect."""
        result: dict[tuple[bytes, str], Gesture] = {}
        for each in sorted(gestures, key=lambda each: -each.cost):
            if each.holds.any():
                effect = each.kind if each.kind in ("more", "less") else ""
                result[each.holds.tobytes(), effect] = each
        return list(result.values())


def texts_in(nodes: NodeTable, row: int) -> Longs:
    """Return the rows of the texts in a row that are seen."""
    rows = leaves(nodes, row)
    return np.asarray(rows[nodes.is_text[rows]], dtype=np.int64)
