"""Pagelets on several pages: the local and the global algorithm.

Source: Z. Bar-Yossef, S. Rajagopalan, "Template Detection via Data Mining and its Applications",
WWW 2002; T. Gottron, dissertation 2008, section 3.3.1.  Pages are cut into pagelets (as
by the method ``lp``, k = 3).  Pagelets with equal sets of shingles are one; local: one on two pages
or more is template; global: one on pages that links join, directly or by others that have it too,
in either direction.

Readings.  A shingle is ten words, as Broder et al. 1997 take it, a shorter pagelet one shingle;
equal sets, no sketches: the more exact.  Copies of pages do not count.
"""

from collections import defaultdict
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.plugins.site.detector_reasons import recurring, text_step, text_trace
from algorithms.plugins.site.recurrence import without
from algorithms.results import Extraction
from algorithms.signals.memo import shared
from algorithms.signals.tree_counts import above, links, pagelets, words_below
from algorithms.templates.site import Site, distinct, linked_pages
from algorithms.trace import Rule, Trace
from engine.source import Source
from engine.tree import Ints

Shingles = frozenset[tuple[str, ...]]


@dataclass(frozen=True)
class PageletShinglesParams(Params):
    links: int = param(3, "links in a child that make its parent too large (k)", low=1, high=50)
    words: int = param(10, "words of a shingle", low=1, high=50)


def extract(site: Site, params: PageletShinglesParams, *, joined: bool) -> Extraction:
    """Return the pagelets that occur on no other page, or on none that links join with this."""
    return without(site.source, words_below(site.source, _pages(site, params, joined) > 1))


def _pages(site: Site, params: PageletShinglesParams, joined: bool) -> Ints:
    """Return the number of pages of each pagelet, by row, int32 (n,); 0 for other rows."""
    owners = _owners(site, params.links, params.words)
    result = np.zeros(len(site.source.tree), dtype=np.int32)
    for row, shingles in _parts(site.source, params.links, params.words):
        pages = owners.get(shingles, frozenset()) | {site.seed}
        result[row] = len(_component(site, pages) if joined else pages)
    return result


@shared
def _owners(site: Site, k: int, size: int) -> dict[Shingles, frozenset[int]]:
    """Return the pages of each pagelet."""
    result = defaultdict(set)
    for page in distinct(site):
        for _, shingles in _parts(site.sources[page], k, size):
            result[shingles].add(page)
    return {shingles: frozenset(pages) for shingles, pages in result.items()}


@shared
def _parts(source: Source, k: int, size: int) -> tuple[tuple[int, Shingles], ...]:
    """Return the rows of the pagelets that have words, with their shingles."""
    rows = np.flatnonzero(pagelets(source.tree, links(source), k)).tolist()
    spans = source.tree.words[rows].tolist()
    return tuple(
        (row, make_shingles(source.words[first:last], size))
        for row, (first, last) in zip(rows, spans, strict=True)
        if first < last
    )


def make_shingles(words: tuple[str, ...], size: int) -> Shingles:
    """Return all runs of ``size`` words; of fewer words the one there is."""
    return frozenset(words[at : at + size] for at in range(max(len(words) - size, 0) + 1))


def _component(site: Site, pages: frozenset[int] | set[int]) -> set[int]:
    """Return those of the pages that links among them join with the seed."""
    around = _neighbours(site)
    reached, last = {site.seed}, [site.seed]
    while last:
        last = [page for here in last for page in around[here] & pages if page not in reached]
        reached.update(last)
    return reached


@shared
def _neighbours(site: Site) -> tuple[frozenset[int], ...]:
    """Return for each page those it links to or is linked from."""
    result: list[set[int]] = [set(linked_pages(site, page)) for page in range(len(site))]
    for page, targets in enumerate([*map(tuple, result)]):
        for target in targets:
            result[target].add(page)
    return tuple(map(frozenset, result))


_PAGES = Rule("pages with its part", "<=", ("links", "words"), measured="its part is on {} page(s)")
_JOINED = Rule(
    "linked pages with its part", "<=", ("links", "words"),
    measured="its part is on {} page(s) linked with this one",
)  # fmt: skip


def trace(site: Site, params: PageletShinglesParams, *, joined: bool) -> Trace:
    """Return for each text the number of pages, or of linked pages, with its pagelet."""
    source, total = site.source, len(distinct(site))
    pages = _pages(site, params, joined)
    part = above(source.tree, pages > 0)
    result = np.where(part >= 0, pages[part], 0)

    def note(row: int) -> str:
        if part[row] < 0:
            return "in no part with words and few links"
        name = source.tree.name_of(int(part[row]))
        count = int(result[row])
        return f"its part <{name}> {recurring(count, total, is_template=count > 1)}"

    rule = _JOINED if joined else _PAGES
    values = np.where(result > 0, result, np.nan)
    return text_trace(source, text_step(source, rule, result <= 1, values, 1, note))


LOCAL = Method(
    key="pagelet-shingles",
    name="Pagelet shingles",
    params=PageletShinglesParams,
    output="extraction",
    on_site=partial(extract, joined=False),
    trace_site=partial(trace, joined=False),
    cite="Bar-Yossef, Rajagopalan 2002; Gottron 2008",
    summary="Parts of the page with few links that are on no other page.",
)
GLOBAL = replace(
    LOCAL,
    key="pagelet-shingles-global",
    name="Pagelet shingles, linked pages",
    on_site=partial(extract, joined=True),
    trace_site=partial(trace, joined=True),
    summary="Parts of the page with few links that are on no page linked with it.",
)
