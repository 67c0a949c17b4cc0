"""LAMIS: tables of contents and articles of a site, and their informative parts.

Source: H.-Y. Kao, S.-H. Lin, J.-M. Ho, M.-S. Chen, "Mining Web Informative Structures and Contents
Based on Entropy Analysis", TKDE 2004; T. Gottron, dissertation 2008, section 3.3.7.  Hubs and
authorities of the site's link graph (Kleinberg's HITS), each link weighted by 1 - the mean entropy
of its anchor's features, so that menus, the same everywhere, count little.  Hubs are tables of
contents (TOC); in their informative blocks (InfoDiscoverer) stand links to the articles.

Readings.  A page is a TOC page if its share of all hub value is larger than the mean share and than
its share of all authority value, an article page if an informative block of a TOC page links to it,
both if both; of neither kind if neither.  Links between the same two pages count once, with their
largest weight.  As an extractor: the informative blocks of a page, with entropies learnt on the
pages of its own kind, or on all pages where fewer than `FEWEST` are of its kind.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from algorithms.method import Method
from algorithms.plugins.site.detector_reasons import after, whole_step
from algorithms.plugins.site.infodiscoverer import (
    GREEDY,
    InfoDiscovererParams,
    informative,
    threshold_of,
    trace_blocks,
)
from algorithms.plugins.site.recurrence import term_entropies, terms
from algorithms.results import Extraction, keep_words
from algorithms.signals.memo import shared
from algorithms.templates.site import Site, link_targets
from algorithms.trace import Rule, Trace
from engine.tree import Bools, Doubles

FEWEST = 3
_ROUNDS = 200


@dataclass(frozen=True, eq=False)
class InformativeStructure:
    """The informative structure of a site of n pages.

    Attributes:
        hub, authority: float64 (n,). Each sums to 1, or is 0 throughout.
        is_toc, is_article: bool (n,).
    """

    hub: Doubles
    authority: Doubles
    is_toc: Bools
    is_article: Bools


def extract(site: Site, params: InfoDiscovererParams) -> Extraction:
    """Return the informative blocks, by the pages of the seed's kind."""
    site = _of_its_kind(site, params)[0]
    threshold = threshold_of(site, params.tags, params.threshold)
    return keep_words(site.source, informative(site, params.tags, threshold))


def _of_its_kind(site: Site, params: InfoDiscovererParams) -> tuple[Site, str]:
    """Return the pages of the seed's kind, and that kind; all, where they are few."""
    result = structure(site, params.tags, params.threshold)
    toc, article = bool(result.is_toc[site.seed]), bool(result.is_article[site.seed])
    kind = " and ".join(("a table of contents",) * toc + ("an article",) * article)
    kind = kind or "neither a table of contents nor an article"
    alike = (result.is_toc == toc) & (result.is_article == article)
    if int(alike.sum()) >= FEWEST:
        return site.only(np.flatnonzero(alike).tolist()), kind
    return site, kind


_KIND = Rule("pages of its kind", ">=", measured="{} page(s) of its kind")


def trace(site: Site, params: InfoDiscovererParams) -> Trace:
    """Return the page's kind, and for each text the entropy of its block."""
    learnt, kind = _of_its_kind(site, params)
    is_all = len(learnt) == len(site)
    note = f"the page is {kind}; it learns from {'all' if is_all else 'these'} {len(learnt)} pages"
    first_step = whole_step(site.source, _KIND, len(learnt), FEWEST, note)
    threshold = threshold_of(learnt, params.tags, params.threshold)
    return after((first_step,), trace_blocks(learnt, params.tags, threshold))


@shared
def structure(site: Site, tags: str = "", threshold: float = GREEDY) -> InformativeStructure:
    """Return the tables of contents and the articles of a site."""
    hub, authority = hubs_and_authorities(link_weights(site))
    is_toc = (hub > authority) & (hub > 1 / len(site))
    is_article = np.zeros(len(site), dtype=bool)
    threshold = threshold_of(site, tags, threshold)
    for page in np.flatnonzero(is_toc).tolist():
        words = informative(site.at(page), tags, threshold)
        rows, targets = link_targets(site)[page]
        spans = site.sources[page].tree.words[rows]
        informs = np.array([bool(words[a:b].any()) for a, b in spans.tolist()], dtype=bool)
        is_article[targets[informs]] = True
    return InformativeStructure(hub, authority, is_toc, is_article)


@shared
def link_weights(site: Site) -> Doubles:
    """Return the weight of the links from each page (row) to each other, 0 for none, (n, n)."""
    known = term_entropies(site)
    result = np.zeros((len(site), len(site)))
    for page, (rows, targets) in enumerate(link_targets(site)):
        source = site.sources[page]
        for (first, last), target in zip(
            source.tree.words[rows].tolist(), targets.tolist(), strict=True
        ):
            anchor = {term for term in terms(source)[first:last] if term}
            if anchor:
                weight = 1.0 - sum(known.get(term, 0.0) for term in anchor) / len(anchor)
                result[page, target] = max(result[page, target], weight)
    return result


def hubs_and_authorities(weights: Doubles) -> tuple[Doubles, Doubles]:
    """Return hub and authority values of a weighted graph, float64 (n,) each, summing to 1."""
    hub = np.full(len(weights), 1.0)
    authority = hub
    for _ in range(_ROUNDS):
        before = hub
        authority = _shares(weights.T @ hub)
        hub = _shares(weights @ authority)
        if np.abs(hub - before).max(initial=0.0) < 1e-12:
            break
    return hub, authority


def _shares(values: npt.NDArray[np.float64]) -> Doubles:
    total = values.sum()
    return np.asarray(values / total if total > 0 else values, dtype=np.float64)


METHOD = Method(
    key="lamis",
    name="LAMIS",
    params=InfoDiscovererParams,
    output="extraction",
    on_site=extract,
    trace_site=trace,
    cite="Kao et al. 2004",
    summary="Informative blocks, learnt on pages of the same kind: tables of contents or articles.",
)
