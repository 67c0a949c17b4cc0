"""LSI, Largest Size Increase: the element that adds most text to that of its largest child.

Source: W. Han, D. Buttler, C. Pu, "Wrapping Web Data into XML", SIGMOD Record 2001 (XWRAP elite);
T. Gottron, dissertation 2008, section 6.2, Algorithm 6.1.

The size of an element is the number of characters of its visible text, white space not counted.
On the rendered page that is the text the browser shows; on a source all but script, style and
title.  Departures: elements only are candidates (a text has no child and would add all of itself),
but texts count as children, so that a paragraph of one text adds nothing (as a parameter).  Of
equal elements the first is taken.

Cost: O(n) for n rows.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.results import Extraction
from algorithms.signals.tree_counts import keep_row, letters, trace_best
from algorithms.trace import Rule, Trace
from engine.nodes import NodeTable
from engine.page import Page
from engine.source import Source
from engine.tree import TEXTLESS_TAGS, Bools, Tree


@dataclass(frozen=True)
class LsiParams(Params):
    texts: bool = param(True, "count texts as children, as large as themselves")


def extract(source: Source, params: LsiParams) -> Extraction:
    """Return the text of the element with the largest size increase."""
    return keep_row(source, largest_increase(source.tree, letters(source), params.texts))


def extract_rendered(page: Page, params: LsiParams) -> Extraction:
    """Return the visible text of the rendered element with the largest size increase."""
    nodes = page.rendered()
    source = page.source("dom")
    texts = np.flatnonzero(_shown(nodes))
    row = largest_increase(nodes, rendered_sizes(nodes), params.texts)
    chosen = texts[(texts >= row) & (texts < nodes.end[row])]
    spans = nodes.outer[chosen]
    return Extraction(source, spans[np.argsort(spans[:, 0], kind="stable")])


def _shown(nodes: NodeTable) -> Bools:
    """Return which texts a reader sees, bool (n,)."""
    shown = nodes.has_words & nodes.visible & (nodes.outer[:, 0] >= 0)
    return np.asarray(shown & ~nodes.within(*TEXTLESS_TAGS), dtype=bool)


def rendered_sizes(nodes: NodeTable) -> npt.NDArray[np.float64]:
    """Return the characters of visible text at or below each row of a rendered page, (n,)."""
    size = np.zeros(len(nodes), dtype=np.int64)
    texts = np.flatnonzero(_shown(nodes))
    size[texts] = [sum(map(len, nodes.text[row].split())) for row in texts.tolist()]
    return nodes.subtree_sum(size)


def largest_increase(tree: Tree, sizes: npt.ArrayLike, texts: bool = True) -> int:
    """Return the element whose size, of (n,), exceeds that of its largest child the most."""
    return int(np.argmax(increases(tree, sizes, texts)))


def increases(tree: Tree, sizes: npt.ArrayLike, texts: bool = True) -> npt.NDArray[np.float64]:
    """Return by how much each element's size exceeds its largest child's, (n,); -1 for texts."""
    size = np.asarray(sizes, dtype=np.float64)
    largest = np.zeros(len(tree), dtype=np.float64)
    child = np.arange(1, len(tree))
    if not texts:
        child = child[~tree.is_text[1:]]
    np.maximum.at(largest, tree.parent[child], size[child])
    increase = size - largest
    increase[tree.is_text] = -1.0
    return np.asarray(increase, dtype=np.float64)


_INCREASE = Rule(
    "characters outside its largest child", ">=", ("texts",),
    says=(
        "{value} character(s) outside its largest child, the most on the page",
        "{value} character(s) outside its largest child; the chosen element has {limit}",
    ),
)  # fmt: skip


def trace(source: Source, params: LsiParams) -> Trace:
    """Return for each text the largest increase around it, compared with the winner's."""
    increase = increases(source.tree, letters(source), params.texts)
    winner = int(np.argmax(increase))
    increase[source.tree.is_text] = np.nan
    return trace_best(source, increase, winner, _INCREASE, "characters of its own")


METHOD = Method(
    key="lsi",
    name="LSI",
    params=LsiParams,
    output="extraction",
    cite="Han, Buttler, Pu 2001",
    on_source=extract,
    trace_source=trace,
    on_page=extract_rendered,
    summary="The element that adds most text to that of its parts.",
)
