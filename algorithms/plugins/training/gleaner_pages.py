"""Pages with gold as gleaner learns from them: read once, kept without their sources.

The target of the trees is the share of each block in gold.  Gold is a text.  Its words are aligned
with the page's by the longest common subsequence; then, since an author of gold may have put parts
in another order, blocks that were left out are looked for, whole, in the words of gold that were
left over.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Protocol
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt

from algorithms.extraction.gleaner.block_columns import (
    measure_columns,
    path_groups,
)
from algorithms.extraction.gleaner.learned import word_codes
from algorithms.extraction.gleaner.page_codes import own_address, page_codes
from algorithms.extraction.gleaner.text_runs import (
    ElementNames,
    TextRuns,
    hash_word,
    names,
    text_runs,
)
from algorithms.learning.seen import of_page
from engine.sequences import common_numbers
from engine.source import Source
from engine.tree import Bools, Doubles, Longs
from engine.word_units import words_in

_BY_WORDS = 0.7
"""How much of a page's weight its blocks share by their words; the rest they share alike."""


_FEWEST = 4
"""Words a block must have to be looked for out of order."""

_ALONE = 0.34
"""A smaller share of a block is chance: common words of a long text occur in any other."""


class PageOfSite(Protocol):
    """A page of a training; a site's pages are never on both sides of a fold."""

    @property
    def site(self) -> str: ...


@dataclass(frozen=True, eq=False)
class TrainingPage:
    """Training page of b blocks.

    Attributes:
        name: For messages.
        site: Pages of one site are never on both sides of a fold.
        type: Its page type; "" if unknown.
        gold: How often gold has each word, as the bag-of-words measure counts.
        runs, around, groups, codes: As `text_runs`, `names`, `path_groups`, `page_codes` give them.
        columns: Measures by name, float32 (b, c) with ``column_names``.
        share: float64 (b,). Which share of each block gold has.
        dataset: The name of its data set: scores under two guidelines are never averaged.
        importance: How much it counts beside other pages.
        guideline: Which one its gold names; "" where it names none.
        seen: Fingerprints of page and gold (`algorithms.learning.seen`).
    """

    name: str
    site: str
    type: str
    gold: Counter[int]
    runs: TextRuns
    around: ElementNames
    groups: dict[str, Longs]
    codes: Longs
    columns: npt.NDArray[np.float32]
    column_names: tuple[str, ...]
    share: Doubles
    words: tuple[Longs, Longs] = field(repr=False)
    dataset: str = ""
    importance: float = 1.0
    guideline: str = ""
    seen: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.runs)

    @cached_property
    def weight(self) -> Doubles:
        """Weight of each block, (b,); all of a page add up to its importance."""
        words = self.runs.words.astype(np.float64)
        result = _BY_WORDS * words / max(words.sum(), 1) + (1 - _BY_WORDS) / max(len(self), 1)
        return np.asarray(result * self.importance / max(result.sum(), 1e-9))

    def f1(self, is_kept: Bools) -> float:
        """Return the bag-of-words F1 of some blocks against gold."""
        flags = np.repeat(is_kept, self.runs.words)
        own = Counter(self.runs.tokens[flags].tolist())
        common, size, gold = (own & self.gold).total(), own.total(), self.gold.total()
        if not size or not gold:
            return float(size == gold)
        return 2 * common / (size + gold)


def training_page(
    source: Source,
    gold: str,
    *,
    name: str,
    site: str = "",
    type: str = "",
    dataset: str = "",
    importance: float = 1.0,
    guideline: str = "",
) -> TrainingPage:
    """Read a page; without ``site`` its site is the host of the address it gives as its own."""
    runs = text_runs(source)
    columns = measure_columns(source)
    site = site or own_host(source) or name
    matrix = np.stack(list(columns.values()), axis=1) if columns else np.zeros((0, 0), np.float32)
    return TrainingPage(
        name, site, type, Counter(map(hash_word, words_in(gold.lower()))), runs, names(source),
        path_groups(source), page_codes(source), matrix, tuple(columns), shares(runs, gold),
        word_codes(runs), dataset, importance, guideline, of_page(source.words, gold),
    )  # fmt: skip


def own_host(source: Source) -> str:
    """Return the host of the address that a page gives as its own; "" where it gives none."""
    try:
        host = urlsplit(own_address(source)).hostname
    except ValueError:  # such as half an IPv6 address
        host = None
    return (host or "").removeprefix("www.")


def folds(pages: Sequence[PageOfSite], count: int, salt: str = "") -> Longs:
    """Return the fold of each page, 0 to count - 1: a site's pages in one, folds alike in pages.

    Largest sites first, each into the fold with fewest pages; equal ones in an order that is a
    hash's, so that neighbours in the alphabet are not together; another ``salt``, another order.
    """
    sizes = Counter(page.site for page in pages)
    held = [0] * count
    of: dict[str, int] = {}
    for site, size in sorted(
        sizes.items(), key=lambda each: (-each[1], hash_word(salt + each[0]), each[0])
    ):
        fold = held.index(min(held))
        of[site] = fold
        held[fold] += size
    return np.array([of[page.site] for page in pages], dtype=np.int64)


def shares(runs: TextRuns, gold: str) -> Doubles:
    """Return which share of each block's words gold has, (b,)."""
    words = np.array([hash_word(word) for word in words_in(gold.lower())], dtype=np.int64)
    if not words.size or not runs.tokens.size:
        return np.zeros(len(runs))
    _, numbers = np.unique(np.concatenate([words, runs.tokens]), return_inverse=True)
    gold_numbers, own = (
        numbers[: words.size].astype(np.int64),
        numbers[words.size :].astype(np.int64),
    )
    pairs = common_numbers(own, gold_numbers)
    taken = np.zeros(own.size, dtype=bool)
    used = np.zeros(gold_numbers.size, dtype=bool)
    taken[pairs[:, 0]], used[pairs[:, 1]] = True, True
    total = np.concatenate(([0], np.cumsum(taken)))
    share = (total[runs.start[1:]] - total[runs.start[:-1]]) / np.maximum(runs.words, 1)
    share[share < _ALONE] = 0.0
    _out_of_order(runs, own, gold_numbers, used, share)
    return np.asarray(share, dtype=np.float64)


def _out_of_order(
    runs: TextRuns, own: Longs, gold: Longs, used: np.ndarray, share: Doubles
) -> None:
    """Set the share of blocks whose words occur together in the rest of gold."""
    positions: dict[tuple[int, int], list[int]] = {}
    for position, pair in enumerate(pairwise(gold.tolist())):
        if not used[position] and not used[position + 1]:
            positions.setdefault(pair, []).append(position)
    if not positions:
        return
    for block in np.flatnonzero((share == 0) & (runs.words >= _FEWEST)).tolist():
        words = own[runs.start[block] : runs.start[block + 1]]
        for position in positions.get((int(words[0]), int(words[1])), ())[:20]:
            part = slice(position, position + words.size)
            if not used[part].any() and np.array_equal(gold[part], words):
                used[part] = True
                share[block] = 1.0
                break
