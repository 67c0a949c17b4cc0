"""RTDM with node extraction patterns: text of a page on the wildcards of its site's pattern.

Source: D. Reis, P. Golgher, A. da Silva, A. Laender, "Automatic Web News Extraction Using Tree
Edit Distance", WWW 2004; T. Gottron, dissertation 2008, section 3.3.5.  A pattern is a tree some of
whose nodes are wildcards: any text (``.``), a subtree that may be missing (``?``), a subtree once
or more (``+``), or not at all or more (``*``).  The first page is a pattern; each further page is
mapped onto it, top down as by RTDM, and the two are combined into one that fits both.  Texts of a
page that fall on wildcards are content.

Readings.
- Mapped nodes have equal names and, if they are elements, equal classes: a mapping of others would
  cost as much as leaving both out.
- Combining: a text that differs becomes ``.``; what only one side has becomes ``?``; neighbours
  alike of which one may be missing become one node, ``*``, or ``+`` if the other may not.
- A text that always says the same is content if it lies in a wildcard subtree: so the paper.
- The paper then takes the longest text of more than 100 words as body and, of texts of 1 to 20
  words, the one that shares most words with it as title.  "Text" is one text node there; a body in
  paragraphs needs more, so the texts of one parent's children count as one.  That choice of news is
  off by default (``news``): pages of other kinds lose content by it (recall 1.00 and .93, word F1
  .87 both, mean of seven sites).
- Of a site of one page all is content.
- At most ``pages`` pages, evenly spread, make the pattern; 5 give what 12 give.  Pages of two
  templates make a pattern of little but wildcards: it needs clusters, as the paper states.

Cost: one mapping of pattern and page for each page, O(children of the one x of the other) for each
pair of parents mapped.
"""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.plugins.site.detector_reasons import (
    TEMPLATE,
    stands_on,
    text_step,
    text_trace,
    whole_step,
)
from algorithms.plugins.site.patterns import Mapping, Pattern, combine_patterns, pattern_of
from algorithms.plugins.site.recurrence import evenly, pages_of_texts, terms
from algorithms.results import Extraction, everything, keep_words
from algorithms.signals.memo import shared
from algorithms.signals.tree_counts import above, words_below
from algorithms.templates.site import Site, distinct
from algorithms.trace import Rule, Trace
from engine.source import Source
from engine.tree import Bools

_TITLE_WORDS = (1, 20)
_BODY_WORDS = 100


@dataclass(frozen=True)
class NePatternsParams(Params):
    pages: int = param(12, "pages a pattern is made of at most", low=2, high=500)
    news: bool = param(False, "keep only the longest text and its title, as for news")


def extract(site: Site, params: NePatternsParams) -> Extraction:
    """Return the texts that fall on wildcards of the site's pattern."""
    source = site.source
    if len(distinct(site)) == 1:  # template and content cannot be distinguished
        return everything(source)
    is_kept = _on_wildcards(site, params.pages)
    if params.news:
        is_kept = news(source, is_kept)
    return keep_words(source, words_below(source, is_kept))


def _on_wildcards(site: Site, pages: int) -> Bools:
    """Return the rows of the seed that fall on wildcards, bool (n,)."""
    is_kept = np.zeros(len(site.source.tree), dtype=bool)
    is_kept[Mapping().on_wildcards(_pattern(site, pages), pattern_of(site.source))] = True
    return is_kept


@shared
def _pattern(site: Site, most: int) -> Pattern:
    """Return the pattern of a site's pages."""
    pages = evenly(distinct(site), most)
    result = pattern_of(site.sources[pages[0]])
    for page in pages[1:]:
        result = combine_patterns(result, pattern_of(site.sources[page]))
    return result


def news(source: Source, is_kept: Bools) -> Bools:
    """Return the rows of the body and the title among these rows, bool (n,).

    Without a text of more than 100 words nothing is news; without a title there is only the body.
    """
    tree, words = source.tree, terms(source)
    rows = np.flatnonzero(is_kept)
    above = tree.parent[tree.parent[rows]]  # texts of one paragraph and its neighbours
    groups: dict[int, list[str]] = {}
    for row, owner in zip(rows.tolist(), above.tolist(), strict=True):
        first, last = tree.words[row].tolist()
        groups.setdefault(owner, []).extend(words[first:last])
    if not groups:
        return is_kept
    body = max(groups, key=lambda owner: len(groups[owner]))
    if len(groups[body]) <= _BODY_WORDS:
        return np.zeros(is_kept.size, dtype=bool)
    result = np.zeros(is_kept.size, dtype=bool)
    result[rows[above == body]] = True
    in_body = Counter(groups[body])
    best, title = 0, -1
    for row in rows[above != body].tolist():
        first, last = tree.words[row].tolist()
        if _TITLE_WORDS[0] <= last - first <= _TITLE_WORDS[1]:
            common = sum((Counter(words[first:last]) & in_body).values())
            if common > best:
                best, title = common, row
    if title >= 0:
        result[title] = True
    return result


_WILDCARD = Rule("its position in the site's pattern", "", ("pages",), is_in_note=True)
_NEWS = Rule("whether it is the longest text or its title", "", ("news",))


def trace(site: Site, params: NePatternsParams) -> Trace:
    """Return for each text whether it falls on a wildcard, and with ``news`` its kind."""
    source, total = site.source, len(distinct(site))
    if total == 1:
        return text_trace(source, whole_step(source, _WILDCARD, note="no other page is known"))
    is_kept, pages = _on_wildcards(site, params.pages), pages_of_texts(site)
    made = min(params.pages, total)

    def note(row: int) -> str:
        often = stands_on(int(pages[row]), total)
        if inside[row]:
            return (
                f"its text differs, or may be missing, on the {made} pages of the pattern; {often}"
            )
        return f"its text is the same on the {made} pages of the pattern; {often}{TEMPLATE}"

    inside = above(source.tree, is_kept) >= 0
    steps = [text_step(source, _WILDCARD, inside, note=note)]
    if params.news:
        steps.append(text_step(source, _NEWS, above(source.tree, news(source, is_kept)) >= 0))
    return text_trace(source, *steps)


METHOD = Method(
    key="rtdm",
    name="Node extraction patterns (RTDM)",
    params=NePatternsParams,
    output="extraction",
    on_site=extract,
    trace_site=trace,
    cite="Reis et al. 2004",
    summary="Texts that differ, or may be missing, when the pages of the site are aligned.",
)
