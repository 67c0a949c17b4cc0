"""LQF nested: everything but blocks that are link lists, nested blocks counted at a discount.

Source: I. Mantratzis, M. Orgun, S. Cassidy, "Separating XHTML content from navigation clutter using
DOM-structure block analysis", Hypertext 2005, as told by T. Gottron, dissertation 2008, section
3.2.4 (after Algorithm 3.4).

A structurally significant element (``table tr td div``) is the root of a link list, and goes with
all below it, if more than half of the elements in it are links with text, and more than .4 of the
characters of its text are in links.  Text outside all significant elements stays.

Readings.  Gottron defines what to compare, not how to count it:

- "All contained elements": of every element of a page only few are links, as each item, cell and
  wrapper counts against them; a plain list ``li a`` has a share of exactly one half, and next to
  nothing would ever go.  As of links only those with text count, so here of other elements: those
  that hold text themselves, outside of links.  A parameter takes all elements, as in the text.
- "Reduced by a factor which represents the distance": what a nested significant element adds to
  either ratio of one around it counts ``decay`` times as much for each such element in between;
  what it is compared with counts in full.  So links far below are never enough to take out the
  element around a whole page, and a list in nested tables still goes, by its inner tables.  If both
  sides are reduced, the page's wrapper is a list on many pages: recall falls from .998 to .55 on
  articles of today.  The factor is not printed, as Gottron says; one half by default.  With 1
  nested elements count in full.
- White space does not count as characters.

Cost: O(n) for n rows.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.results import Extraction, keep_words
from algorithms.signals.tree_counts import above, letters, linked, links, nearest, words_below
from algorithms.trace import Rule, Trace, step
from engine.source import Source
from engine.tree import Bools, Tree

ELEMENTS = ("text", "all")


@dataclass(frozen=True)
class LqfNestedParams(Params):
    anchors: float = param(
        0.5, "share of links among elements a link list exceeds", low=0.0, high=1.0
    )
    characters: float = param(
        0.4, "share of characters in links a link list exceeds", low=0.0, high=1.0
    )
    decay: float = param(
        0.5, "weight of links one significant element further in", low=0.0, high=1.0
    )
    elements: str = param(
        "text", "elements that links are compared with: those with own text, or all",
        choices=ELEMENTS,
    )  # fmt: skip
    tags: str = param("table tr td div", "the structurally significant elements", has_tags=True)


def extract(source: Source, params: LqfNestedParams) -> Extraction:
    """Return the words outside link lists."""
    return keep_words(source, ~words_below(source, link_lists(source, params)))


@dataclass(frozen=True, eq=False)
class Shares:
    """Contents of the s significant elements, as far as they count.

    Attributes:
        rows: int64 (s,). Their rows.
        anchors, elements: float64 (s,). Links, at a discount, and the elements they are compared
            with.
        linked, characters: float64 (s,). Characters in links, at a discount, and all.
    """

    rows: npt.NDArray[np.intp]
    anchors: npt.NDArray[np.float64]
    elements: npt.NDArray[np.float64]
    linked: npt.NDArray[np.float64]
    characters: npt.NDArray[np.float64]

    def is_list(self, params: LqfNestedParams) -> Bools:
        """Return which of them are link lists, bool (s,)."""
        return np.asarray(
            (self.anchors > params.anchors * self.elements)
            & (self.linked > params.characters * self.characters),
            dtype=bool,
        )


def link_lists(source: Source, params: LqfNestedParams) -> Bools:
    """Return which rows are roots of link lists, bool (n,)."""
    is_root = np.zeros(len(source.tree), dtype=bool)
    result = shares(source, params)
    is_root[result.rows[result.is_list(params)]] = True
    return is_root


def shares(source: Source, params: LqfNestedParams) -> Shares:
    """Return the contents of each significant element. O(n)."""
    tree = source.tree
    n = len(tree)
    significant = np.flatnonzero(tree.has_tag(*params.tags.lower().split()))
    if not significant.size:
        none = np.zeros(0)
        return Shares(significant, none, none, none, none)
    size = letters(source)
    in_link = linked(source)
    is_text = tree.is_text
    is_anchor = links(source) & (size > 0)
    counted = ~is_text
    if params.elements == "text":
        holds_text = np.zeros(n, dtype=bool)
        holds_text[tree.parent[is_text]] = True
        counted = (holds_text & ~in_link) | is_anchor

    # Content of each significant element outside nested ones, without the element itself.
    home, outer = _homes(tree, significant)
    k = significant.size
    weighted, held = (
        [np.bincount(home, column, minlength=k + 1)[:k].tolist() for column in columns]
        for columns in ((is_anchor, size * (is_text & in_link)), (counted, size * is_text))
    )
    # An element in another counts among its elements in full: only its descendants are far.
    itself = counted[significant].tolist()
    for inner in range(k - 1, -1, -1):
        around = outer[inner]
        if around >= 0:
            for column in held:
                column[around] += column[inner]
            held[0][around] += itself[inner]
            for column in weighted:
                column[around] += params.decay * column[inner]
    elements, characters = np.array(held)
    anchors, characters_linked = np.array(weighted)
    return Shares(significant, anchors, elements, characters_linked, characters)


def _homes(tree: Tree, rows: npt.NDArray[np.intp]) -> tuple[npt.NDArray[np.intp], list[int]]:
    """Return in which of ``rows`` (by place, k for none) each row lies, (n,); and these, (k,).

    None of ``rows`` is inside itself; -1 in the second: inside no other.
    """
    k = rows.size
    is_wanted = np.zeros(len(tree), dtype=bool)
    is_wanted[rows] = True
    position = np.full(len(tree), k)
    position[rows] = np.arange(k)
    above = nearest(tree, is_wanted)
    home = position[above]
    up = tree.parent[rows]
    around = np.where(up >= 0, home[up], k)
    home[rows] = k  # counted by themselves
    return home, np.where(around == k, -1, around).tolist()


_LINKED = Rule("share of characters in links", "<=", ("characters", "decay"), is_share=True)
_ANCHORS = Rule("share of links among elements", "<=", ("anchors", "decay"), is_share=True)
_OUTSIDE = Rule("in none of the elements the method checks", "", ("tags",))


def trace(source: Source, params: LqfNestedParams) -> Trace:
    """Return for each text the contents of the element that decides on it.

    That is the outermost link list around it, else the innermost candidate element.
    """
    tree = source.tree
    texts = np.flatnonzero(tree.is_text)
    result = shares(source, params)
    is_list = result.is_list(params)
    position, is_root = np.full(len(tree), -1), np.zeros(len(tree), dtype=bool)
    position[result.rows] = np.arange(result.rows.size)
    is_root[result.rows[is_list]] = True
    around = above(tree, is_root, outermost=True)[texts]
    gone, words = around >= 0, tree.words[texts]
    around = np.where(gone, around, above(tree, position >= 0)[texts])
    outside = around < 0
    element = np.maximum(position[around], 0)
    if not result.rows.size:
        return Trace((step(_OUTSIDE, words, True),), source.tokens.words.size)
    by_anchors = result.anchors / np.maximum(result.elements, 1)
    by_letters = result.linked / np.maximum(result.characters, 1)
    # It is kept for one reason, and removed only if both shares are too high.
    few_links = ~gone & (result.linked <= params.characters * result.characters)[element] & ~outside
    letters_by = few_links | gone
    anchors_by = ~letters_by & ~outside
    notes = tuple(
        f"in <{tree.name_of(int(result.rows[k]))}>; {by_anchors[k]:.0%} of its elements are links"
        for k in element[letters_by].tolist()
    )
    return Trace(
        (
            step(_OUTSIDE, words[outside], True),
            step(
                _LINKED, words[letters_by], ~gone[letters_by], by_letters[element][letters_by],
                params.characters, notes,
            ),
            step(
                _ANCHORS, words[anchors_by], True, by_anchors[element][anchors_by], params.anchors
            ),
        ),
        source.tokens.words.size,
    )  # fmt: skip


METHOD = Method(
    key="lqf-nested",
    name="LQF nested",
    params=LqfNestedParams,
    output="extraction",
    cite="Mantratzis, Orgun, Cassidy 2005",
    on_source=extract,
    trace_source=trace,
    summary="All text but link lists, whose inner blocks count at a discount.",
)
