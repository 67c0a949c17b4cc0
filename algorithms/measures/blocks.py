"""Kreuzer's block measures: exact and fuzzy match of block texts.

Source: R. Kreuzer, "A Quantitative Comparison of Semantic Web Page Segmentation Algorithms",
Utrecht 2013, section 5.3.  A block is its text without any white space.  *Exact*: the texts are
equal.  *Fuzzy*: their Ratcliff-Obershelp ratio 2M / (a + b), as Python's ``difflib`` computes it,
is above 0.8.

Where the thesis leaves a choice or its numbers show more than its text:

- **Distinct texts count, not elements**: several blocks of equal text are one item on either side.
  Only so does the published data have the 12.24 relevant blocks a page of the thesis.
- **The empty text is a text**: all blocks without text (pictures) together are one item, which
  matches the other side's.  This is what the thesis' numbers contain; ``count_empty=False``
  leaves them out on both sides.
- **One to one**: a text is matched at most once, and as many as possible are (maximum matching);
  of equally large matchings the one that takes close pairs first.
- The ratio is not symmetric and treats letters that are frequent in long texts as noise
  ("autojunk", from 200 characters on): the predicted text always comes first, the noise rule is
  on, as the library has them by default.

With nothing retrieved precision is 0, with nothing relevant recall is 0; `BlockScore.retrieved`
and `BlockScore.relevant` tell such a 0 from a bad one.
"""

import threading
import weakref
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from types import MappingProxyType

import numpy as np
from rapidfuzz.distance import LCSseq, Prefix

from algorithms.measures.assignment import WeightedPair, match
from algorithms.measures.prf import Prf, prf_of
from algorithms.measures.ratio import Ratios
from algorithms.results import Segmentation

LIMIT = 0.8
LEVELS = ("all", "1", "2")

_LONG = 5_000
"""Letters of two texts above which one first looks whether they differ in few places."""

_STEPS, _SKIPS, _SEED, _NEAR = 64, (0, 1, 8, 64, 512), 24, 10_000
"""In how many; how far ahead the same text is searched for, how much of it, and how far away."""

_GOLDS = 4
"""Pages whose gold texts are kept: workers take the variants of a page one after the other."""

Texts = Sequence[tuple[str, int]]
"""Blocks of which only text and level (1 or 2) are known."""


@dataclass(frozen=True)
class Hit:
    """A predicted and a gold text that match.

    Attributes:
        predicted, gold: The blocks that have the text, as indices of ``Segmentation.blocks``.
        ratio: How alike the texts are; 1.0 if equal.
    """

    predicted: tuple[int, ...]
    gold: tuple[int, ...]
    ratio: float


@dataclass(frozen=True)
class BlockScore:
    """Score and the matches behind it.

    Attributes:
        hits: The matches, in the order of the gold.
        false: Predicted blocks that match nothing, as indices; blocks of equal text one by one.
        missed: Gold blocks that nothing matches, likewise.
        retrieved, relevant: Distinct texts on either side: what precision and recall divide by.
        prf: The three numbers.
    """

    hits: tuple[Hit, ...]
    false: tuple[int, ...]
    missed: tuple[int, ...]
    retrieved: int
    relevant: int
    prf: Prf


@dataclass(frozen=True)
class BlockScores:
    """Both matches, each by level: ``"all"`` (both levels together), ``"1"`` and ``"2"``."""

    exact: Mapping[str, BlockScore]
    fuzzy: Mapping[str, BlockScore]


@dataclass(frozen=True)
class _Text:
    """A distinct text of a segmentation.

    Attributes:
        text: Without white space.
        blocks: For each of `LEVELS` the blocks that have it, as indices.
    """

    text: str
    blocks: Mapping[str, tuple[int, ...]]

    @cached_property
    def digest(self) -> bytes:
        """Cache key."""
        data = self.text.encode("utf-8", "surrogatepass")
        return blake2b(data, digest_size=16).digest()


class _TextSide:
    """The distinct texts of blocks, in order of first appearance."""

    def __init__(self, given: Texts, *, count_empty: bool) -> None:
        blocks: dict[str, dict[str, list[int]]] = {}
        for index, (words, level) in enumerate(given):
            text = without_space(words)
            if text or count_empty:
                indices = blocks.setdefault(text, {level: [] for level in LEVELS})
                indices["all"].append(index)
                indices[str(level)].append(index)
        self.texts = tuple(
            _Text(text, {level: tuple(which) for level, which in indices.items()})
            for text, indices in blocks.items()
        )
        self.place = {indices.text: index for index, indices in enumerate(self.texts)}
        self.of_level = {
            level: [index for index, indices in enumerate(self.texts) if indices.blocks[level]]
            for level in LEVELS
        }
        self.lengths = np.array([len(indices.text) for indices in self.texts], dtype=np.int64)
        # Texts similar to a gold text, by its digest: (index, ratio) of all texts above the limit.
        self.near: dict[bytes, tuple[tuple[int, float], ...]] = {}
        self._prepared: dict[int, Ratios] = {}

    def take(self, index: int) -> Ratios:
        """Return one text prepared as the second of many, reserved until it is given back."""
        return self._prepared.pop(index, None) or Ratios(self.texts[index].text)

    def give_back(self, index: int, prepared: Ratios) -> None:
        """Store the result of `take` for the next call."""
        self._prepared[index] = prepared


class BlockScorer:
    """Scorer of segmentations that remembers the similarity of texts; may be shared by threads.

    After a change of one gold block only that block's text is compared again.  What a parameter
    changes in a method's result costs the comparisons of the new texts.
    """

    def __init__(self, *, count_empty: bool = True, remember: int = 50_000) -> None:
        """Make a scorer that keeps the last ``remember`` computed ratios (about 200 B each).

        Cached results are dropped with their segmentations.
        """
        self._count_empty = count_empty
        self._remember = remember
        self._ratios: OrderedDict[tuple[bytes, bytes], float] = OrderedDict()
        self._sides: weakref.WeakKeyDictionary[Segmentation, _TextSide] = (
            weakref.WeakKeyDictionary()
        )
        self._golds: OrderedDict[tuple[tuple[str, int], ...], _TextSide] = OrderedDict()
        self._lock = threading.Lock()

    def score(self, predicted: Segmentation, gold: Segmentation) -> BlockScores:
        """Compare ``predicted`` with ``gold``, by level and together."""
        return self._compare(self._side(predicted), self._side(gold))

    def score_texts(self, predicted: Texts, gold: Texts) -> BlockScores:
        """Compare blocks by text alone: the gold may be of another form of the page.

        Indices in the answer are those of the two sequences.
        """
        ours = _TextSide(predicted, count_empty=self._count_empty)
        return self._compare(ours, self._gold(tuple(gold)))

    def alike(self, predicted: Sequence[str], gold: Sequence[str]) -> tuple[WeightedPair, ...]:
        """Return all pairs of texts that match, not one to one; each side's texts are distinct.

        Texts are without white space; as in a score, the empty text matches itself alone.
        """
        ours = _TextSide([(text, 1) for text in predicted], count_empty=True)
        theirs = self._gold(tuple((text, 1) for text in gold))
        return tuple(self._near(ours, theirs))

    def _gold(self, given: tuple[tuple[str, int], ...]) -> _TextSide:
        """Return the texts of the gold; all methods on a page are compared with the same."""
        with self._lock:
            side = self._golds.pop(given, None)
        side = side or _TextSide(given, count_empty=self._count_empty)
        with self._lock:
            self._golds[given] = side
            while len(self._golds) > _GOLDS:
                self._golds.popitem(last=False)
        return side

    def _near(self, ours: _TextSide, theirs: _TextSide) -> list[WeightedPair]:
        new = [j for j, target in enumerate(theirs.texts) if target.digest not in ours.near]
        if new:
            self._find_near(ours, theirs, new)
        near = enumerate(ours.near[target.digest] for target in theirs.texts)
        return [(i, j, ratio) for j, those in near for i, ratio in those]

    def _compare(self, ours: _TextSide, theirs: _TextSide) -> BlockScores:
        pairs = self._near(ours, theirs)
        equal = [
            (ours.place[target.text], j, 1.0)
            for j, target in enumerate(theirs.texts)
            if target.text in ours.place
        ]
        return BlockScores(
            MappingProxyType({level: _score(ours, theirs, equal, level) for level in LEVELS}),
            MappingProxyType({level: _score(ours, theirs, pairs, level) for level in LEVELS}),
        )

    def _side(self, segmentation: Segmentation) -> _TextSide:
        with self._lock:
            side = self._sides.get(segmentation)
        if side is None:
            side = _TextSide(segmentation.texts(), count_empty=self._count_empty)
            with self._lock:
                self._sides[segmentation] = side
        return side

    def _find_near(self, ours: _TextSide, theirs: _TextSide, new: list[int]) -> None:
        """Find all predicted texts that match these gold texts."""
        lengths = theirs.lengths[new, None]
        together = lengths + ours.lengths
        may = (2.0 * np.minimum(lengths, ours.lengths) > LIMIT * together) | (together == 0)
        candidates: list[list[int]] = [[] for _ in new]
        for position, i in zip(*(rows.tolist() for rows in np.nonzero(may)), strict=True):
            candidates[position].append(i)
        keys = [
            [(ours.texts[i].digest, theirs.texts[j].digest) for i in rows]
            for j, rows in zip(new, candidates, strict=True)
        ]
        with self._lock:
            known = [[self._ratios.get(key) for key in rows] for rows in keys]
        fresh: dict[tuple[bytes, bytes], float] = {}
        for j, rows, ratios, names in zip(new, candidates, known, keys, strict=True):
            missing = [k for k, ratio in enumerate(ratios) if ratio is None]
            worked_out = _ratios(ours, theirs, j, [rows[k] for k in missing])
            for k, ratio in zip(missing, worked_out, strict=True):
                ratios[k] = fresh[names[k]] = ratio
            ours.near[theirs.texts[j].digest] = tuple(
                (i, ratio)
                for i, ratio in zip(rows, ratios, strict=True)
                if ratio is not None and ratio > LIMIT
            )
        with self._lock:
            self._ratios.update(fresh)
            while len(self._ratios) > self._remember:
                self._ratios.popitem(last=False)


def without_space(text: str) -> str:
    """Return the text without any white space."""
    return "".join(text.split())


def _ratios(ours: _TextSide, theirs: _TextSide, j: int, candidates: list[int]) -> list[float]:
    """Return the ratio of predicted texts to one gold text; 0 where it is not above the limit."""
    other = theirs.texts[j].text
    result = []
    prepared: Ratios | None = None
    for i in candidates:
        text = ours.texts[i].text
        ratio = 1.0 if text == other else 0.0
        if text != other and _may_match(text, other):
            # The second text is prepared, so all first texts take turns with it.
            prepared = prepared or theirs.take(j)
            ratio = prepared.ratio(text)
        result.append(ratio)
    if prepared is not None:
        theirs.give_back(j, prepared)
    return result


def _may_match(predicted: str, gold: str) -> bool:
    """Return whether the ratio can be above the limit; never wrong on a no.

    What the library matches is a common subsequence, so the longest one bounds it; that is found
    some fifty times faster in long texts, and need not be in those with few differences.
    """
    together = len(predicted) + len(gold)
    if together > _LONG and _are_close(predicted, gold, int(LIMIT * together / 2) + 1):
        return True
    most = LCSseq.similarity(predicted, gold, score_cutoff=int(LIMIT * together / 2))
    return 2.0 * most / together > LIMIT


def _are_close(first: str, second: str, enough: int) -> bool:
    """Return whether walking along both shows so long a common subsequence; a no proves nothing."""
    result = i = j = 0
    for _ in range(_STEPS):
        same = Prefix.similarity(first[i:], second[j:])
        result, i, j = result + same, i + same, j + same
        if result >= enough:
            return True
        # Continue where a few later letters occur nearby in the other text.
        for skip in _SKIPS:
            seed = first[i + skip : i + skip + _SEED]
            position = second.find(seed, j, j + _NEAR) if len(seed) == _SEED else -1
            if position >= 0:
                i, j = i + skip, position
                break
        else:
            return False
    return False


def _score(ours: _TextSide, theirs: _TextSide, pairs: list[WeightedPair], level: str) -> BlockScore:
    """Return the score of one level from the pairs of texts that match on any."""
    here = [
        pair for pair in pairs
        if ours.texts[pair[0]].blocks[level] and theirs.texts[pair[1]].blocks[level]
    ]  # fmt: skip
    ratios = {(i, j): ratio for i, j, ratio in here}
    partner = match(here)
    hits = tuple(
        Hit(ours.texts[i].blocks[level], theirs.texts[j].blocks[level], ratios[i, j])
        for j, i in sorted(partner.items())
    )
    retrieved, relevant = ours.of_level[level], theirs.of_level[level]
    return BlockScore(
        hits=hits,
        false=_rest(ours, retrieved, set(partner.values()), level),
        missed=_rest(theirs, relevant, set(partner), level),
        retrieved=len(retrieved),
        relevant=len(relevant),
        prf=prf_of(len(hits), len(relevant), len(retrieved), undefined=0.0),
    )


def _rest(side: _TextSide, texts: list[int], taken: set[int], level: str) -> tuple[int, ...]:
    blocks = (side.texts[k].blocks[level] for k in texts if k not in taken)
    return tuple(sorted(index for which in blocks for index in which))
