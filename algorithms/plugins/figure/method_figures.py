"""Which figures each method has; a plug-in brings its own."""

from collections.abc import Callable, Mapping
from typing import Any

from algorithms.extraction.boilerpipe import METHODS as BOILERPIPE
from algorithms.figures.figure import Figure
from algorithms.method import Method
from algorithms.params import Params
from algorithms.plugins.figure import (
    block_texts,
    blurring,
    page_blocks,
    sequences,
    tag_ratios,
    trees,
)
from algorithms.plugins.figure.decisions import kept_and_dropped, of_trace
from algorithms.plugins.figure.source_reading import MethodReading
from algorithms.results import Segmentation
from algorithms.templates.site import Site
from engine.page import Input, Page
from engine.tree import Bools

MakeFigures = Callable[[MethodReading, Any], tuple[Figure, ...]]
MakeOfPage = Callable[[Page, Any], tuple[Figure, ...]]

ON_SOURCE: Mapping[str, MakeFigures] = {
    "bte": sequences.bte,
    "dsc": sequences.dsc,
    "adsc": sequences.adsc,
    "ccb": blurring.figures(by_character=True, skip_anchors=False),
    "accb": blurring.figures(by_character=True, skip_anchors=True),
    "tccb": blurring.figures(by_character=False, skip_anchors=True),
    "cetr-tm": tag_ratios.tm,
    "cetr-km": tag_ratios.km,
    "cetr": tag_ratios.cetr,
    **{entry.key: block_texts.figures(entry.trace_source) for entry in BOILERPIPE},
    "lqf": trees.link_quota,
    "lqf-25": trees.link_quota,
    "lqf-75": trees.link_quota,
    "lsi": trees.lsi_source,
    "lp": trees.largest_pagelet,
    "hf": trees.highest_fanout,
    "ltc": trees.tag_count,
    "fe": trees.features,
    "kfe": trees.features,
}
"""Figures of methods that read a source, as their papers have them."""

ON_PAGE: Mapping[str, MakeOfPage] = {
    "lsi": trees.lsi_page,
    "block-fusion": page_blocks.block_fusion(by_rules=False),
    "block-fusion-rb": page_blocks.block_fusion(by_rules=True),
    "page-segmenter": page_blocks.entropies,
    "pagelets": page_blocks.links_below,
    "webterrain": page_blocks.web_terrain,
    "terrain": page_blocks.plain_terrain,
    "vips": page_blocks.content_structure,
}
"""Figures of methods that read the rendered page."""


def figures_of(
    entry: Method,
    page: Page,
    params: Params,
    source: Input,
    gold: Bools | None = None,
    site: Site | None = None,
) -> tuple[Figure, ...]:
    """Return the figures of a method on one input of a page, the most telling first.

    Args:
        entry: The method.
        page: The page.
        params: How it runs.
        source: What it reads.
        gold: Which words of that source gold holds; None where nothing is marked.
        site: The page's, for methods that read it: without it they have no figures.
    """
    if source == "rendered":
        return _of_page(entry, page, params)
    reading = MethodReading(page.source(source), gold)
    result: tuple[Figure, ...] = ()
    if entry.key in ON_SOURCE:
        result = ON_SOURCE[entry.key](reading, params)
    elif entry.figures_source is not None:
        result = entry.figures_source(reading.source, params)
    trace = None
    if site is not None or not entry.reads_site:
        trace = entry.trace(page, params, source, site)
    if trace is not None:
        result += of_trace(reading, trace, params) or (kept_and_dropped(reading, trace),)
    return result


def _of_page(entry: Method, page: Page, params: Params) -> tuple[Figure, ...]:
    results: tuple[Figure, ...] = ()
    if entry.key in ON_PAGE:
        results = ON_PAGE[entry.key](page, params)
    elif entry.figures_page is not None:
        results = entry.figures_page(page, params)
    trace = entry.trace(page, params, "rendered")
    if trace is not None:
        results += of_trace(MethodReading(), trace, params, of_rows=True)
    if entry.output == "segmentation":
        result = entry.run(page, params, "rendered")
        if isinstance(result, Segmentation) and result.blocks:
            results += (page_blocks.sizes(page, result),)
    return results
