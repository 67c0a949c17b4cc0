"""What is kept of a page, piece by piece: texts and pictures with the rows they stand in."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import unescape
from typing import NamedTuple

import numpy as np

from algorithms.results import Extraction, Segmentation
from algorithms.structure.kinds import UNSEEN
from engine.nodes import NodeTable
from engine.runs import covered
from engine.source import Source, SourceTree
from engine.tree import Bools, Ints, Tree

_PREFORMATTED = ("pre", "listing", "xmp", "textarea")
_BREAK = re.compile(r"<br\b[^>]*>", re.IGNORECASE)
_MARKUP = re.compile(r"<!--.*?-->|<(script|style)\b.*?</\1\s*>|<[^>]*>", re.DOTALL | re.IGNORECASE)
_NO_SPACE = re.compile(r"\S+")
_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
"""Characters that no XML, and so no lxml, holds."""


class Leaf(NamedTuple):
    """A text, or a picture where ``text`` is None.

    Attributes:
        row: Its row in the tree.
        text: White space collapsed, but not in preformatted text.
        is_apart: Whether white space stands before it.
    """

    row: int
    text: str | None
    is_apart: bool


@dataclass(frozen=True, eq=False)
class KeptPage:
    """A tree, and what is kept of it in document order."""

    tree: Tree
    leaves: Sequence[Leaf]
    _of: Source | NodeTable = field(repr=False)

    def attributes(self, row: int) -> Mapping[str, str]:
        """Return the attributes of an element."""
        if isinstance(self._of, Source):
            return self._of.attributes(row)
        return self._of.attributes[row]


def kept_page(result: Extraction | Segmentation) -> KeptPage:
    """Return what a result keeps; of a segmentation what its blocks hold.  O(n)."""
    if isinstance(result, Segmentation):
        return _of_rows(result)
    return _of_spans(result)


def _of_spans(result: Extraction) -> KeptPage:
    source, spans = result.source, np.asarray(result.spans)
    index, parts, joints = source.pieces_of(spans)
    tree = source.tree
    rows = np.flatnonzero(tree.is_text)
    row = rows[np.maximum(tree.words[rows, 0].searchsorted(index, side="right") - 1, 0)]
    raw = tree.within(*_PREFORMATTED)
    leaves: list[Leaf] = []
    before_index = before_row = first = -1
    pieces: list[str] = []
    is_apart = False
    for number, at, text, joint in zip(
        index.tolist(), row.tolist(), parts, joints.tolist(), strict=True
    ):
        if raw[at]:
            if at != before_row:
                first = _start_of_raw(tree, at)
            text = _raw_space(source, first, number, before_index) + text
        elif joint:
            text = f" {text}" if at == before_row else text
        if at == before_row:
            pieces.append(text)
        else:
            if pieces:
                leaves.append(Leaf(before_row, _legal("".join(pieces)), is_apart))
            pieces, is_apart = [text], bool(joint)
        before_index, before_row = number, at
    if pieces:
        leaves.append(Leaf(before_row, _legal("".join(pieces)), is_apart))
    leaves += _pictures(tree, _inside(spans, tree.outer[:, 0]))
    return KeptPage(tree, sorted(leaves, key=lambda leaf: leaf.row), source)


def _of_rows(result: Segmentation) -> KeptPage:
    nodes = result.nodes
    roots, _ = result.parts
    kept = covered(roots, nodes.end[roots], len(nodes))
    kept &= ~nodes.within(*UNSEEN)
    raw = nodes.within(*_PREFORMATTED)
    leaves = list(_pictures(nodes, kept))
    is_apart = False
    for row in np.flatnonzero(kept & nodes.is_text).tolist():
        text = nodes.text[row]
        if raw[row]:
            leaves.append(Leaf(row, _legal(text), is_apart=False))
        elif nodes.has_words[row]:
            leaves.append(Leaf(row, _legal(" ".join(text.split())), is_apart or text[:1].isspace()))
        is_apart = text[-1:].isspace() if nodes.has_words[row] else is_apart or bool(text)
    return KeptPage(nodes, sorted(leaves, key=lambda leaf: leaf.row), nodes)


def _pictures(tree: Tree, kept: Bools) -> list[Leaf]:
    return [Leaf(row, None, True) for row in np.flatnonzero(tree.has_tag("img") & kept).tolist()]


def _inside(spans: Ints, at: Ints) -> Bools:
    """Return which positions lie in one of the spans, in order and not overlapping."""
    if not len(spans):
        return np.zeros(at.size, dtype=bool)
    which = np.maximum(spans[:, 0].searchsorted(at, side="right") - 1, 0)
    return np.asarray((spans[which, 0] <= at) & (at < spans[which, 1]), dtype=bool)


def _raw_space(source: Source, first: int, number: int, before: int) -> str:
    """Return the white space before a word of preformatted text, with ``br`` as a line's end.

    Args:
        source: The page.
        first: Where the preformatted element begins.
        number: Which word of the page it is.
        before: Which one is kept before it, -1 for none.

    Where words between them are left out, one line's end is kept at most, and how far the word is
    indented.
    """
    words = source.tokens.spans
    word = int(words[number, 0])
    own = max(first, int(words[number - 1, 1])) if number else first
    space = _white_space(source.html[own:word])
    if before == number - 1:
        return space
    indent = space.rpartition("\n")[2] if own == first or "\n" in space else ""
    past = int(words[before, 1]) if before >= 0 else 0
    if past <= first:
        return indent
    return f"\n{indent}" if "\n" in _white_space(source.html[past:word]) else " "


def _start_of_raw(tree: SourceTree, row: int) -> int:
    """Return where the preformatted element begins that a row stands in."""
    while tree.name_of(row) not in _PREFORMATTED:
        row = int(tree.parent[row])
    return int(tree.outer[row, 0])


def _white_space(html: str) -> str:
    """Return the white space of a stretch of source, lines ended as in a parsed page."""
    if "\r" not in html and not html.strip():
        return html
    text = unescape(_MARKUP.sub("", _BREAK.sub("\n", html)))
    return _NO_SPACE.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def _legal(text: str) -> str:
    return _NO_XML.sub("", text)
