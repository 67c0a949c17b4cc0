"""LTC and HF, the other heuristics of XWRAP: the element that repeats a tag, or fans out, most.

Source: W. Han, D. Buttler, C. Pu, "Wrapping Web Data into XML", SIGMOD Record 2001; T. Gottron,
dissertation 2008, section 6.2.1.  They look for lists of records, not for text.

Largest tag count: the number of tags in an element's subtree is largest at the root, always.  As in
XWRAP's sibling Omini, elements that lie in each other are distinguished by how often their most
frequent child tag occurs; so the element with the highest such number is taken, of equal ones that
with more tags below it, of these the first.  Highest fan-out: the element with most children; texts
count as children on request; of equal ones the first.

Cost: O(n) for n rows.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.results import Extraction
from algorithms.signals.tree_counts import keep_row, trace_best
from algorithms.trace import Rule, Trace
from engine.source import Source
from engine.tree import Tree


@dataclass(frozen=True)
class LtcParams(Params):
    repeats: bool = param(
        True, "tell nested elements apart by their most frequent child tag, not by tags alone"
    )


@dataclass(frozen=True)
class HfParams(Params):
    texts: bool = param(False, "count texts as children")


def extract_ltc(source: Source, params: LtcParams) -> Extraction:
    """Return the text of the element with the largest tag count."""
    return keep_row(source, largest_tag_count(source.tree, params.repeats))


def extract_hf(source: Source, params: HfParams) -> Extraction:
    """Return the text of the element with the highest fan-out."""
    return keep_row(source, highest_fanout(source.tree, params.texts))


def largest_tag_count(tree: Tree, repeats: bool = True) -> int:
    """Return the row; with ``repeats`` by the count of the most frequent child tag first."""
    tags = tree.subtree_sum(~tree.is_text)
    if not repeats:
        return int(np.argmax(tags))
    most = tag_repeats(tree)
    best = np.flatnonzero(most == most.max())
    return int(best[np.argmax(tags[best])])


def tag_repeats(tree: Tree) -> npt.NDArray[np.int64]:
    """Return how often the most frequent child tag of each row occurs, int64 (n,)."""
    element = np.flatnonzero(~tree.is_text)[1:]
    most = np.zeros(len(tree), dtype=np.int64)
    if element.size:
        width = len(tree.names)
        kind, count = np.unique(
            tree.parent[element].astype(np.int64) * width + tree.tag[element], return_counts=True
        )
        np.maximum.at(most, kind // width, count)
    return most


def highest_fanout(tree: Tree, texts: bool = False) -> int:
    """Return the row with most children."""
    return int(np.argmax(fanouts(tree, texts)))


def fanouts(tree: Tree, texts: bool = False) -> npt.NDArray[np.int64]:
    """Return how many children each row has, int64 (n,)."""
    parents = tree.parent[1:]
    if not texts:
        parents = parents[~tree.is_text[1:]]
    return np.asarray(np.bincount(parents, minlength=len(tree)), dtype=np.int64)


_REPEATS = Rule(
    "occurrences of its most frequent child tag", ">=", ("repeats",),
    says=(
        "its most frequent child tag occurs {value} time(s), the most on the page",
        "its most frequent child tag occurs {value} time(s); in the chosen element {limit}",
    ),
)  # fmt: skip
_TAGS = Rule(
    "tags below it", ">=", ("repeats",),
    says=(
        "{value} tag(s) below it, the most on the page",
        "{value} tag(s) below it; the chosen element has {limit}",
    ),
)  # fmt: skip
_CHILDREN = Rule(
    "children", ">=", ("texts",),
    says=("{value} child(ren), the most on the page",
          "{value} child(ren); the chosen element has {limit}"),
)  # fmt: skip


def trace_ltc(source: Source, params: LtcParams) -> Trace:
    """Return for each text the highest tag count around it, compared with the winner's."""
    tree = source.tree
    winner = largest_tag_count(tree, params.repeats)
    if params.repeats:
        return trace_best(source, tag_repeats(tree), winner, _REPEATS, "like children")
    return trace_best(source, tree.subtree_sum(~tree.is_text), winner, _TAGS, "tags")


def trace_hf(source: Source, params: HfParams) -> Trace:
    """Return for each text the most children an element around it has, and the winner's."""
    counts = fanouts(source.tree, params.texts)
    return trace_best(source, counts, int(np.argmax(counts)), _CHILDREN, "children")


LTC = Method(
    key="ltc",
    name="Largest Tag Count",
    params=LtcParams,
    output="extraction",
    cite="Han, Buttler, Pu 2001",
    on_source=extract_ltc,
    trace_source=trace_ltc,
    summary="The element that repeats one tag most often: a list of records.",
)
HF = Method(
    key="hf",
    name="Highest Fan-out",
    params=HfParams,
    output="extraction",
    cite="Han, Buttler, Pu 2001",
    on_source=extract_hf,
    trace_source=trace_hf,
    summary="The element with most children.",
)
