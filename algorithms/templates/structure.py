"""What distances compare of a page's structure: tags, paths and their shingles, as numbers.

Nodes are elements and texts; comments and the document type are neither.  Script, style and head
are elements like others, but for the text in them.
"""

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt
import scipy  # loads its parts when they are first used

from algorithms.signals.memo import shared
from engine.source import Source
from engine.tree import Bools, Ints, Longs, lock

Matrix = npt.NDArray[np.float64]

PATH_LENGTH = 4
"""Elements of a path shingle: the most Buttler recommends."""

RUN_LENGTH = 8
"""Tags of a sequence shingle: the shortest window of DSC."""


@shared
def labels(source: Source, classes: bool) -> tuple[tuple[str, ...], Ints]:
    """Return the distinct labels of a page's nodes, and that of each row, int32 (n,).

    A label is the name; with ``classes`` an element's class attribute is part of it.
    """
    tree = source.tree
    if not classes:
        return tree.names, tree.tag
    known: dict[str, int] = {}
    names = map(tree.names.__getitem__, tree.tag.tolist())
    classed = (
        f"{name}.{' '.join(source.attributes(row).get('class', '').split())}"
        for row, name in enumerate(names)
    )
    result = [known.setdefault(each, len(known)) for each in classed]
    label = np.array(result, dtype=np.int32)
    lock(label)
    return tuple(known), label


def is_leaf(source: Source) -> Bools:
    """Return which rows have nothing below them: texts and empty elements, bool (n,)."""
    leaf = np.ones(len(source.tree), dtype=bool)
    leaf[source.tree.parent[1:]] = False
    return leaf


class Names:
    """Numbers of tag names, equal on all pages, from 1."""

    def __init__(self) -> None:
        self._number: dict[str, int] = {}

    def of(self, names: Iterable[str]) -> Longs:
        """Return the number of each name, int64 (k,)."""
        known = self._number
        return np.array([known.setdefault(name, len(known) + 1) for name in names], dtype=np.int64)


def tag_runs(sources: Sequence[Source]) -> list[Longs]:
    """Return each page's tags in order, int64 (t,): numbers from 2, of end tags odd."""
    names = Names()
    result = []
    for source in sources:
        tokens = source.tokens
        is_tag = tokens.is_tag & ~tokens.is_named("!")
        number = names.of([*tokens.names, ""])[tokens.name[is_tag]]
        result.append(2 * number + tokens.is_close[is_tag])
    return result


def tag_counts(sources: Sequence[Source]) -> Matrix:
    """Return how many elements of each name each page has, float64 (pages, names)."""
    names = Names()
    pages = [
        names.of(source.tree.names)[source.tree.tag[~source.tree.is_text]] for source in sources
    ]
    most = max((int(page.max(initial=0)) for page in pages), default=0)
    counts = [np.bincount(page, minlength=most + 1) for page in pages]
    return np.array(counts, dtype=np.float64).reshape(len(pages), -1)


def leaf_paths(sources: Sequence[Source], *, classes: bool = False) -> list[Longs]:
    """Return the distinct paths from the root to a leaf of each page, as numbers.  O(n)."""
    known: dict[tuple[int, str], int] = {}
    result = []
    for source in sources:
        distinct, label = labels(source, classes)
        path: list[int] = []
        for number, parent in zip(label.tolist(), source.tree.parent.tolist(), strict=True):
            step = (path[parent] if parent >= 0 else -1, distinct[number])
            path.append(known.setdefault(step, len(known)))
        result.append(np.unique(np.array(path, dtype=np.int64)[is_leaf(source)]))
    return result


def path_shingles(sources: Sequence[Source], *, classes: bool = False) -> list[Longs]:
    """Return the distinct pieces of `PATH_LENGTH` nodes of each page's paths, as numbers.

    A path with fewer nodes is one piece.
    """
    known: dict[tuple[int, ...], int] = {}
    names = Names()
    result = []
    for source in sources:
        distinct, label = labels(source, classes)
        number = np.append(names.of(distinct)[label], 0)  # parent -1 reads the 0 at the end
        parent = np.append(source.tree.parent, -1)
        above = np.arange(label.size)
        steps = []
        for _ in range(PATH_LENGTH):
            steps.append(number[above])
            above = parent[above]
        piece = np.stack(steps, axis=1)[(steps[-1] > 0) | is_leaf(source)]
        pieces = set(map(tuple, piece.tolist()))
        keys = {known.setdefault(key, len(known)) for key in pieces}
        result.append(np.array(sorted(keys), dtype=np.int64))
    return result


def run_shingles(sources: Sequence[Source]) -> list[Longs]:
    """Return the distinct runs of `RUN_LENGTH` tags of each page, as numbers.

    A page with fewer tags is one run.
    """
    runs = []
    for run in tag_runs(sources):
        padded = np.pad(run, (0, max(0, RUN_LENGTH - run.size)))
        windows = np.lib.stride_tricks.sliding_window_view(padded, RUN_LENGTH)[: run.size]
        runs.append(windows.astype(np.uint16))
    sizes = [len(windows) for windows in runs]
    rows = np.ascontiguousarray(np.concatenate(runs)) if runs else np.zeros((0, RUN_LENGTH), "u2")
    packed = rows.view(np.dtype([("a", "<u8"), ("b", "<u8")])).ravel()
    _, number = np.unique(packed["a"], return_inverse=True)
    _, second = np.unique(packed["b"], return_inverse=True)
    keys = number.astype(np.int64) * (int(second.max(initial=0)) + 1) + second
    return [np.unique(part) for part in np.split(keys, np.cumsum(sizes)[:-1])] if sizes else []


def common_class_path_shingles(sources: Sequence[Source]) -> Matrix:
    """Return the distances by common pieces of paths, classes being part of names."""
    return of_sets(path_shingles(sources, classes=True))


def of_sets(sets: Sequence[Longs]) -> Matrix:
    """Return 1 - shared / larger for sets of numbers, each int64 and distinct."""
    sizes = np.array([keys.size for keys in sets], dtype=np.int64)
    if not sizes.sum():
        return np.zeros((len(sets), len(sets)))
    _, column = np.unique(np.concatenate(sets), return_inverse=True)
    ends = np.concatenate(([0], np.cumsum(sizes)))
    members = scipy.sparse.csr_array((np.ones(column.size, dtype=np.int32), column, ends))
    shared = (members @ members.T).toarray()
    larger = np.maximum.outer(sizes, sizes)
    result = 1.0 - shared / np.maximum(larger, 1)
    result[larger == 0] = 0.0
    return np.asarray(result, dtype=np.float64)
