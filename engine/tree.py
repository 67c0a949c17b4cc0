"""A document tree as columns: rows in document order, a parent before its children.

Both trees of a page have this shape: the one read from its source (`engine.source`) and the one
the browser built (`engine.nodes`), so that a method on trees runs on either.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from engine.runs import mark_covered

Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Longs = npt.NDArray[np.int64]
Indices = npt.NDArray[np.intp]

TEXT = "#text"

BLOCK_TAGS = frozenset(
    "address article aside blockquote body center dd details dialog dir div dl dt fieldset "
    "figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html isindex legend "
    "li listing main menu nav noframes ol optgroup option p plaintext pre search section summary "
    "table tbody td tfoot th thead tr ul xmp".split()
)
"""Elements that start a new line; ``br`` breaks a line too but holds nothing."""

TEXTLESS_TAGS = frozenset(["script", "style", "title"])
"""Elements whose text no reader sees.  The shorter list of methods.md#text-of-a-page."""


def lock(array: npt.NDArray[np.generic]) -> None:
    """Make an array read-only, so that a frozen dataclass really is."""
    array.setflags(write=False)


class Locked:
    """Base of frozen dataclasses whose arrays are read-only once they are made."""

    def __post_init__(self) -> None:
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                lock(value)


@dataclass(frozen=True, eq=False)
class Tree:
    """Columns of all document trees.

    Attributes:
        names: The distinct tag names, lower case; ``#text`` for a text.
        tag: int32 (n,). Index into `names`.
        parent: int32 (n,). Row of the parent, -1 for the root (row 0).
    """

    names: tuple[str, ...]
    tag: Ints
    parent: Ints

    def __len__(self) -> int:
        return int(self.parent.size)

    @cached_property
    def is_text(self) -> Bools:
        """Rows that are texts, bool (n,)."""
        return self.has_tag(TEXT)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.names)}

    def has_tag(self, *names: str, rows: slice = slice(None)) -> Bools:
        """Return which rows, of all or of a slice, carry one of these tag names, bool (n,)."""
        known, tags = self._numbers, self.tag[rows]
        numbers = [known[name] for name in names if name in known]
        if not numbers:
            return np.zeros(tags.size, dtype=bool)
        if len(numbers) == 1:
            return np.asarray(tags == numbers[0], dtype=bool)
        is_named = np.zeros(len(self.names), dtype=bool)
        is_named[numbers] = True
        return np.asarray(is_named[tags], dtype=bool)

    def name_of(self, row: int) -> str:
        return self.names[int(self.tag[row])]

    @cached_property
    def depth(self) -> Ints:
        """Levels below the root, int32 (n,).  O(n)."""
        depth = [0] * len(self)
        for row, parent in enumerate(self.parent.tolist()):
            if parent >= 0:
                depth[row] = depth[parent] + 1
        return np.array(depth, dtype=np.int32)

    @cached_property
    def end(self) -> Ints:
        """Index after the last row of each subtree, int32 (n,): rows ``row..end[row]``. O(n)."""
        end = list(range(1, len(self) + 1))
        parents = self.parent.tolist()
        for row in range(len(self) - 1, 0, -1):
            parent = parents[row]
            if parent >= 0 and end[row] > end[parent]:
                end[parent] = end[row]
        return np.array(end, dtype=np.int32)

    @cached_property
    def _child_index(self) -> tuple[Ints, Ints]:
        order = np.argsort(self.parent, kind="stable").astype(np.int32)
        starts = np.searchsorted(self.parent[order], np.arange(-1, len(self)), side="left")
        return order, starts.astype(np.int32)

    def children(self, row: int) -> Ints:
        """Return the rows of the children, in order, int32 (k,).  O(k)."""
        order, starts = self._child_index
        last = starts[row + 2] if row + 2 < starts.size else order.size
        return order[starts[row + 1] : last]

    def subtree_sum(
        self, values: npt.NDArray[np.generic], rows: npt.NDArray[np.integer] | None = None
    ) -> npt.NDArray[np.float64]:
        """Return sums of ``values``, (n,), over each row's subtree, float64 (n,).  O(n).

        With ``rows``, (k,), over the subtrees of these only, float64 (k,).
        """
        total = np.zeros(values.size + 1)
        np.cumsum(values, dtype=np.float64, out=total[1:])
        if rows is None:
            return np.asarray(total[self.end] - total[:-1], dtype=np.float64)
        return np.asarray(total[self.end[rows]] - total[rows], dtype=np.float64)

    def within(self, *names: str) -> Bools:
        """Return the rows at or inside an element of these names, bool (n,). O(n)."""
        return self.below(self.has_tag(*names))

    def below(self, rows: Bools) -> Bools:
        """Return the rows at or below one of ``rows``, bool (n,), as bool (n,). O(n)."""
        return mark_covered(np.flatnonzero(rows), self.end[rows], len(self))

    def is_inside(self, row: int, ancestor: int) -> bool:
        """Return whether ``row`` is ``ancestor`` or below it. O(1)."""
        return ancestor <= row < int(self.end[ancestor])
