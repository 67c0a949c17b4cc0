"""Whether a method knows gold by heart, or reads it where it lies, instead of the page.

A page is changed so that all that an extractor rests on stays: some words of the gold are spelt
backwards wherever the page's text has them, and an empty element and a comment are added.  A method
that recognises the page by its bytes no longer does, and scores less; one that recognises it by
anything else gives the words as they were, or leaves them out, and not as the page has them now.
"""

import json
import re
from collections import Counter
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from html import unescape
from pathlib import Path
from tempfile import TemporaryDirectory

from algorithms.core.batch import Run, RunStatus
from algorithms.measures.text import score_words
from algorithms.measures.text_words import Words, normalise
from annotate.evaluation.run.plan import Plan
from annotate.evaluation.run.runner import Watcher
from annotate.evaluation.run.triage import pages_of
from annotate.plugins.compare.runs import ComparedPage, run_versions, unrendered
from engine.errors import PageletError
from engine.words import plural

_WORD = re.compile(r"(?<![\w-])[^\W\d_]{6,}(?![\w-])")
_END = "<i></i><!-- -->"
_MOST_WORDS = 40
"""Limit on candidates, the most frequent words first."""

_CHANGED = 5
"""Number of words that are spelt backwards."""


@dataclass(frozen=True)
class ChangedPage:
    """A page with words spelt backwards.

    Attributes:
        html, gold: The page and its gold.
        words: The words, which the page has no more.
    """

    html: str
    gold: str
    words: tuple[str, ...]


def changed_page(
    html: str, gold: str, given: Container[str], besides: Container[str] = ()
) -> ChangedPage | None:
    """Return a page with frequent words of its gold changed; None where there are none ``besides``.

    They are words that a method gave and that only texts of the page have, each time whole: not in
    attributes, as addresses are, and nowhere written with entities or with elements inside.
    """
    parts = [
        each.rpartition(">") if n else ("", "", each) for n, each in enumerate(html.split("<"))
    ]
    texts = "\n".join(text for _, _, text in parts)
    on_page = unescape(html).lower()
    as_seen = normalise(unescape("".join(text for _, _, text in parts))).lower()
    in_texts, in_gold = Counter(_WORD.findall(texts)), Counter(_WORD.findall(gold))
    low_gold = gold.lower()
    words: list[str] = []
    for word, count in in_gold.most_common(_MOST_WORDS):
        if word not in given or word in besides or word != word.lower():
            continue
        if low_gold.count(word) != count:
            continue
        in_script = json.dumps(word)[1:-1]  # escaped, as in JSON
        if in_script in on_page and not word.isascii():
            continue
        counts = {in_texts[word], on_page.count(word), as_seen.count(word)}
        if len(counts) == 1 and 0 not in counts and word[::-1] not in on_page:
            words.append(word)
            if len(words) == _CHANGED:
                break
    if not words:
        return None
    changed = re.compile(rf"(?<![\w-])(?:{'|'.join(words)})(?![\w-])")
    spelt = ("".join((tag, end, changed.sub(_reverse_word, text))) for tag, end, text in parts)
    return ChangedPage("<".join(spelt) + _END, changed.sub(_reverse_word, gold), tuple(words))


def _reverse_word(found: re.Match[str]) -> str:
    return found[0][::-1]


def known_by_heart(
    plan: Plan, pages: Sequence[ComparedPage], fall: float, watcher: Watcher
) -> list[bool | None]:
    """Return of each page whether a plan's one method knows it; None where that cannot be tried.

    It knows it where it gives a word that the page has no more.  Where it leaves out a changed
    word, fails, or scores less by more than ``fall``, the page is tried again with other words: it
    knows it where it does so again, or there are none: else a short page, whose words are all
    changed at once, would hide a method that looks pages up.  It runs in the plan's workers, with
    their time limit.
    """
    result: list[bool | None] = [None] * len(pages)
    if why_untried(plan):
        return result
    tried = _try(plan, dict(enumerate(pages)), {}, fall, watcher)
    doubtful = {n: pages[n] for n, (answer, _) in tried.items() if answer is _Answer.OTHERWISE}
    used = {n: tried[n][1] for n in doubtful}
    again = _try(plan, doubtful, used, fall, watcher) if doubtful else {}
    for n, (first, _) in tried.items():
        answer = again[n][0] if n in again else first
        result[n] = None if answer is None else answer is not _Answer.READS
    return result


def why_untried(plan: Plan) -> str:
    """Return why no page of a plan's one method can be tried; "" where they can."""
    (side,) = plan.methods
    if side.entry.reads_site:
        return "the method reads sites"
    reads = side.input or side.entry.default_input()
    return "" if reads == "original" else f"the method reads {reads}"


class _Answer(Enum):
    """What a method makes of changed words: it gives them all, gives old ones, or neither."""

    READS = auto()
    REMEMBERS = auto()
    OTHERWISE = auto()


def _try(
    plan: Plan,
    pages: Mapping[int, ComparedPage],
    used: Mapping[int, Sequence[str]],
    fall: float,
    watcher: Watcher,
) -> dict[int, tuple[_Answer | None, tuple[str, ...]]]:
    """Return what a method makes of each page that can be changed, and the words; None in time."""
    key = plan.methods[0].entry.key
    result: dict[int, tuple[_Answer | None, tuple[str, ...]]] = {}
    with TemporaryDirectory(prefix="pagelet-") as at:
        folder = Path(at) / "words backwards"
        folder.mkdir()
        changed: dict[str, tuple[int, str, ChangedPage]] = {}
        for number, page in pages.items():
            try:
                gold, read = page.files.text(unrendered), page.read()
                html = read.source("original").html
            except PageletError:
                continue
            before = page.runs[key].text
            if gold is None or before is None:
                continue
            address = f"<!-- {read.url} -->"  # of the page
            given = Words(before).counts
            made = changed_page(html + address, gold, given, used.get(number, ()))
            if made is not None:
                name = f"{number}.html"
                (folder / name).write_text(made.html, "utf-8-sig", "replace")
                changed[name] = number, gold, made
        if not changed:
            return result
        for page in run_versions(replace(plan, datasets=(pages_of(str(folder)),)), watcher):
            number, gold, made = changed[page.name]
            answer = _answer(pages[number].runs[key], page.runs[key], gold, made, fall)
            result[number] = answer, made.words
    return result


def tried_in_words(by_heart: int, tried: int, untried: int, why: str) -> str:
    """Return how many pages were tried, and known, in words; ``why`` none was, "" where some."""
    if why:
        return f"known by heart: not tried, as {why}"
    return (
        f"known by heart: {by_heart} of {plural(tried, 'page')} tried with words spelt backwards, "
        f"{untried} could not be"
    )


def _answer(before: Run, after: Run, gold: str, made: ChangedPage, fall: float) -> _Answer | None:
    if after.status is RunStatus.TIMED_OUT:
        return None
    was, now = Words(before.text or ""), Words(after.text or "")
    if any(word in now.counts for word in made.words):
        return _Answer.REMEMBERS
    if not all(word[::-1] in now.counts for word in made.words):
        return _Answer.OTHERWISE
    one, two = score_words(was, Words(gold)), score_words(now, Words(made.gold))
    return _Answer.OTHERWISE if two.ws.f1 < one.ws.f1 - fall else _Answer.READS
