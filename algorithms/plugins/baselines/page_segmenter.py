"""PageSegmenter′: neighbours whose leaves are reached by common paths belong together.

Source: S. Vadrevu, F. Gelgi, H. Davulcu, "Semantic Partitioning of Web Pages", WISE 2005, as read
by R. Kreuzer, Utrecht 2013, section 6.2, Algorithm 6.3.  The path entropy of a node is the sum of
-p log p over the leaves below it, p being the share of the page's leaves that have the same path
of tags.  A run of siblings is a block if the mean entropy of its nodes is at most the median of
all inner nodes; the longest run goes first, of equally long ones the leftmost, never all siblings
at once unless there is but one; then what is before and after it is cut the same way, and what is
in no run is entered.

Readings with which the thesis' figures come out: leaves are texts (those of white space too) and
elements without children; a path counts once per leaf; the median is over elements with children.
It cuts the DOM as it is, head and hidden parts included; ``visible_only`` leaves out blocks without
visible contents.  The method is flat: all blocks are of level 1.

Cost: the printed listing tries all runs, O(n³) for n siblings.  Here a run is found from prefix
sums in O(n log n), and siblings of which no two form a run are passed through once.  Means are
compared in units of 2^-40, so that equal entropies are equal.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.results import Block, Segmentation
from algorithms.signals.traversal import IS_BLOCK
from algorithms.trace import Rule, Trace, step
from engine import geometry
from engine.nodes import NodeTable
from engine.page import Page
from engine.tree import Bools, Longs
from engine.words import plural

UNITS = 2.0**40

_FEW = 12
"""Siblings of which runs are tried one by one."""


@dataclass(frozen=True)
class PageSegmenterParams(Params):
    visible_only: bool = param(False, "leave out blocks without visible contents")


def segment(page: Page, params: PageSegmenterParams) -> Segmentation:
    """Return the blocks of the page's DOM."""
    nodes = page.rendered()
    return Segmentation(nodes, tuple(find_blocks(nodes, params)))


def find_blocks(nodes: NodeTable, params: PageSegmenterParams) -> list[Block]:
    """Return the runs of siblings that are blocks, in document order."""
    if not len(nodes):
        return []
    excess, _ = _excess(nodes)
    seen = _seen(nodes)
    result = [
        Block(tuple(rows), 1, reason=_reason(len(rows)))
        for rows, is_block in _runs(nodes, excess)
        if is_block and (not params.visible_only or seen[rows].any())
    ]
    return sorted(result, key=lambda block: block.rows)


def _excess(nodes: NodeTable) -> tuple[Longs, float]:
    """Return the path entropy of each row less the median, int64 (n,) in units, and the median."""
    entropy = path_entropy(nodes)
    median = median_entropy(nodes, entropy)
    return np.rint((entropy - median) * UNITS).astype(np.int64), median


def _runs(nodes: NodeTable, excess: Longs) -> Iterator[tuple[list[int], bool]]:
    """Yield each run of siblings that is asked, and whether it is a block; no row twice."""
    children = _children(nodes)
    waiting = [[0]]
    while waiting:
        siblings = waiting.pop()
        for run, is_block in cut_siblings(excess[siblings]):
            rows = siblings[run.start : run.stop]
            if not is_block:
                waiting.extend(children[row] for row in rows if children[row])
            yield rows, is_block


def _seen(nodes: NodeTable) -> Bools:
    """Return in which rows there is something to see, bool (n,)."""
    return np.asarray(geometry.areas(geometry.visual_rects(nodes)) > 0)


_ENTROPY = Rule(
    "mean path entropy", "<=", verbs=IS_BLOCK,
    says=(
        "mean path entropy {value} is at most the page's median ({limit})",
        "mean path entropy {value} is above the page's median ({limit})",
    ),
)  # fmt: skip
_SHOWS = Rule(
    "visible content", parameters=("visible_only",), verbs=IS_BLOCK,
    says=("something in it is visible", "nothing in it is visible"),
)  # fmt: skip


def trace(page: Page, params: PageSegmenterParams) -> Trace:
    """Return of each run of siblings that was asked its mean entropy, beside the median."""
    nodes = page.rendered()
    if not len(nodes):
        return Trace((), 0)
    excess, median = _excess(nodes)
    runs = list(_runs(nodes, excess))
    parents = inner_rows(nodes)
    rows, is_kept, values, notes = [], [], [], []
    for run, is_block in runs:
        mean = median + float(excess[run].sum()) / (UNITS * len(run))
        note = f"it and {plural(len(run) - 1, 'neighbour')} together" if len(run) > 1 else ""
        if not is_block:
            note = "its children are examined" if parents[run[0]] else "it has no children"
        rows += run
        is_kept += [is_block] * len(run)
        values += [mean] * len(run)
        notes += [note] * len(run)
    positions = np.stack([rows, np.array(rows) + 1], axis=1)
    steps = [step(_ENTROPY, positions, is_kept, values, median, tuple(notes))]
    seen = _seen(nodes)
    empty = [row for run, is_block in runs if is_block and not seen[run].any() for row in run]
    if params.visible_only and empty:
        steps.append(step(_SHOWS, [(row, row + 1) for row in empty], np.full(len(empty), False)))
    return Trace(tuple(steps), len(nodes))


def path_entropy(nodes: NodeTable) -> npt.NDArray[np.float64]:
    """Return the path entropy of every row, float64 (n,).  O(n)."""
    paths: dict[int, int] = {}
    path: list[int] = []
    width = len(nodes.names)
    for tag, parent in zip(nodes.tag.tolist(), nodes.parent.tolist(), strict=True):
        step = (path[parent] + 1 if parent >= 0 else 0) * width + tag
        path.append(paths.setdefault(step, len(paths)))
    leaves = np.flatnonzero((nodes.frame == 0) & ~inner_rows(nodes))
    of_leaves = np.array(path, dtype=np.intp)[leaves]
    share = np.bincount(of_leaves)[of_leaves] / max(leaves.size, 1)
    gain = np.zeros(len(nodes))
    gain[leaves] = -share * np.log(share)
    return nodes.subtree_sum(gain)


def cut_siblings(excess: Longs) -> list[tuple[range, bool]]:
    """Cut siblings into runs that are blocks and single nodes to be entered, in order.

    ``excess``, int64 (n,), is each node's entropy less the median.
    """
    if excess.size <= 2:  # most often: a run of several, but not all, takes three
        return [(range(k, k + 1), value <= 0) for k, value in enumerate(excess.tolist())]
    pieces: list[tuple[range, bool]] = []
    waiting = [(0, excess.size)]
    while waiting:
        start, stop = waiting.pop()
        if start >= stop:
            continue
        run = longest_run(excess[start:stop])
        if len(run) < 2:
            # No two neighbours form a run: every node is separate.
            single = ((range(k, k + 1), bool(excess[k] <= 0)) for k in range(start, stop))
            pieces.extend(single)
            continue
        first, last = start + run.start, start + run.stop
        pieces.append((range(first, last), True))
        waiting += [(last, stop), (start, first)]
    return sorted(pieces, key=lambda piece: piece[0].start)


def longest_run(excess: Longs) -> range:
    """Return the longest run of sum 0 or less, the leftmost of several; not all if more than one.

    An empty range if there is none.  The last place where the sum is low enough is found for each
    start in the running minimum from the right.  Few are tried one by one.
    """
    if excess.size <= _FEW:
        return _tried(excess.tolist())
    total = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(excess)))
    lowest = np.minimum.accumulate(total[::-1])[::-1]
    stop = np.searchsorted(lowest, total[:-1], side="right") - 1
    if excess.size > 1 and stop[0] == excess.size:
        shorter = np.minimum.accumulate(total[-2::-1])[::-1]
        stop[0] = np.searchsorted(shorter, total[0], side="right") - 1
    lengths = stop - np.arange(excess.size)
    start = int(np.argmax(lengths)) if excess.size else 0
    return range(start, int(stop[start])) if excess.size else range(0)


def _tried(excess: list[int]) -> range:
    count = len(excess)
    total = list(accumulate(excess, initial=0))
    for length in range(max(count - 1, 1), 0, -1):
        for start in range(count - length + 1):
            if total[start + length] <= total[start]:
                return range(start, start + length)
    return range(0)


def _children(nodes: NodeTable) -> list[list[int]]:
    """Return the rows of the children in the same document, by row."""
    result: list[list[int]] = [[] for _ in range(len(nodes))]
    frames = nodes.frame.tolist()
    for row, parent in enumerate(nodes.parent.tolist()):
        if parent >= 0 and frames[row] == frames[parent]:
            result[parent].append(row)
    return result


def inner_rows(nodes: NodeTable) -> Bools:
    """Return which rows have children in the same document, bool (n,)."""
    parents = nodes.parent
    result = np.zeros(len(nodes), dtype=bool)
    result[parents[1:][nodes.frame[1:] == nodes.frame[parents[1:]]]] = True
    return result


def median_entropy(nodes: NodeTable, entropy: npt.NDArray[np.float64]) -> float:
    """Return the median of the path entropy, (n,), of elements with children."""
    inner = (nodes.frame == 0) & inner_rows(nodes)
    return float(np.median(entropy[inner])) if inner.any() else 0.0


def _reason(count: int) -> str:
    what = f"{count} neighbours are" if count > 1 else "it is"
    return f"{what} built from paths that are common on the page"


METHOD = Method(
    "page-segmenter",
    "PageSegmenter′",
    PageSegmenterParams,
    "segmentation",
    cite="Vadrevu, Gelgi, Davulcu 2005; Kreuzer 2013, section 6.2",
    on_page=segment,
    trace_page=trace,
    summary="Joins neighbours in the DOM whose texts are reached by paths common on the page.",
)
