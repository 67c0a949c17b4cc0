"""Detectors of templates: every method that reads a page and its site, as users see them."""

from algorithms.method import Method
from algorithms.plugins.site import (
    contentextractor,
    df_filter,
    infodiscoverer,
    lamis,
    ne_patterns,
    pagelet_shingles,
    site_blocks,
    style_tree,
    template_hash,
    template_text,
    wisdom,
)
from algorithms.plugins.site.bootstrapping import bootstrap_detector

DETECTORS: tuple[Method, ...] = (
    df_filter.METHOD,
    pagelet_shingles.LOCAL,
    pagelet_shingles.GLOBAL,
    infodiscoverer.METHOD,
    contentextractor.METHOD,
    style_tree.METHOD,
    ne_patterns.METHOD,
    template_hash.METHOD,
    template_text.METHOD,
    lamis.METHOD,
    wisdom.METHOD,
    site_blocks.METHOD,
)

BOOTSTRAPPED: tuple[Method, ...] = tuple(map(bootstrap_detector, DETECTORS))

METHODS = (*DETECTORS, *BOOTSTRAPPED)
