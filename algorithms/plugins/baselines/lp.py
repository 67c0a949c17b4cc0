"""LP, Largest Pagelet: cut the tree until no child of a part has k links; the part with most text.

Source: Z. Bar-Yossef, S. Rajagopalan, "Template Detection via Data Mining and its Applications",
WWW 2002; T. Gottron, dissertation 2008, section 6.3, Algorithm 6.2, k = 7 by section 6.5.1.

The listing says descendants where the text says children; children are meant, else every row below
a part that is cut would be a part.  A text among the children is a part as well.  White space does
not count as text; of equally large pagelets the first is taken.

Cost: O(n) for n rows.
"""

from dataclasses import dataclass

import numpy as np

from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.results import Extraction
from algorithms.signals.tree_counts import keep_row, letters, links, pagelets, trace_best
from algorithms.trace import Rule, Trace
from engine.source import Source


@dataclass(frozen=True)
class LpParams(Params):
    links: int = param(7, "links in one child that cut a part (k)", low=1, high=50)


def extract(source: Source, params: LpParams) -> Extraction:
    """Return the text of the largest pagelet."""
    is_part = pagelets(source.tree, links(source), params.links)
    size = np.where(is_part, letters(source), -1)
    return keep_row(source, int(np.argmax(size)))


_TEXT = Rule(
    "characters in the part", ">=", ("links",),
    says=(
        "its part has the most text, {value} character(s)",
        "its part has {value} character(s); the largest has {limit}",
    ),
)  # fmt: skip


def trace(source: Source, params: LpParams) -> Trace:
    """Return for each text the characters of its part, compared with the largest's."""
    is_part = pagelets(source.tree, links(source), params.links)
    size = np.where(is_part, letters(source), np.nan)
    winner = int(np.argmax(np.where(is_part, letters(source), -1)))
    return trace_best(source, size, winner, _TEXT, "text")


METHOD = Method(
    key="lp",
    name="Largest Pagelet",
    params=LpParams,
    output="extraction",
    cite="Bar-Yossef, Rajagopalan 2002; Gottron 2008",
    on_source=extract,
    trace_source=trace,
    summary="Of the parts whose children have few links, the one with most text.",
)
