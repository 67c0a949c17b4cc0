"""B-cubed: how well two segmentations agree on which atoms of a page belong together.

Source: J. Kiesel et al., "Web Page Segmentation Revisited: Evaluation Framework and Dataset",
CIKM 2020; the extended B-cubed of E. Amigó et al., "A comparison of extrinsic clustering
evaluation metrics", 2009, so that segments may overlap and leave parts of the page out.

Precision of S against T: for each atom in S, which share (by weight) of the atoms it shares a
segment of S with it also shares segments of T with, each pair counted as often as both say so;
averaged over the atoms in S by weight.  Recall is precision with S and T exchanged.  Splitting
never costs precision and merging never recall, so the larger of the two tells agreement apart
from granularity (`agreement`).

Atoms: *pixels* of the page, each of weight 1; *edges*, those of them that an edge mask of the
screenshot marks; *nodes*, visible elements and texts, each of weight 1; *chars* and *words*,
visible texts weighted by their characters (white space collapsed) or words.  A pixel is in a block
if it lies in the box of one of the block's rows, as large as what is seen in it; a node if it is
below one of them (identity of nodes, not containment of boxes).

Departure: the published code enlarges each region by a pixel before it counts edges in it, so that
an edge between two blocks counts in both; here it counts where it lies.

Corners: two segmentations of no atom agree (1); if only one has none, all is 0.

Cost: atoms in exactly the same segments of both sides are one item, and pairs are summed by
matrices over the distinct memberships of each side.  Items are found by adding up a random number
per segment over the page, so that equal sums are (but for chance, once in 2^64 pairs) equal
memberships; which segments an item is in is then looked up.
"""

from collections.abc import Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from algorithms.measures.prf import Prf
from algorithms.results import Block, Segmentation
from engine import geometry
from engine.nodes import NodeTable
from engine.tree import Bools

Atoms = Literal["pixels", "nodes", "chars", "words"]
Doubles = npt.NDArray[np.float64]
Items = tuple[Bools, Bools, Doubles]
"""What `bcubed` takes: items in segments of one side, of the other, and what each item weighs."""

_FEW = 10_000_000
"""Rows x rows x segments that are multiplied at once: some milliseconds."""


def score_bcubed(
    predicted: Segmentation, gold: Segmentation, atoms: Atoms = "pixels", level: str = "all"
) -> Prf:
    """Compare two segmentations of one page, on one level (``"1"``, ``"2"``) or both together."""
    return bcubed(*items_of(predicted, gold, atoms, level))


def score_edges(
    predicted: Segmentation, gold: Segmentation, mask: Bools, level: str = "all"
) -> Prf:
    """Compare by the pixels an edge mask marks, bool (h, w): a picture of the whole page.

    It may have another scale than the page: its width is that of the page.
    """
    return bcubed(*items_of(predicted, gold, "pixels", level, mask))


def items_of(
    predicted: Segmentation,
    gold: Segmentation,
    atoms: Atoms,
    level: str = "all",
    mask: Bools | None = None,
) -> Items:
    """Cut a page into items in the same blocks of two segmentations; see `score_bcubed`.

    A ``mask`` leaves of the pixels only those it marks.
    """
    ours, theirs = of_level(predicted, level), of_level(gold, level)
    nodes = gold.nodes
    if atoms == "pixels":
        rects = geometry.visual_rects(nodes)
        first = [rects[list(block.rows)] for block in ours]
        second = [rects[list(block.rows)] for block in theirs]
        return pixel_items(first, second, (nodes.width, nodes.height), mask)
    return node_items(nodes, ours, theirs, atom_weights(nodes, atoms))


def agreement(prf: Prf) -> float:
    """Return agreement apart from granularity: the larger of precision and recall."""
    return max(prf.precision, prf.recall)


def bcubed(in_first: Bools, in_second: Bools, weights: Doubles) -> Prf:
    """Return precision, recall and F1 of items in segments.

    Args:
        in_first: bool (k, n). Whether each item is in each segment of S.
        in_second: bool (k, m). The same for T.
        weights: float64 (k,). What each item weighs.
    """
    precision, recall = (
        _one_way(in_first, in_second, weights),
        _one_way(in_second, in_first, weights),
    )
    if precision is None and recall is None:
        return Prf(1.0, 1.0, 1.0)
    precision, recall = precision or 0.0, recall or 0.0
    both = precision + recall
    return Prf(precision, recall, 2 * precision * recall / both if both else 0.0)


def _one_way(ours: Bools, theirs: Bools, weights: Doubles) -> float | None:
    """Return precision of ``ours``; None if no weight lies in any of its segments.

    How often a pair shares segments depends on the memberships alone, so the sum runs over the
    distinct ones of each side: for a and b it is w[a, b] times what all a', b' add, and
    min(A, B) / A is the sum over k = 1, 2, ... of [A >= k] / A times [B >= k].
    """
    covered = ours.any(axis=1) & (weights > 0)
    if not covered.any():
        return None
    s, a = _distinct(ours[covered])
    t, b = _distinct(theirs[covered])
    weight = np.zeros((len(s), len(t)))
    np.add.at(weight, (a, b), weights[covered])
    in_s, in_t = _shared(s), _shared(t)
    share = np.divide(1.0, in_s, out=np.zeros(in_s.shape), where=in_s > 0)
    good = np.zeros(weight.shape)
    for k in range(1, int(min(in_s.max(), in_t.max(initial=0))) + 1):
        good += (share * (in_s >= k)) @ weight @ (in_t >= k).astype(np.float64)
    near = (in_s > 0) @ weight.sum(axis=1)
    return float((weight * good / near[:, None]).sum() / weight.sum())


def _distinct(members: Bools) -> tuple[Bools, npt.NDArray[np.intp]]:
    """Return the distinct rows of a membership, bool (k, n), and which of them each row is."""
    packed, place = np.unique(np.packbits(members, axis=1), axis=0, return_inverse=True)
    rows = np.unpackbits(packed, axis=1, count=members.shape[1])
    return rows.astype(bool), place.ravel()


def _shared(members: Bools) -> npt.NDArray[np.int32]:
    """Return how many segments each two rows share, int32 (k, k)."""
    rows, segments = members.shape
    if rows * rows * segments < _FEW:
        # Counts are small, so float32 has them exactly.
        few = members.astype(np.float32)
        return (few @ few.T).astype(np.int32)
    # Most segments are small, and many rows are in none of the same.
    shared = np.zeros((len(members), len(members)), dtype=np.int32)
    for segment in members.T:
        inside = np.flatnonzero(segment)
        shared[np.ix_(inside, inside)] += 1
    return shared


def pixel_items(
    first: Sequence[geometry.Rects],
    second: Sequence[geometry.Rects],
    size: tuple[float, float],
    mask: Bools | None = None,
) -> Items:
    """Cut a page into items of pixels; returns what `bcubed` takes.

    Args:
        first, second: One array (r, 4) of rectangles a segment: it is their union.
        size: Width and height of the page; what sticks out of it is cut off.
        mask: bool (h, w), a picture of the page: only marked pixels count, each as 1.
    """
    segments = [*first, *second]
    owner = np.repeat(np.arange(len(segments)), [len(rects) for rects in segments])
    edges = geometry.corners(np.concatenate(segments)) if segments else np.zeros((0, 4))
    edges = np.clip(edges, 0, (*size, *size))
    solid = (edges[:, 2:] > edges[:, :2]).all(axis=1)
    edges, owner = edges[solid], owner[solid]
    xs, ys = np.unique(edges[:, ::2]), np.unique(edges[:, 1::2])
    if not owner.size:
        return np.zeros((0, len(first)), bool), np.zeros((0, len(second)), bool), np.zeros(0)
    left, right = np.searchsorted(xs, edges[:, 0]), np.searchsorted(xs, edges[:, 2])
    top, bottom = np.searchsorted(ys, edges[:, 1]), np.searchsorted(ys, edges[:, 3])
    marks = _marks(owner.size)
    grid = np.zeros((ys.size, xs.size), dtype=np.uint64)
    for rows, columns, sign in (
        (top, left, 1),
        (top, right, -1),
        (bottom, left, -1),
        (bottom, right, 1),
    ):
        np.add.at(grid, (rows, columns), marks if sign > 0 else np.uint64(0) - marks)
    np.cumsum(np.cumsum(grid, axis=0, dtype=np.uint64), axis=1, dtype=np.uint64, out=grid)
    cells = grid[:-1, :-1].ravel()
    if mask is None:
        weights = np.outer(np.diff(ys), np.diff(xs)).ravel()
    else:
        weights = _marked(mask, xs * (mask.shape[1] / size[0]), ys * (mask.shape[1] / size[0]))
    _, example, item = np.unique(cells, return_index=True, return_inverse=True)
    weight = _sums(item, weights, example.size)
    row, column = np.divmod(example, xs.size - 1)
    inside = (left <= column[:, None]) & (column[:, None] < right)
    inside &= (top <= row[:, None]) & (row[:, None] < bottom)
    return _merged(_by_segment(inside, owner, len(segments)), weight, len(first))


def node_items(
    nodes: NodeTable, first: Sequence[Block], second: Sequence[Block], weights: Doubles
) -> Items:
    """Cut a page into items of nodes in the same blocks; returns what `bcubed` takes."""
    segments = [*first, *second]
    owner = np.repeat(np.arange(len(segments)), [len(block.rows) for block in segments])
    rows = np.array([row for block in segments for row in block.rows], dtype=np.int64)
    if not rows.size:
        return np.zeros((0, len(first)), bool), np.zeros((0, len(second)), bool), np.zeros(0)
    ends = nodes.end[rows]
    marks = _marks(rows.size)
    line = np.zeros(len(nodes) + 1, dtype=np.uint64)
    np.add.at(line, rows, marks)
    np.add.at(line, ends, np.uint64(0) - marks)
    _, example, item = np.unique(
        np.cumsum(line, dtype=np.uint64)[:-1], return_index=True, return_inverse=True
    )
    weight = _sums(item, weights, example.size)
    inside = (rows <= example[:, None]) & (example[:, None] < ends)
    return _merged(_by_segment(inside, owner, len(segments)), weight, len(first))


def atom_weights(nodes: NodeTable, atoms: Atoms) -> Doubles:
    """Return what each row weighs as an atom, float64 (n,); 0 for what is no atom."""
    if atoms == "chars":
        lengths = [len(" ".join(text.split())) for text in nodes.text]
        return np.asarray(np.array(lengths, dtype=np.float64) * nodes.visible, dtype=np.float64)
    if atoms == "words":
        words = np.array([len(text.split()) for text in nodes.text], dtype=np.float64)
        return np.asarray(words * nodes.visible, dtype=np.float64)
    return np.asarray(nodes.visible & (nodes.has_words | ~nodes.is_text), dtype=np.float64)


def _marked(mask: Bools, xs: Doubles, ys: Doubles) -> Doubles:
    """Return how many marked pixels lie in each cell of a grid, row by row; by their centres."""
    total = np.zeros((mask.shape[0] + 1, mask.shape[1] + 1))
    total[1:, 1:] = np.cumsum(np.cumsum(mask, axis=0, dtype=np.float64), axis=1)
    columns = np.clip(np.ceil(xs - 0.5), 0, mask.shape[1]).astype(np.int64)
    rows = np.clip(np.ceil(ys - 0.5), 0, mask.shape[0]).astype(np.int64)
    corners = total[np.ix_(rows, columns)]
    return np.asarray(np.diff(np.diff(corners, axis=0), axis=1).ravel(), dtype=np.float64)


def of_level(segmentation: Segmentation, level: str) -> list[Block]:
    """Return the blocks of one level (``"1"``, ``"2"``), or of both (``"all"``)."""
    return [b for b in segmentation.blocks if level in ("all", str(b.level))]


def _marks(count: int) -> npt.NDArray[np.uint64]:
    """Return random numbers to tell sums of segments apart; the same in every run."""
    return np.random.default_rng(20200).integers(1, 2**64, size=count, dtype=np.uint64)


def _sums(item: npt.NDArray[np.intp], weights: Doubles, count: int) -> Doubles:
    return np.asarray(np.bincount(item, weights=weights, minlength=count), dtype=np.float64)


def _by_segment(inside: Bools, owner: npt.NDArray[np.intp], count: int) -> Bools:
    """Turn item in part, bool (k, parts), into item in segment, bool (k, count)."""
    members = np.zeros((len(inside), count), dtype=bool)
    for part, segment in enumerate(owner.tolist()):
        members[:, segment] |= inside[:, part]
    return members


def _merged(members: Bools, weights: Doubles, split: int) -> tuple[Bools, Bools, Doubles]:
    """Make one item of all with equal membership; leave out those in no segment."""
    used = members.any(axis=1) & (weights > 0)
    packed, item = np.unique(np.packbits(members[used], axis=1), axis=0, return_inverse=True)
    unpacked = np.unpackbits(packed, axis=1, count=members.shape[1]).astype(bool)
    weight = _sums(item.ravel(), weights[used], len(packed))
    return unpacked[:, :split], unpacked[:, split:], weight
