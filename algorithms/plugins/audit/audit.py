"""How strongly gold is contradicted, block by block.

What gold a block probably has follows from gleaner's expectation, from the gold of the other blocks
of its kind on the page (one path of tags and classes), and from that of the blocks around it: a
logistic regression whose weights were fitted on WCXB with gleaner's expectation out of fold
(methods.md#audit).  The suspicion is how far gold is from that.  How many native methods keep a
block adds nothing to it, and is given as a reason.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from algorithms.plugins.audit.crowd import Crowd
from engine.tree import Bools, Doubles, Longs
from engine.words import plural

WEIGHTS = {
    "base": -0.17,
    "gleaner": 0.39,
    "siblings": 4.36,
    "many siblings": 2.54,
    "before": 1.02,
    "after": 1.05,
    "around": 2.05,
    "both": -0.88,
    "around, expected": 0.26,
}
"""What each column of `Evidence.matrix` counts, in log odds."""

_REACH, _MANY = 5, 5
_BRIDGED, _LITTLE = 2, 1
"""Blocks inside a run that may be expected as marked; words that make gleaner half believed."""

_BY_PLACE = 0.89
"""Highest suspicion of a run by its position: some lists are left out by intent."""

_ENTRIES, _ALIKE = 4, 0.7
"""Blocks that a list has at least, and the share of them that are of one kind."""

_CERTAIN = 1e-4


@dataclass(frozen=True, eq=False)
class Evidence:
    """Evidence on the gold of a page's b blocks, none of it from a block's own gold.

    Attributes:
        chance: float64 (b,). Gleaner's expectation.
        votes: float64 (b,). Share of the native methods that keep most of it.
        siblings: float64 (b,). Mean gold of the other blocks of its kind; NaN without any.
        sibling_count: int64 (b,). How many those are.
        kinds: int64 (b,). Blocks of one kind have one number.
        before, after: float64 (b,). Gold of the neighbours; 0 at the ends.
        around: float64 (b,). Mean gold of five blocks on either side.
        others: Blocks that each other annotator marked, bool (b,); None where that annotator did
            not mark the page.
        crowd: Trust in those; None where there are none.
    """

    chance: Doubles
    votes: Doubles
    siblings: Doubles
    sibling_count: Longs
    kinds: Longs
    before: Doubles
    after: Doubles
    around: Doubles
    others: tuple[Bools | None, ...] = ()
    crowd: Crowd | None = None

    @property
    def matrix(self) -> Doubles:
        """Matrix of the regression, (b, weights)."""
        siblings = np.nan_to_num(self.siblings, nan=0.5) - 0.5
        before, after, around = self.before - 0.5, self.after - 0.5, self.around - 0.5
        columns = (
            np.ones(self.chance.size),
            odds(self.chance),
            siblings,
            siblings * np.minimum(self.sibling_count, _MANY) / _MANY,
            before,
            after,
            around,
            before * after,
            around * (self.chance - 0.5),
        )
        return np.stack(columns, axis=1)

    @property
    def expected(self) -> Doubles:
        """The gold each block probably has, 0 to 1, (b,)."""
        own = np.asarray(1 / (1 + np.exp(-self.matrix @ np.array([*WEIGHTS.values()]))))
        return own if self.crowd is None else self.crowd.expected(own, self.others)


def odds(chance: Doubles, certain: float = _CERTAIN) -> Doubles:
    """Return the logarithm of odds, of none quite certain."""
    chance = np.clip(chance, certain, 1 - certain)
    return np.asarray(np.log(chance / (1 - chance)))


def siblings_of(gold: Doubles, kinds: Longs) -> tuple[Doubles, Longs]:
    """Return the mean gold of the others of each block's kind, NaN for none, and their number."""
    count = np.bincount(kinds, minlength=1)[kinds] - 1
    total = np.bincount(kinds, weights=gold, minlength=1)[kinds] - gold
    return np.where(count > 0, total / np.maximum(count, 1), np.nan), count


def evidence(gold: Doubles, chance: Doubles, votes: Doubles, kinds: Longs) -> Evidence:
    """Collect the evidence on gold.

    Args:
        gold: float64 (b,). Which share of each block is marked.
        chance, votes: As in `Evidence`.
        kinds: int64 (b,). Blocks of one kind have one number.
    """
    size = gold.size
    siblings, count = siblings_of(gold, kinds)
    sums = np.concatenate(([0.0], np.cumsum(gold)))
    index = np.arange(size)
    low, high = np.maximum(index - _REACH, 0), np.minimum(index + _REACH + 1, size)
    around = (sums[high] - sums[low] - gold) / np.maximum(high - low - 1, 1)
    before = np.concatenate(([0.0], gold[:-1]))[:size]
    after = np.concatenate((gold[1:], [0.0]))[:size]
    return Evidence(chance, votes, siblings, count, kinds, before, after, around)


@dataclass(frozen=True)
class Contradiction:
    """Neighbouring blocks whose gold is contradicted alike.

    Attributes:
        first, last: The blocks: first, and one past the last.
        is_marked: Whether gold has them; else it leaves them out.
        suspicion: 0 to 1: distance of gold from the expectation, mean by words.
        words: How many they have.
        reasons: Why, in words.
        is_list: Whether these are blocks of one kind amid such as gold has the other way: right
            gold seldom has that.
    """

    first: int
    last: int
    is_marked: bool
    suspicion: float
    words: int
    reasons: tuple[str, ...]
    is_list: bool = False


def _suspect_runs(off: Doubles, is_marked: Bools, words: Longs) -> list[tuple[int, int]]:
    """Return first and one past the last block of each run with equal gold, expected otherwise."""
    at = np.flatnonzero((off > 0.5) & (words > 0))
    if not at.size:
        return []
    changes = np.cumsum(np.diff(is_marked, prepend=is_marked[:1]))
    is_cut = (np.diff(at) > _BRIDGED + 1) | (np.diff(changes[at]) > 0)
    firsts, lasts = at[np.append(True, is_cut)], at[np.append(is_cut, True)] + 1
    return list(zip(firsts.tolist(), lasts.tolist(), strict=True))


def whole_runs(gold: Doubles, known: Evidence, words: Longs) -> Doubles:
    """Return how strongly whole runs of gold are contradicted, each block as its run, (b,).

    Where a list is left out or a menu marked as a whole, the blocks confirm each other.  Evidence
    is gleaner's expectation of all of them, and the expectation of the run as one block by its
    position: between its neighbours, and beside others of its kinds outside it.  A run consists of
    neighbours with equal gold for which gleaner expects the opposite; up to two blocks inside it
    may be expected as marked.

    Args:
        gold: float64 (b,). Which share of each block is marked.
        known: The evidence on them.
        words: int64 (b,). Words of each block.
    """
    result, off = np.zeros(gold.size), np.abs(gold - known.chance)
    found = _suspect_runs(off, gold >= 0.5, words)
    if not found:
        return result
    sums = np.concatenate(([0.0], np.cumsum(gold)))
    total, count = np.bincount(known.kinds, weights=gold), np.bincount(known.kinds)
    rows = []
    for first, last in found:
        part, low, high = slice(first, last), max(first - _REACH, 0), min(last + _REACH, gold.size)
        share = words[part] / words[part].sum()
        kinds, own = np.unique(known.kinds[part], return_inverse=True)
        others = count[kinds] - np.bincount(own)
        marked = (total[kinds] - np.bincount(own, weights=gold[part])) / np.maximum(others, 1)
        counted = np.bincount(own, weights=share) * (others > 0)
        around = sums[high] - sums[low] - sums[last] + sums[first]
        rows.append((
            share @ gold[part],
            share @ off[part],
            share @ known.chance[part],
            marked @ counted / counted.sum() if counted.any() else np.nan,
            known.before[first],
            known.after[last - 1],
            around / max(high - low - (last - first), 1),
        ))  # fmt: skip
    own_gold, far, chance, siblings, before, after, around = np.array(rows).T
    none = np.zeros(len(rows), dtype=np.int64)
    expected = Evidence(chance, chance, siblings, none, none, before, after, around).expected
    by_place = np.minimum(np.abs(own_gold - expected), _BY_PLACE)
    for (first, last), one, other in zip(found, far.tolist(), by_place.tolist(), strict=True):
        size = words[first:last].sum()
        result[first:last] = max(one * size / (size + _LITTLE), other)
    return result


def findings(gold: Doubles, known: Evidence, words: Longs) -> tuple[Contradiction, ...]:
    """Return gold that is contradicted more than confirmed, in page order."""
    suspicion = np.abs(gold - known.expected)
    if known.crowd is None:  # else other annotators are better evidence than gleaner
        suspicion = np.maximum(suspicion, whole_runs(gold, known, words))
    is_marked = gold >= 0.5
    is_suspect = (suspicion > 0.5) & (words > 0)
    result = []
    changes = np.diff(is_suspect) | np.diff(is_marked)
    for first, last in pairwise([0, *(np.flatnonzero(changes) + 1).tolist(), gold.size]):
        if not is_suspect[first:last].any():
            continue
        part = slice(first, last)
        weight = words[part] / words[part].sum()
        result.append(
            Contradiction(
                first,
                last,
                bool(is_marked[first]),
                float((suspicion[part] * weight).sum()),
                int(words[part].sum()),
                _reasons(known, is_marked, part, weight),
                _is_list(known, is_marked, part),
            )
        )
    return tuple(result)


def _is_list(known: Evidence, is_marked: Bools, part: slice) -> bool:
    """Return whether blocks are mostly of one kind, and both their neighbours marked otherwise."""
    kinds = known.kinds[part]
    ends = np.array((known.before[part][0], known.after[part][-1])) >= 0.5
    if kinds.size < _ENTRIES or (ends == is_marked[part.start]).any():
        return False
    return bool(np.bincount(kinds).max() >= _ALIKE * kinds.size)


def _reasons(known: Evidence, is_marked: Bools, part: slice, weight: Doubles) -> tuple[str, ...]:
    """Return the contradictions of the gold of some blocks, in words."""
    marked = bool(is_marked[part.start])
    chance = float((known.chance[part] * weight).sum())
    votes = float((known.votes[part] * weight).sum())
    reasons = []
    if (chance < 0.5) == marked:
        reasons.append(f"gleaner expects {chance:.0%} of it to be content")
    if (votes < 0.5) == marked:
        reasons.append(f"{votes:.0%} of the other methods keep it")
    asked = [own[part] for own in known.others if own is not None]
    against = sum(float((own * weight).sum() < 0.5) == marked for own in asked)
    if against:
        verb = "leave it out" if marked else "mark it"
        reasons.append(f"{against} of {plural(len(asked), 'other annotator')} {verb}")
    siblings = known.siblings[part]
    if siblings.size and not np.isnan(siblings).all():
        share, count = float(np.nanmean(siblings)), int(known.sibling_count[part].max())
        if (share < 0.5) == marked:
            reasons.append(f"of {count} others of its kind on the page {share:.0%} are marked")
    if ((known.before[part][0] + known.after[part][-1]) / 2 < 0.5) == marked:
        said = "is not marked" if marked else "is marked"
        which = "it is a list, and " * _is_list(known, is_marked, part)
        reasons.append(f"{which}what stands around it {said}")
    return tuple(reasons) or ("the sum of what speaks against it",)
