"""Gold main content that is text only, found on a page: text is words, and marks are places.

`align_gold` finds the text's words on the page, in order, and returns those it did not find; scores
use the text itself.
"""

from dataclasses import dataclass
from itertools import groupby

import numpy as np

from algorithms.core.mapping import close_up, common_runs
from algorithms.core.word_numbers import WordNumbers
from annotate.marks import edits
from annotate.marks.gold import Gold, Target
from annotate.marks.page_text import page_text, raw_words
from annotate.marks.targets import grow_targets
from engine.nodes import NodeTable
from engine.sequences import common_numbers

SHORTEST_RUN = 3
"""Words in a row that count as found; fewer may be chance, unless they are all a text says."""

_TYPED = str.maketrans(
    dict.fromkeys("\u2018\u2019\u02bc", "'")
    | dict.fromkeys("\u201c\u201d", '"')
    | dict.fromkeys("\u2010\u2011", "-")
)
"""Quotes and hyphens of print → those of a keyboard."""


@dataclass(frozen=True)
class TextGold:
    """Gold text as found on a page.

    Attributes:
        gold: The main content.
        share: Share of the text's words that were found; 1 for an empty text.
        missing: Passages of the text that were not found, in order.
    """

    gold: Gold
    share: float
    missing: tuple[str, ...]


def align_gold(nodes: NodeTable, text: str) -> TextGold:
    """Find a gold text on a page, word by word in order, and mark it as main content.

    Words are white-space separated and must be equal, but for quotes and hyphens that some tools
    write as they are typed.  Runs of fewer than `SHORTEST_RUN` words are dropped unless they are a
    whole text of the page: a longest common sequence also picks up small words far from where they
    belong.  Elements all of whose words are found are marked whole, so that pictures between
    paragraphs come along.
    """
    gold = text.split()
    page = page_text(nodes)
    spans = raw_words(page.text)
    words = text.translate(_TYPED).split()
    typed = [page.text[start:stop].translate(_TYPED) for start, stop in spans]
    theirs = WordNumbers.of(typed)
    ours = theirs.of_text(words)
    at, result = common_numbers(ours, theirs.numbers).T.copy()
    close_up(at, result, ours, theirs.numbers, np.zeros(len(typed), dtype=bool))
    targets: list[Target] = []
    matched: set[int] = set()
    for one, other in zip(*common_runs(at, result), strict=True):
        first, last = int(at[one]), int(at[other])
        parts = page.parts(spans[result[one]][0], spans[result[other]][1])
        if last - first + 1 >= SHORTEST_RUN or all(part.is_whole for part in parts):
            matched.update(range(first, last + 1))
            targets.extend(parts)
    marks = edits.add_main(Gold(), nodes, grow_targets(nodes, targets))
    share = len(matched) / len(words) if words else 1.0
    runs = groupby(range(len(gold)), matched.__contains__)
    missing = (" ".join(gold[k] for k in mine) for is_found, mine in runs if not is_found)
    return TextGold(marks, share, tuple(missing))
