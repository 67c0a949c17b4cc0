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
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from types import MappingProxyType

import numpy as np
import numpy.typing as npt
from cydifflib import SequenceMatcher
from rapidfuzz.distance import LCSseq

from algorithms.measures.prf import Prf
from algorithms.results import Segmentation

LIMIT = 0.8
LEVELS = ("all", "1", "2")

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


@dataclass(frozen=True, eq=False)
class _Item:
    """A distinct text of one side."""

    text: str
    digest: bytes
    blocks: tuple[int, ...]


class BlockScorer:
    """Scores segmentations and remembers how alike two texts are; may be shared by threads.

    After a change of one gold block only that block's text is compared again; a whole score from
    known ratios takes well under a millisecond.
    """

    def __init__(self, *, count_empty: bool = True, remember: int = 100_000) -> None:
        """Make a scorer that keeps the ratios of the last ``remember`` pairs (about 200 B each)."""
        self._count_empty = count_empty
        self._remember = remember
        self._ratios: OrderedDict[tuple[bytes, bytes], float] = OrderedDict()
        self._texts: weakref.WeakKeyDictionary[Segmentation, tuple[tuple[str, bytes], ...]] = (
            weakref.WeakKeyDictionary()
        )
        self._lock = threading.Lock()

    def score(self, predicted: Segmentation, gold: Segmentation) -> BlockScores:
        """Compare ``predicted`` with ``gold``, by level and together."""
        exact, fuzzy = {}, {}
        for level in LEVELS:
            ours, theirs = self._items(predicted, level), self._items(gold, level)
            exact[level] = _score(ours, theirs, _equal(ours, theirs))
            fuzzy[level] = _score(ours, theirs, self._alike(ours, theirs))
        return BlockScores(MappingProxyType(exact), MappingProxyType(fuzzy))

    def _items(self, segmentation: Segmentation, level: str) -> list[_Item]:
        """Return the distinct texts of one level (or all), in order of first appearance."""
        with self._lock:
            texts = self._texts.get(segmentation)
        if texts is None:
            stripped = [without_space(segmentation.text_of(b)) for b in segmentation.blocks]
            texts = tuple((text, _digest(text)) for text in stripped)
            with self._lock:
                self._texts[segmentation] = texts
        blocks: dict[tuple[str, bytes], list[int]] = {}
        for index, (block, text) in enumerate(zip(segmentation.blocks, texts, strict=True)):
            if level in ("all", str(block.level)) and (text[0] or self._count_empty):
                blocks.setdefault(text, []).append(index)
        return [_Item(*text, tuple(indices)) for text, indices in blocks.items()]

    def _alike(self, ours: list[_Item], theirs: list[_Item]) -> list[Pair]:
        """Return all pairs above the limit as (predicted, gold, ratio)."""
        pairs = []
        unknown: dict[int, list[int]] = {}
        with self._lock:
            for j, i in np.argwhere(may_match([i.text for i in ours], [i.text for i in theirs]).T):
                key = (ours[i].digest, theirs[j].digest)
                ratio = self._ratios.get(key)
                if ratio is None:
                    unknown.setdefault(int(j), []).append(int(i))
                    continue
                self._ratios.move_to_end(key)
                pairs.append((int(i), int(j), ratio))
        fresh = []
        for j, candidates in unknown.items():
            # The library prepares its second text once, so all first texts take their turn with it.
            matcher: SequenceMatcher[str] = SequenceMatcher(None, "", theirs[j].text)
            for i in candidates:
                fresh.append((i, j, _ratio(matcher, ours[i].text, theirs[j].text)))
        with self._lock:
            for i, j, ratio in fresh:
                self._ratios[ours[i].digest, theirs[j].digest] = ratio
            while len(self._ratios) > self._remember:
                self._ratios.popitem(last=False)
        return [pair for pair in pairs + fresh if pair[2] > LIMIT]


def score_blocks(predicted: Segmentation, gold: Segmentation) -> BlockScores:
    """Compare once, with nothing remembered; see `BlockScorer`."""
    return BlockScorer().score(predicted, gold)


def without_space(text: str) -> str:
    """Return the text without any white space."""
    return "".join(text.split())


def may_match(first: list[str], second: list[str]) -> npt.NDArray[np.bool_]:
    """Return which pairs could have a ratio above the limit, bool (n, m); never wrong on a no.

    What two texts share is at most the shorter one, and at most what their characters, counted
    without order, have in common; characters fall into 256 bins, which can only raise that.
    """
    one, other = _bins(first), _bins(second)
    sizes = one.sum(axis=1)[:, None] + other.sum(axis=1)[None, :]
    shared = np.empty(sizes.shape, dtype=np.int64)
    for row in range(len(first)):  # n is small; (n, m, 256) at once would not be
        shared[row] = np.minimum(one[row], other).sum(axis=1)
    return np.asarray((2 * shared > LIMIT * sizes) | (sizes == 0))


def _bins(texts: list[str]) -> npt.NDArray[np.int64]:
    counts = np.zeros((len(texts), 256), dtype=np.int64)
    for row, text in enumerate(texts):
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
        counts[row] = np.bincount(codes & 255, minlength=256)
    return counts


def _ratio(matcher: "SequenceMatcher[str]", predicted: str, gold: str) -> float:
    """Return the exact ratio if it may be above the limit, else 0.

    What the library matches is a common subsequence, so the longest one bounds it; that is found
    some fifty times faster in long texts.
    """
    if predicted == gold:
        return 1.0
    together = len(predicted) + len(gold)
    most = LCSseq.similarity(predicted, gold, score_cutoff=int(LIMIT * together / 2))
    if 2.0 * most / together <= LIMIT:
        return 0.0
    matcher.set_seq1(predicted)
    return float(matcher.ratio())


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _equal(ours: list[_Item], theirs: list[_Item]) -> list[Pair]:
    place = {item.text: index for index, item in enumerate(ours)}
    return [(place[g.text], j, 1.0) for j, g in enumerate(theirs) if g.text in place]


def _score(ours: list[_Item], theirs: list[_Item], pairs: list[Pair]) -> BlockScore:
    ratios = {(i, j): ratio for i, j, ratio in pairs}
    partner = match(pairs)
    hits = tuple(
        Hit(ours[i].blocks, theirs[j].blocks, ratios[i, j]) for j, i in sorted(partner.items())
    )
    taken = set(partner.values())
    return BlockScore(
        hits=hits,
        false=_rest(ours, taken),
        missed=_rest(theirs, set(partner)),
        retrieved=len(ours),
        relevant=len(theirs),
        prf=_prf(len(hits), len(ours), len(theirs)),
    )


def _prf(hits: int, retrieved: int, relevant: int) -> Prf:
    precision = hits / retrieved if retrieved else 0.0
    recall = hits / relevant if relevant else 0.0
    both = precision + recall
    return Prf(precision, recall, 2 * precision * recall / both if both else 0.0)


def _rest(items: list[_Item], taken: set[int]) -> tuple[int, ...]:
    return tuple(sorted(b for k, item in enumerate(items) if k not in taken for b in item.blocks))


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
