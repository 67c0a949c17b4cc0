"""Bootstrapping: from one page to its own training set, and with that to any detector.

Source: T. Gottron, dissertation 2008, section 7.2.1: the pages a seed links to are fetched and
clustered with it by single linkage; the seed's cluster is the set a detector learns on.

Readings.  Pages that are not of the site cannot be read and do not count.  Where the cluster has
fewer than ``fewest`` pages, a detector has nothing to learn from: ACCB, the best method on one page
in the thesis, is used instead, and the extraction notes it.
"""

from dataclasses import replace
from functools import partial

import numpy as np

from algorithms.extraction.ccb import CcbParams, extract_accb
from algorithms.method import Method
from algorithms.params import Params
from algorithms.plugins.site.clustering import single_linkage
from algorithms.plugins.site.detector_reasons import after, fallback_trace, whole_step
from algorithms.plugins.site.distances import distance
from algorithms.results import Extraction
from algorithms.signals.memo import shared
from algorithms.templates.site import Site, linked_pages
from algorithms.trace import Rule, Trace
from engine.source import Source
from engine.tree import Doubles, lock
from engine.words import plural

BOOT_SUFFIX = "-boot"
DISTANCE = "cp"
FEWEST = 3


@shared
def distances(site: Site, key: str) -> Doubles:
    """Return the distances of all pages of a site, float64 (n, n), computed once."""
    result = distance(key).matrix(site.sources)
    lock(result)
    return result


def training_set(site: Site, key: str = DISTANCE) -> Site:
    """Return the pages that share the seed's template, of those it links to, and the seed.

    Pages join up to the threshold of the distance; where it has none, up to the widest gap of the
    linked pages' merges.
    """
    members = np.array(sorted({site.seed, *linked_pages(site, site.seed)}))
    tree = single_linkage(distances(site, key)[np.ix_(members, members)])
    limit = distance(key).threshold
    labels = tree.at(limit if limit is not None else tree.widest_gap)
    own = labels == labels[np.searchsorted(members, site.seed)]
    return site.only(members[own].tolist())


def bootstrap(detector: Method, site: Site, params: Params) -> Extraction:
    """Run a detector on the training set of the site's seed; ACCB where that is too small."""
    result = training_set(site)
    if len(result) < FEWEST:
        return fallback(site.source, _too_few(result))
    assert detector.on_site is not None
    return detector.on_site(result, params)


def _too_few(learnt: Site) -> str:
    pages = plural(len(learnt), "page")
    return f"only {pages} alike of those it links to, itself included (at least {FEWEST} needed)"


_LEARNT = Rule(
    "similar pages it links to, with itself",
    ">=",
    measured="{} similar page(s) among those it links to, with itself",
)


def bootstrap_trace(detector: Method, site: Site, params: Params) -> Trace:
    """Return the detector's decisions on the seed's training set, and the set's size."""
    result = training_set(site)
    if len(result) < FEWEST:
        return fallback_trace(site.source, _too_few(result))
    assert detector.trace_site is not None
    first_step = whole_step(site.source, _LEARNT, len(result), FEWEST, "it learns from these")
    return after((first_step,), detector.trace_site(result, params))


def fallback(source: Source, reason: str) -> Extraction:
    """Return the extract of ACCB, and the reason for its use."""
    return replace(extract_accb(source, CcbParams()), notes=(f"{reason}: ACCB was run instead",))


def bootstrap_detector(detector: Method) -> Method:
    """Return a detector's bootstrapped form as a separate entry."""
    return replace(
        detector,
        key=f"{detector.key}{BOOT_SUFFIX}",
        name=f"{detector.name}, bootstrapped",
        on_site=partial(bootstrap, detector),
        trace_site=partial(bootstrap_trace, detector) if detector.trace_site else None,
        cite=f"{detector.cite}; Gottron 2008, section 7.2",
        summary=f"{detector.summary}  It learns on pages like this one among those it links to.",
    )
