"""Whether a method knows gold by heart, or reads it where it lies, instead of the page.

A page is changed so that all that an extractor rests on stays: one word of the gold is spelt
backwards wherever the page's text has it, and an empty element and a comment are added.  A method
that recognises the page by its bytes no longer does, and scores less; one that recognises it by
anything else gives the word as it was, which is nowhere on the page.
"""

import re
from collections import Counter
from dataclasses import dataclass

from algorithms.core.attempt import attempt
from algorithms.measures.text import score_words
from algorithms.measures.text_words import Words
from algorithms.results import Extraction
from annotate.evaluation.run.plan import Chosen
from annotate.plugins.compare.runs import ComparedPage, unrendered
from engine.errors import PageletError
from engine.page import Page
from engine.source import Source

_WORD = re.compile(r"(?<![\w-])[^\W\d_]{6,}(?![\w-])")
_END = "<i></i><!-- -->"
_MOST_WORDS = 40
"""Words of a gold that are tried, the most frequent first."""


@dataclass(frozen=True)
class ChangedPage:
    """A page with a word spelt backwards.

    Attributes:
        html, gold: The page and its gold.
        word: The word, which the page has no more.
    """

    html: str
    gold: str
    word: str


def changed_page(html: str, gold: str) -> ChangedPage | None:
    """Return a page with the most frequent word of its gold that only its text has; None for none.

    A word that stands in attributes, too, as of an address, would still be on the page.
    """
    everywhere = html.lower()
    for word, _ in Counter(_WORD.findall(gold)).most_common(_MOST_WORDS):
        in_gold = len(_whole(word).findall(gold))
        if word != word.lower() or word == word[::-1] or gold.lower().count(word) != in_gold:
            continue
        in_text = re.compile(_whole(word).pattern + r"(?=[^<>]*(?:<|\Z))")
        found, changed = in_text.findall(html), in_text.sub(word[::-1], html)
        if found and len(found) == everywhere.count(word) and word[::-1] not in everywhere:
            return ChangedPage(changed + _END, _whole(word).sub(word[::-1], gold), word)
    return None


def _whole(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-]){word}(?![\w-])")


def knows_page(side: Chosen, page: ComparedPage, fall: float) -> bool | None:
    """Return whether a method knows a page with gold text by heart, as `knows_by_heart` does."""
    try:
        gold = page.files.text(unrendered)
        return None if gold is None else knows_by_heart(side, page.read(), gold, fall)
    except PageletError:
        return None


def knows_by_heart(side: Chosen, page: Page, gold: str, fall: float) -> bool | None:
    """Return whether a method's text is not the changed page's; None where that cannot be tried.

    It is not where it has the word that is no more, or scores less by more than ``fall``.
    """
    reads = side.input or side.entry.default_input()
    try:
        changed = changed_page(page.source("original").html, gold) if reads == "original" else None
    except PageletError:
        return None
    if changed is None or changed.word in page.url.lower():
        return None
    before = _text(side, page)
    after = _text(side, Page(page.url, Source.from_text(changed.html)))
    if before is None or after is None:
        return None
    now = Words(after)
    if changed.word in now.words and changed.word in Words(before).words:
        return True
    one, two = score_words(Words(before), Words(gold)), score_words(now, Words(changed.gold))
    return two.ws.f1 < one.ws.f1 - fall


def _text(side: Chosen, page: Page) -> str | None:
    result = attempt(side.entry, page, side.params, "original").result
    return result.text if isinstance(result, Extraction) else None
