"""LQF nested: everything but blocks that are link lists, nested blocks counted at a discount.

Source: I. Mantratzis, M. Orgun, S. Cassidy, "Separating XHTML content from navigation clutter using
DOM-structure block analysis", Hypertext 2005, as told by T. Gottron, dissertation 2008, section
3.2.4 (after Algorithm 3.4).

A structurally significant element (``table tr td div``) is the root of a link list, and goes with
all below it, if more than half of its elements are links with text and more than .4 of its
characters are in links.  What lies in significant elements inside it counts too, multiplied by a
factor for each level in between.  The paper does not print the factor: one half by default.  White
space does not count; text outside all significant elements stays.

Cost: O(n) for n rows.
"""

from dataclasses import dataclass

import numpy as np

from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.results import Extraction
from algorithms.smoothing import Floats
from algorithms.source_rows import below, letters, links, words_below
from algorithms.spans import keep_words
from engine.errors import ParameterError
from engine.source import Source
from engine.tree import Bools


@dataclass(frozen=True)
class LqfNestedParams(Params):
    """Parameters of the nested link quota filter."""

    anchors: float = param(
        0.5, "share of links among elements a link list exceeds", low=0.0, high=1.0
    )
    characters: float = param(
        0.4, "share of characters in links a link list exceeds", low=0.0, high=1.0
    )
    decay: float = param(
        0.5, "weight of what is one significant element further in", low=0.0, high=1.0
    )
    tags: str = param("table tr td div", "the structurally significant elements")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.tags.split():
            raise ParameterError("tags is empty, want tag names separated by blanks")


def extract(source: Source, params: LqfNestedParams) -> Extraction:
    """Return the words outside link lists."""
    return keep_words(source, ~words_below(source, link_lists(source, params)))


def link_lists(source: Source, params: LqfNestedParams) -> Bools:
    """Return which rows are roots of link lists, bool (n,)."""
    tree = source.tree
    is_significant = tree.has_tag(*params.tags.lower().split())
    size = letters(source)
    is_link = links(source)
    is_text = tree.is_text
    own = np.stack(
        [
            is_link & (size > 0),
            ~is_text,
            size * is_text * below(source, is_link),
            size * is_text,
        ],
        axis=1,
    ).astype(np.float64)
    anchors, elements, linked, characters = _discounted(
        own, tree.parent.tolist(), is_significant, params.decay
    ).T
    are_links = anchors > params.anchors * elements
    return np.asarray(is_significant & are_links & (linked > params.characters * characters))


def _discounted(own: Floats, parent: list[int], is_significant: Bools, decay: float) -> Floats:
    """Sum ``own``, (n, 4), over the rows below each, without the row's own element.

    What passes a significant element on its way up is multiplied by ``decay``.
    """
    total = own.tolist()
    significant = is_significant.tolist()
    inside = np.zeros_like(own)
    for row in range(len(parent) - 1, -1, -1):
        sums = total[row]
        mine = own[row]
        inside[row] = sums - mine
        up = parent[row]
        if up < 0:
            continue
        passed = sums if not significant[row] else (mine + decay * (sums - mine)).tolist()
        above = total[up]
        for k in range(4):
            above[k] += passed[k]
    return inside


METHOD = Method(
    key="lqf-nested",
    name="LQF nested",
    params=LqfNestedParams,
    output="extraction",
    cite="Mantratzis, Orgun, Cassidy 2005",
    on_source=extract,
    summary="All text but link lists, whose inner blocks count at a discount.",
)
