"""LQF, Link Quota Filter: everything but blocks whose text is mostly links.

Source: T. Gottron, dissertation 2008, section 3.2.4, Algorithms 3.3 and 3.4, evaluated in section
5.4.2 with the thresholds .25, .50 and .75.

A block is a block-level element with the text that is in no block inside it; its link quota is the
share of characters in links.  Departures: Algorithm 3.3 counts the text of links twice, here once;
text also counts as linked where the link is around the block; white space is not counted.

Cost: O(n) for n rows of the source's tree.
"""

from dataclasses import dataclass

import numpy as np

from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.results import Extraction, keep_words
from algorithms.signals.tree_counts import block_of, letters, linked
from algorithms.trace import Rule, Trace, step
from engine.source import Source
from engine.tree import Doubles, Indices


@dataclass(frozen=True)
class LqfParams(Params):
    """Parameters of the link quota filter."""

    threshold: float = param(
        0.5, "share of a block's characters in links above which it is dropped", low=0.0, high=1.0
    )


@dataclass(frozen=True)
class Lqf25Params(LqfParams):
    """The filter that drops blocks with more than a quarter of links."""

    threshold: float = param(
        0.25, "share of a block's characters in links above which it is dropped", low=0.0, high=1.0
    )


@dataclass(frozen=True)
class Lqf75Params(LqfParams):
    """The filter that drops blocks with more than three quarters of links."""

    threshold: float = param(
        0.75, "share of a block's characters in links above which it is dropped", low=0.0, high=1.0
    )


def extract(source: Source, params: LqfParams) -> Extraction:
    """Return the words outside blocks that are mostly links."""
    texts, block, total, in_links = link_letters(source)
    words = source.tree.words[texts]
    is_kept = in_links[block] <= params.threshold * total[block]
    return keep_words(source, np.repeat(is_kept, words[:, 1] - words[:, 0]))


def link_letters(source: Source) -> tuple[Indices, Indices, Doubles, Doubles]:
    """Return the letters of each block's text, in all and in links.

    That is the text rows, (t,), the block of each, and of each row of the tree, (n,), how many
    characters its texts have in all and in links: 0 where it is no block.
    """
    tree = source.tree
    texts = np.flatnonzero(tree.is_text)
    size, block = letters(source)[texts], block_of(source)[texts]
    total = np.bincount(block, size, minlength=len(tree))
    in_links = np.bincount(block, size * linked(source)[texts], minlength=len(tree))
    return texts, block, np.asarray(total, np.float64), np.asarray(in_links, np.float64)


_SHARE = Rule("share of the block's characters in links", "<=", ("threshold",), is_share=True)


def trace(source: Source, params: LqfParams) -> Trace:
    """Return for each text the share of links in its block."""
    tree = source.tree
    texts, block, total, in_links = link_letters(source)
    share = in_links[block] / np.maximum(total[block], 1)
    is_kept = in_links[block] <= params.threshold * total[block]
    notes = tuple(f"the block is <{tree.name_of(row)}>" for row in block.tolist())
    return Trace(
        (step(_SHARE, tree.words[texts], is_kept, share, params.threshold, notes),),
        source.tokens.words.size,
    )


def _method(key: str, name: str, params: type[LqfParams]) -> Method:
    return Method(
        key=key,
        name=name,
        params=params,
        output="extraction",
        cite="Gottron 2008, 3.2.4; Gupta et al. 2003",
        on_source=extract,
        trace_source=trace,
        summary="All text but blocks that are mostly links.",
    )


METHOD = _method("lqf", "LQF 50", LqfParams)
METHOD_25 = _method("lqf-25", "LQF 25", Lqf25Params)
METHOD_75 = _method("lqf-75", "LQF 75", Lqf75Params)
