"""Flaws of gold as a text: words that are not on the page, repeated, cut off, damaged.

Gold and page are compared by runs of words, wherever these are, so that order does not matter.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from algorithms.extraction.gleaner.text_runs import TextRuns
from algorithms.plugins.audit.gold_anywhere import codes_of, hashes
from engine.runs import mark_covered
from engine.tree import Bools, Doubles, Longs
from engine.word_units import words_in
from engine.words import plural

OTHER_GOLD = "gold of another page"
NOT_ON_PAGE = "not on the page"
OTHER_PASSAGE = "a passage of another page"
DAMAGED = "damaged words"
TWICE = "twice in gold"
HALF = "only in part in gold"
EMPTY = "gold is empty"

_SHORT, _LONG = 3, 5
"""Words in a row: so many the page has by chance seldom, and so many next to never."""

_GAP, _FEWEST = 2, 5
"""A run that is not on the page may have a few words that are; it has at least so many."""

_CUT_FROM, _CUT, _KEPT, _LOST = 8, 5, 0.7, 0.6
"""Words of a block that gold must have, and words in a row that it must lack, to have a part of it;
the least share that it has of the rest, and the most that it has of these, by chance."""

_REPEATED, _EXPECTED = 8, 20
_BROKEN = re.compile("\ufffd|Ã[\u0080-\u00bf\u0192-\u2122]|â€.?|Â[\u00a0-\u00bf]")
"""Signs of a wrongly decoded text."""

_MOST_SHOWN = 60
_WHOLE, _KNOWN = 0.5, 0.5


@dataclass(frozen=True, eq=False)
class Flaw:
    """Something that is wrong with gold whatever is expected of the page.

    Attributes:
        says: Its kind, one of the constants of this module.
        text: The words of gold it is about, or of the page where gold lacks them.
        words: How many these are.
        suspicion: 0 to 1.
        reasons: Why, in words.
        block: Of the page; -1 where the page does not have it.
        codes: int64 (c,). What other pages are searched for; empty where they need not be.
        is_whole: Whether it is all of gold, so that no part of the page need be looked at.
    """

    says: str
    text: str
    words: int
    suspicion: float
    reasons: tuple[str, ...]
    block: int = -1
    codes: Longs = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    is_whole: bool = False


def sketch(runs: TextRuns) -> Longs:
    """Return codes of a page's runs of words, by which passages of it are known elsewhere."""
    return np.unique(codes_of(runs.tokens, _LONG))


def flaws(runs: TextRuns, gold: str, chance: Doubles, shown: str = "") -> tuple[Flaw, ...]:
    """Return the flaws of a page's gold text.

    Args:
        runs: The blocks of the page, b of them.
        gold: The text.
        chance: float64 (b,). Which share of each block gleaner expects to be content.
        shown: Other text that the page shows in a browser.
    """
    words = words_in(gold)
    if not words:
        expected = round(float((chance * runs.words).sum()))
        if expected < _EXPECTED:
            return ()
        reason = f"gleaner expects {plural(expected, 'word')} of content on the page"
        return (Flaw(EMPTY, "", expected, 0.9, (reason,), is_whole=True),)
    own = hashes([word.lower() for word in words])
    page = np.concatenate((runs.tokens, hashes(words_in(shown.lower()))))
    spans = _unlocated(own, page)
    result = [_off_page(words[a:b], own[a:b]) for a, b in spans]
    lost = sum(flaw.words for flaw in result)
    if lost >= _WHOLE * len(words):
        reason = f"{lost / len(words):.0%} of the words of gold are not on the page"
        codes = codes_of(own, _LONG)
        said = _quote([word for first, last in spans for word in words[first:last]])
        return (Flaw(NOT_ON_PAGE, said, lost, 1.0, (reason,), codes=codes, is_whole=True),)
    is_lost = ~np.isin(own, page)
    for first, last in spans:
        is_lost[first:last] = False  # reported already
    single = [words[k] for k in np.flatnonzero(is_lost).tolist()]
    result += _damaged(gold, single, "\n".join((*runs.texts, shown)))
    result += _repeated(words, own, page)
    result += _halves(runs, own, chance)
    return tuple(result)


def _quote(words: list[str]) -> str:
    return " ".join(words[:_MOST_SHOWN]) + " …" * (len(words) > _MOST_SHOWN)


def _has(own: Longs, page: Longs, run: int) -> Bools:
    """Return the words in a run of given length that the page has as well, bool (w,)."""
    starts = np.flatnonzero(np.isin(codes_of(own, run), codes_of(page, run)))
    return mark_covered(starts, starts + run, own.size)


def _runs(flags: Bools, gap: int = 0) -> Iterator[tuple[int, int]]:
    """Yield first and one past the last of each run of flags, over gaps up to a given length."""
    at = np.flatnonzero(flags)
    if at.size:
        cuts = np.flatnonzero(np.diff(at) > gap + 1)
        firsts, lasts = np.append(at[0], at[cuts + 1]), np.append(at[cuts], at[-1]) + 1
        yield from zip(firsts.tolist(), lasts.tolist(), strict=True)


def _unlocated(own: Longs, page: Longs) -> list[tuple[int, int]]:
    """Return first and one past the last word of the runs that are not on the page."""
    in_pairs = _has(own, page, 2)
    return [
        (first, last)
        for first, last in _runs(~_has(own, page, _SHORT), _GAP)
        if last - first >= _FEWEST and in_pairs[first:last].mean() < 0.5
    ]


def _off_page(words: list[str], own: Longs) -> Flaw:
    reason = f"{plural(len(words), 'word')} of gold in a row are not on the page"
    codes = codes_of(own, _LONG)
    return Flaw(NOT_ON_PAGE, _quote(words), len(words), 0.95, (reason,), codes=codes)


def _damaged(gold: str, lost: list[str], page: str) -> Iterator[Flaw]:
    """Yield the words of gold that the page has not, amid others that it has; broken characters."""
    lost = [word for word in lost if len(word) > 1 and not word.isdigit()]
    broken = _BROKEN.findall(gold)
    if len(broken) > len(_BROKEN.findall(page)):
        reason = f"gold has {plural(len(broken), 'broken character')} such as {broken[0]}"
        yield Flaw(DAMAGED, _quote(lost or broken), len(broken) + len(lost), 0.95, (reason,))
    elif len(lost) >= _FEWEST:
        reason = f"{plural(len(lost), 'word')} of gold one by one are not on the page"
        yield Flaw(DAMAGED, _quote(list(dict.fromkeys(lost))), len(lost), 0.9, (reason,))


def _repeated(words: list[str], own: Longs, page: Longs) -> Iterator[Flaw]:
    """Yield the texts that gold has more often than the page."""
    codes = codes_of(own, _LONG)
    order = np.argsort(codes, kind="stable")
    is_new = np.ones(codes.size, dtype=bool)
    is_new[1:] = np.diff(codes[order]) != 0
    starts = np.flatnonzero(is_new)
    nth = np.empty(codes.size, dtype=np.int64)
    nth[order] = np.arange(codes.size) - np.repeat(starts, np.diff(np.append(starts, codes.size)))
    known, counts = np.unique(codes_of(page, _LONG), return_counts=True)
    at = np.minimum(np.searchsorted(known, codes), max(known.size - 1, 0))
    if not known.size or not codes.size:
        return
    on_page = np.where(known[at] == codes, counts[at], 0)
    starts = np.flatnonzero((on_page > 0) & (nth >= on_page))
    again = mark_covered(starts, starts + _LONG, own.size)
    found = [(first, last) for first, last in _runs(again) if last - first >= _REPEATED]
    if found:
        total = sum(last - first for first, last in found)
        said = " … ".join(_quote(words[first:last]) for first, last in found[:3])
        reason = f"gold has {plural(len(found), 'passage')} more often than the page"
        yield Flaw(TWICE, said, total, 0.9, (reason,))


def _halves(runs: TextRuns, gold: Longs, chance: Doubles) -> Iterator[Flaw]:
    """Yield the blocks of which gold lacks the beginning, the end, or a passage amid it."""
    has, surely = _has(runs.tokens, gold, _SHORT), _has(runs.tokens, gold, _LONG)
    for block in np.flatnonzero((runs.words >= _CUT_FROM + _CUT) & (chance > 0.5)).tolist():
        part, count = slice(runs.start[block], runs.start[block + 1]), int(runs.words[block])
        gaps = _runs(~surely[part])
        first, last = max(gaps, key=lambda run: run[1] - run[0], default=(0, 0))
        lost, kept = has[part][first:last], np.delete(has[part], slice(first, last))
        is_amid = first > 0 and last < count
        if lost.size < (_REPEATED if is_amid else _CUT) or lost.mean() > _LOST:
            continue
        if kept.size < max(_CUT_FROM, 0.2 * count) or kept.mean() < _KEPT:
            continue
        said = runs.texts[block].split()
        lacked = said[round(len(said) * first / count) : round(len(said) * last / count)]
        which = f"the {'last' if last < count else 'first'} {kept.size}"
        if is_amid:
            which = f"all but {lost.size} amid"
        reason = f"gold has {which} of {plural(count, 'word')} of it"
        yield Flaw(HALF, _quote(lacked), lost.size, float(chance[block]), (reason,), block)


def origin_of(codes: Longs, index: tuple[Longs, Longs], without: int) -> int:
    """Return which page has most of a passage, at least half of it; -1 where none has.

    Args:
        codes: Of the passage.
        index: All pages' codes, ascending, and the number of the page of each; see `index_of`.
        without: The page that asks.
    """
    known, pages = index
    if not codes.size or not known.size:
        return -1
    codes = np.unique(codes)
    low, high = np.searchsorted(known, codes), np.searchsorted(known, codes, side="right")
    count = high - low
    at = np.arange(count.sum()) + np.repeat(
        low - np.concatenate(([0], np.cumsum(count)[:-1])), count
    )
    number = np.bincount(pages[at], minlength=without + 1)
    number[without] = 0
    best = int(number.argmax())
    return best if number[best] >= _KNOWN * codes.size else -1


def index_of(sketches: list[Longs]) -> tuple[Longs, Longs]:
    """Return the codes of all pages, ascending, and the number of the page of each."""
    codes = np.concatenate([np.zeros(0, dtype=np.int64), *sketches])
    pages = np.repeat(np.arange(len(sketches)), [each.size for each in sketches])
    order = np.argsort(codes, kind="stable")
    return codes[order], pages[order]
