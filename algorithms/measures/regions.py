"""Block by block: intersection over union, splits and merges, and types (measures.md#relations).

*Matched* are blocks one to one so that their IoU (shared over united weight) is largest in sum; a
pair is a hit from a threshold on (S. Sanoja and S. Gancarski, 2015; Kiesel et al., 2020, use .5).

*Relations* give the outcome of each gold block, by how much of a block is inside another (Sanoja
and Gancarski 2015).  A block is inside another if at least ``share`` of it is.  Asked in this
order, a gold block is *right* (one to one with a predicted block, either lying in the other),
*split* (several predicted blocks lie in it), *merged* (it lies in a predicted block in which
another gold block lies), *off* (it lies in one, or one in it, alone) or *missed*.  A predicted
block of which neither holds for any gold block is a *false* alarm.

Atoms are those of B-cubed: pixels, or nodes, characters and words.  Blocks without any atom (they
cannot be seen) are left out on both sides.  Levels together are blocks one by one: a block inside
another splits nothing and merges nothing with it only if levels are compared separately.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from algorithms.measures.assignment import assign
from algorithms.measures.items import Table
from algorithms.measures.prf import Prf, prf_of
from algorithms.results import Block
from engine.tree import Bools, Doubles

NO_BLOCK = "(none)"
"""Type of a missing block."""

UNTYPED = "(untyped)"


@dataclass(frozen=True, eq=False)
class Overlaps:
    """Overlaps of the blocks of two segmentations.

    Attributes:
        predicted, gold: The visible blocks: n and m.
        shared: float64 (n, m).
        ours, theirs: Weight of each block, float64 (n,) and (m,).
    """

    predicted: tuple[Block, ...]
    gold: tuple[Block, ...]
    shared: Doubles
    ours: Doubles
    theirs: Doubles

    @cached_property
    def iou(self) -> Doubles:
        """Shared over united weight, float64 (n, m), 0 to 1."""
        return np.asarray(self.shared / (self.ours[:, None] + self.theirs[None, :] - self.shared))

    @cached_property
    def pairs(self) -> tuple[tuple[int, int, float], ...]:
        """The best assignment: place of the predicted and of the gold block, and their IoU."""
        return tuple((i, j, float(self.iou[i, j])) for i, j in assign(self.iou))


@dataclass(frozen=True)
class RegionScore:
    """Blocks matched by IoU.

    Attributes:
        hits: Place of the predicted and of the gold block in `Overlaps`, and their IoU.
        prf: Hits over blocks on either side; P is 1 with nothing retrieved, R with nothing
            relevant.
    """

    hits: tuple[tuple[int, int, float], ...]
    prf: Prf


def overlaps_in(table: Table, predicted: Sequence[Block], gold: Sequence[Block]) -> Overlaps:
    """Return the overlaps of blocks; the table is of just these blocks."""
    first, second = table.ours.numbers, table.theirs.numbers
    ours, theirs = table.weight.sum(axis=1) @ first, table.weight.sum(axis=0) @ second
    shared = first.T @ table.weight @ second
    seen, is_marked = ours > 0, theirs > 0
    return Overlaps(
        tuple(block for block, is_seen in zip(predicted, seen, strict=True) if is_seen),
        tuple(block for block, is_seen in zip(gold, is_marked, strict=True) if is_seen),
        shared.compress(seen, axis=0).compress(is_marked, axis=1),
        ours[seen],
        theirs[is_marked],
    )


def match_regions(overlaps: Overlaps, least: float = 0.5) -> RegionScore:
    """Return the hits of the best assignment: pairs with an IoU of ``least`` or more."""
    hits = tuple(pair for pair in overlaps.pairs if pair[2] >= least)
    prf = prf_of(len(hits), relevant=len(overlaps.gold), retrieved=len(overlaps.predicted))
    return RegionScore(hits, prf)


@dataclass(frozen=True, eq=False)
class MatchOutcomes:
    """Outcome of each block.

    Attributes:
        gold: One of ``right, split, merged, off, missed`` for each gold block.
        false: Indices of predicted blocks that are about no gold block.
        mergers: Indices of predicted blocks that contain several gold blocks.
        ours_in, theirs_in: Which predicted block lies in which gold block, bool (n, m), and which
            gold block in which predicted one.
    """

    gold: tuple[str, ...]
    false: tuple[int, ...]
    mergers: tuple[int, ...]
    ours_in: Bools
    theirs_in: Bools


def match_outcomes(overlaps: Overlaps, share: float = 0.75) -> MatchOutcomes:
    """Return the outcome of each block; a block is in another from ``share`` on."""
    ours_in = np.asarray(overlaps.shared >= share * overlaps.ours[:, None], dtype=bool)
    theirs_in = np.asarray(overlaps.shared >= share * overlaps.theirs[None, :], dtype=bool)
    partners = assign(np.where(ours_in & theirs_in, overlaps.iou, 0.0))
    right = {j for _, j in partners}
    several_in_it = np.count_nonzero(ours_in, axis=0) > 1
    mergers = np.count_nonzero(theirs_in, axis=1) > 1
    in_a_merger = theirs_in[mergers].any(axis=0)
    touched = (ours_in | theirs_in).any(axis=0)
    states = tuple(
        "right" if j in right
        else "split" if several_in_it[j]
        else "merged" if in_a_merger[j]
        else "off" if touched[j]
        else "missed"
        for j in range(len(overlaps.gold))
    )  # fmt: skip
    false = np.flatnonzero(~(ours_in | theirs_in).any(axis=1)).tolist()
    return MatchOutcomes(
        states, tuple(false), tuple(np.flatnonzero(mergers).tolist()), ours_in, theirs_in
    )


def relations(overlaps: Overlaps, share: float = 0.75) -> Counter[str]:
    """Return how many gold blocks have each outcome, and how many predicted ones are ``false``.

    A block is in another from ``share`` on.
    """
    each = match_outcomes(overlaps, share)
    return Counter(each.gold) + Counter(false=len(each.false))


def confusion(overlaps: Overlaps, least: float = 0.5) -> Mapping[tuple[str, str], int]:
    """Return how often a gold type was given a predicted type: (gold, predicted) → count.

    Counted are the hits of `match_regions`, and with `NO_BLOCK` on the other side the blocks that
    are no hit.  A block without a type counts as `UNTYPED`.
    """
    hits = match_regions(overlaps, least).hits
    counts: Counter[tuple[str, str]] = Counter()
    for i, j, _ in hits:
        counts[_type(overlaps.gold[j]), _type(overlaps.predicted[i])] += 1
    hit_ours, hit_theirs = {i for i, _, _ in hits}, {j for _, j, _ in hits}
    for i, block in enumerate(overlaps.predicted):
        if i not in hit_ours:
            counts[NO_BLOCK, _type(block)] += 1
    for j, block in enumerate(overlaps.gold):
        if j not in hit_theirs:
            counts[_type(block), NO_BLOCK] += 1
    return counts


def type_accuracy(counts: Mapping[tuple[str, str], int]) -> float | None:
    """Return the share of hits with a gold type that were given it.

    None if there are no such hits, or if no predicted block has a type: the method gives none.
    """
    if all(predicted in (NO_BLOCK, UNTYPED) for _, predicted in counts):
        return None
    hits = right = 0
    for (gold, predicted), count in counts.items():
        if gold not in (NO_BLOCK, UNTYPED) and predicted != NO_BLOCK:
            hits += count
            right += count if gold == predicted else 0
    return right / hits if hits else None


def _type(block: Block) -> str:
    return block.type or UNTYPED
