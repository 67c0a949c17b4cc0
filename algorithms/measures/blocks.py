"""Kreuzer's block measures: exact and fuzzy match of block texts.

Source: R. Kreuzer, "A Quantitative Comparison of Semantic Web Page Segmentation Algorithms",
Utrecht 2013, section 5.3.  A block is its text without any white space.  *Exact*: the texts are
equal.  *Fuzzy*: their Ratcliff-Obershelp ratio 2M / (a + b), as Python's ``difflib`` computes it,
is above 0.8.

Where the thesis is silent or its numbers say more than its words:

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
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from types import MappingProxyType

import numpy as np
from rapidfuzz.distance import LCSseq

from algorithms.measures.prf import Prf
from algorithms.measures.ratio import Ratios
from algorithms.results import Segmentation

LIMIT = 0.8
LEVELS = ("all", "1", "2")

Texts = Sequence[tuple[str, int]]
"""Blocks of which only text and level (1 or 2) are known."""

Pair = tuple[int, int, float]
"""Index of a predicted text, index of a gold text, and their ratio."""


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
    """One score, and where it comes from.

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
        digest: What it is remembered by.
        blocks: For each of `LEVELS` the blocks that have it, as indices.
    """

    text: str
    digest: bytes
    blocks: Mapping[str, tuple[int, ...]]


class _Side:
    """The distinct texts of blocks, in order of first appearance."""

    def __init__(self, given: Texts, *, count_empty: bool) -> None:
        blocks: dict[str, dict[str, list[int]]] = {}
        for index, (words, level) in enumerate(given):
            text = without_space(words)
            if text or count_empty:
                found = blocks.setdefault(text, {level: [] for level in LEVELS})
                found["all"].append(index)
                found[str(level)].append(index)
        self.texts = tuple(
            _Text(text, _digest(text), {level: tuple(which) for level, which in found.items()})
            for text, found in blocks.items()
        )
        self.place = {found.text: index for index, found in enumerate(self.texts)}
        self.lengths = np.array([len(found.text) for found in self.texts], dtype=np.int64)
        # What is like a gold text, by its digest: (index, ratio) of all texts above the limit.
        self.near: dict[bytes, tuple[tuple[int, float], ...]] = {}

    def of_level(self, level: str) -> list[int]:
        """Return which texts stand on a level."""
        return [index for index, found in enumerate(self.texts) if found.blocks[level]]


class BlockScorer:
    """Scores segmentations and remembers how alike two texts are; may be shared by threads.

    After a change of one gold block only that block's text is compared again.  What a parameter
    changes in a method's result costs the comparisons of the new texts.
    """

    def __init__(self, *, count_empty: bool = True, remember: int = 50_000) -> None:
        """Make a scorer that keeps the last ``remember`` ratios it worked out (about 200 B each).

        What is kept beside them goes with the segmentations it belongs to.
        """
        self._count_empty = count_empty
        self._remember = remember
        self._ratios: OrderedDict[tuple[bytes, bytes], float] = OrderedDict()
        self._sides: weakref.WeakKeyDictionary[Segmentation, _Side] = weakref.WeakKeyDictionary()
        self._lock = threading.Lock()

    def score(self, predicted: Segmentation, gold: Segmentation) -> BlockScores:
        """Compare ``predicted`` with ``gold``, by level and together."""
        return self._compare(self._side(predicted), self._side(gold))

    def score_texts(self, predicted: Texts, gold: Texts) -> BlockScores:
        """Compare blocks by text alone: the gold may be of another form of the page.

        Indices in the answer are those of the two sequences.
        """
        ours, theirs = (_Side(given, count_empty=self._count_empty) for given in (predicted, gold))
        return self._compare(ours, theirs)

    def _compare(self, ours: _Side, theirs: _Side) -> BlockScores:
        pairs = [
            (i, j, ratio)
            for j, wanted in enumerate(theirs.texts)
            for i, ratio in self._near(ours, wanted)
        ]
        equal = [
            (ours.place[wanted.text], j, 1.0)
            for j, wanted in enumerate(theirs.texts)
            if wanted.text in ours.place
        ]
        return BlockScores(
            MappingProxyType({level: _score(ours, theirs, equal, level) for level in LEVELS}),
            MappingProxyType({level: _score(ours, theirs, pairs, level) for level in LEVELS}),
        )

    def _side(self, segmentation: Segmentation) -> _Side:
        with self._lock:
            side = self._sides.get(segmentation)
        if side is None:
            given = [(segmentation.text_of(block), block.level) for block in segmentation.blocks]
            side = _Side(given, count_empty=self._count_empty)
            with self._lock:
                self._sides[segmentation] = side
        return side

    def _near(self, ours: _Side, wanted: _Text) -> tuple[tuple[int, float], ...]:
        """Return all predicted texts that match one gold text."""
        found = ours.near.get(wanted.digest)
        if found is None:
            ratios = self._ratios_to(ours, wanted)
            found = tuple((i, ratio) for i, ratio in ratios.items() if ratio > LIMIT)
            ours.near[wanted.digest] = found
        return found

    def _ratios_to(self, ours: _Side, wanted: _Text) -> dict[int, float]:
        """Return the ratio to one gold text of every predicted text that may match it."""
        length = len(wanted.text)
        shorter = np.minimum(ours.lengths, length)
        together = ours.lengths + length
        candidates = np.flatnonzero((2.0 * shorter > LIMIT * together) | (together == 0)).tolist()
        ratios: dict[int, float] = {}
        with self._lock:
            for i in candidates:
                known = self._ratios.get((ours.texts[i].digest, wanted.digest))
                if known is not None:
                    ratios[i] = known
        fresh: dict[int, float] = {}
        matcher: Ratios | None = None
        for i in candidates:
            if i in ratios:
                continue
            text = ours.texts[i].text
            fresh[i] = 1.0 if text == wanted.text else 0.0
            if text != wanted.text and _may_match(text, wanted.text):
                # The second text is prepared, so all first texts take turns with it.
                matcher = matcher or Ratios(wanted.text)
                fresh[i] = matcher.ratio(text)
        with self._lock:
            for i, ratio in fresh.items():
                self._ratios[ours.texts[i].digest, wanted.digest] = ratio
            while len(self._ratios) > self._remember:
                self._ratios.popitem(last=False)
        return ratios | fresh


def score_blocks(predicted: Segmentation, gold: Segmentation) -> BlockScores:
    """Compare once, with nothing remembered; see `BlockScorer`."""
    return BlockScorer().score(predicted, gold)


def without_space(text: str) -> str:
    """Return the text without any white space."""
    return "".join(text.split())


def _may_match(predicted: str, gold: str) -> bool:
    """Return whether the ratio can be above the limit; never wrong on a no.

    What the library matches is a common subsequence, so the longest one bounds it; that is found
    some fifty times faster in long texts.
    """
    together = len(predicted) + len(gold)
    most = LCSseq.similarity(predicted, gold, score_cutoff=int(LIMIT * together / 2))
    return 2.0 * most / together > LIMIT


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _score(ours: _Side, theirs: _Side, pairs: list[Pair], level: str) -> BlockScore:
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
    retrieved, relevant = ours.of_level(level), theirs.of_level(level)
    return BlockScore(
        hits=hits,
        false=_rest(ours, retrieved, set(partner.values()), level),
        missed=_rest(theirs, relevant, set(partner), level),
        retrieved=len(retrieved),
        relevant=len(relevant),
        prf=_prf(len(hits), len(retrieved), len(relevant)),
    )


def _rest(side: _Side, texts: list[int], taken: set[int], level: str) -> tuple[int, ...]:
    blocks = (side.texts[k].blocks[level] for k in texts if k not in taken)
    return tuple(sorted(index for which in blocks for index in which))


def _prf(hits: int, retrieved: int, relevant: int) -> Prf:
    precision = hits / retrieved if retrieved else 0.0
    recall = hits / relevant if relevant else 0.0
    both = precision + recall
    return Prf(precision, recall, 2 * precision * recall / both if both else 0.0)


def match(pairs: Iterable[Pair]) -> dict[int, int]:
    """Return a maximum one-to-one matching of (predicted, gold, ratio) as gold → predicted.

    Close pairs are tried first, and a matched text stays matched when a later one makes room for
    itself (augmenting paths; an edge is looked at once per gold text).
    """
    edges: dict[int, list[int]] = {}
    for i, j, _ in sorted(pairs, key=lambda pair: (-pair[2], pair[1], pair[0])):
        edges.setdefault(j, []).append(i)
    held: dict[int, int] = {}  # gold → predicted
    owner: dict[int, int] = {}  # predicted → gold
    for gold in edges:
        _augment(gold, edges, held, owner)
    return held


def _augment(
    gold: int, edges: dict[int, list[int]], held: dict[int, int], owner: dict[int, int]
) -> None:
    """Match one more gold text if that is possible, moving others; no recursion, no limit."""
    asker: dict[int, int] = {}  # predicted → the gold text that asks for it
    waiting = [gold]
    for asking in waiting:  # grows while it is read
        for predicted in edges[asking]:
            if predicted in asker:
                continue
            asker[predicted] = asking
            if predicted in owner:
                waiting.append(owner[predicted])
            else:
                _hand_over(predicted, asker, held, owner)
                return


def _hand_over(
    free: int, asker: dict[int, int], held: dict[int, int], owner: dict[int, int]
) -> None:
    """Give each text on the path what it asked for, from the free end back to the start."""
    found: int | None = free
    while found is not None:
        taker = asker[found]
        left = held.get(taker)
        held[taker], owner[found] = found, taker
        found = left
