"""Lines of a source as shown in a panel: wrapped at its width, folded; computed on arrays.

A minified page is one line of half a megabyte; so lines are cut at a fixed number of characters,
and all positions are known without text layout.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
import numpy.typing as npt

from engine.runs import mark_covered
from engine.source import SourceTree
from engine.tree import Ints, lock

Wide = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class SourceLines:
    """Start and end of lines, in code points of the source.

    Attributes:
        spans: int32 (v, 2). Start and end of each line on screen, line breaks left out.
        number: int32 (v,). The source's line, from 1, that each belongs to.
    """

    spans: Ints
    number: Ints

    def __post_init__(self) -> None:
        lock(self.spans)
        lock(self.number)

    @classmethod
    def of(cls, html: str, columns: int) -> Self:
        """Wrap a source into lines of at most ``columns`` characters.  O(n), 1 MB in some 5 ms."""
        codes = np.frombuffer(html.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
        breaks = np.flatnonzero(codes == 10)
        starts = np.concatenate([[0], breaks + 1])
        ends = np.concatenate([breaks, [codes.size]])
        counts = np.maximum(1, -(-(ends - starts) // max(columns, 1)))
        line = np.repeat(np.arange(starts.size), counts)
        position = np.arange(line.size) - np.repeat(np.cumsum(counts) - counts, counts)
        first = starts[line] + position * columns
        last = np.minimum(first + columns, ends[line])
        spans = np.stack([first, last], axis=1).astype(np.int32)
        return cls(spans, (line + 1).astype(np.int32))

    def __len__(self) -> int:
        return len(self.spans)

    def at(self, offset: int) -> int:
        """Return the screen line of a character."""
        return max(0, int(np.searchsorted(self.spans[:, 0], offset, side="right")) - 1)


@dataclass(frozen=True, eq=False)
class Folds:
    """Elements that can be folded: those of at least three lines on screen.

    Attributes:
        rows: int32 (k,). Rows of the source's tree.
        first, last: int32 (k,). Line of the start tag, and of the end of the element.
    """

    rows: Ints
    first: Ints
    last: Ints

    @classmethod
    def of(cls, tree: SourceTree, lines: SourceLines) -> Self:
        """Return the folds of a source, outer ones first if they begin on the same line."""
        first = np.searchsorted(lines.spans[:, 0], tree.outer[:, 0], side="right") - 1
        last = np.searchsorted(lines.spans[:, 0], tree.outer[:, 1] - 1, side="right") - 1
        rows = np.flatnonzero(~tree.is_text & (last - first >= 2) & (tree.token >= 0))
        return cls(rows.astype(np.int32), first[rows].astype(np.int32), last[rows].astype(np.int32))

    @cached_property
    def by_line(self) -> dict[int, int]:
        """Index of the outermost fold that begins on a line."""
        result: dict[int, int] = {}
        for index, line in enumerate(self.first.tolist()):
            result.setdefault(line, index)
        return result

    def around(self, line: int) -> int:
        """Return the innermost fold around a line, -1 if there is none."""
        inside = np.flatnonzero((self.first <= line) & (line < self.last))
        return int(inside[-1]) if inside.size else -1

    def shown(self, folded: frozenset[int], count: int) -> Wide:
        """Return which of ``count`` lines are shown, ascending; ``folded`` are rows of the tree.

        The lines of the start tag and of the end stay visible, as do texts beside them.
        """
        if not folded:
            return np.arange(count)
        is_folded = np.isin(self.rows, np.array(sorted(folded), dtype=np.int32))
        hidden = mark_covered(self.first[is_folded] + 1, self.last[is_folded], count)
        return np.flatnonzero(~hidden)
