"""What a method keeps of a page, as leaves of a tree: spans of a source, or rows of segments."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from algorithms.results import Segmentation
from algorithms.structure.formulas import is_held
from algorithms.structure.kinds import UNSEEN
from algorithms.structure.plain_text import joints_of_raised
from algorithms.structure.reading import Reading, reading_of
from algorithms.structure.tex import Formula
from engine.references import resolve
from engine.runs import mark_covered
from engine.source import Source, SourceTree
from engine.tree import Bools, Ints, Tree

_BREAK = re.compile(r"<br\b[^>]*>", re.IGNORECASE)
_MARKUP = re.compile(r"<!--.*?-->|<(script|style)\b.*?</\1\s*>|<[^>]*>", re.DOTALL | re.IGNORECASE)
_NO_SPACE = re.compile(r"\S+")
_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
"""Characters that no XML, and so no lxml, holds."""


class NoteMark(NamedTuple):
    """Reference to a note, by its label."""

    label: str


class ThematicBreak(NamedTuple):
    """A thematic break."""


class TaskBox(NamedTuple):
    """The box of an item of a task list."""

    is_done: bool


Thing = Formula | NoteMark | ThematicBreak | TaskBox | None
"""What a leaf without text is; None for a picture."""


class Leaf(NamedTuple):
    """A text, or a thing where ``text`` is None.

    Attributes:
        row: Its row in the tree.
        text: White space collapsed, but not in preformatted text.
        is_apart: Whether there is white space before it.
        thing: Its element where it is no text.
    """

    row: int
    text: str | None
    is_apart: bool
    thing: Thing = None


# Parts of a source ---------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class KeptSpans:
    """Spans of a source, int32 (k, 2)."""

    source: Source
    spans: Ints
    reading: Reading

    def holds(self, row: int) -> bool:
        """Return whether any word of a row is kept, or the position of a row without words."""
        tree = self.source.tree
        start, end = tree.outer[row].tolist()
        first, past = tree.words[row].tolist()
        if past > first:
            words = self.source.tokens.spans
            start, end = int(words[first, 0]), int(words[past - 1, 1])
        elif row in self.reading.formulas or self.reading.is_figure[row]:
            return is_held(self.source, self.spans, row)
        else:
            end = start + 1
        at = int(self.spans[:, 1].searchsorted(start, side="right"))
        return at < len(self.spans) and int(self.spans[at, 0]) < end

    def all_below(self, rows: Sequence[int]) -> "KeptSpans":
        """Return all content of some rows, kept or not."""
        outer = self.source.tree.outer[list(rows)].reshape(-1, 2)
        return KeptSpans(self.source, outer, self.reading)

    def leaves(self, things: Mapping[int, Thing], is_out: Bools) -> list[Leaf]:
        """Return texts and things in order, without rows that are out, bool (n,)."""
        source, tree = self.source, self.source.tree
        index, parts, joints = source.pieces_of(self.spans)
        joints = joints_of_raised(source, index, joints)
        kept = _outermost([row for row in things if not is_out[row] and self.holds(row)], tree)
        is_taken = is_out | self.reading.rows.below(kept) if kept else is_out
        rows = np.flatnonzero(tree.is_text)
        at_row = rows[np.maximum(tree.words[rows, 0].searchsorted(index, side="right") - 1, 0)]
        leaves = self._texts(index, parts, joints, at_row, is_taken)
        leaves += [Leaf(row, None, self._is_apart(row), things[row]) for row in kept]
        leaves.sort(key=lambda leaf: leaf.row)
        return self._after_things(leaves)

    def _texts(self, index: np.ndarray, parts: list[str], joints: np.ndarray, rows: np.ndarray,
               is_taken: Bools) -> list[Leaf]:  # fmt: skip
        raw, taken = self.reading.is_raw, is_taken[rows].tolist()
        space = _RawSpace(self.source, self.reading) if raw[rows].any() else None
        leaves: list[Leaf] = []
        before_row = before_index = last_index = -1
        is_whole = True
        pieces: list[str] = []
        is_apart = pending = False
        for number, at, text, joint, is_gone in zip(
            index.tolist(), rows.tolist(), parts, joints.tolist(), taken, strict=True
        ):
            is_whole = is_whole and number <= last_index + 1
            last_index = number
            if is_gone:
                pending = pending or joint > 0
                continue
            joint = joint or pending
            if raw[at] and space is not None:
                text = space.before(at, number, before_index, is_whole) + text
            elif joint:
                text = f" {text}" if at == before_row else text
            if at == before_row:
                pieces.append(text)
            else:
                if pieces:
                    leaves.append(Leaf(before_row, legal("".join(pieces)), is_apart))
                pieces, is_apart = [text], bool(joint)
            before_index, before_row, pending, is_whole = number, at, False, True
        if pieces:
            leaves.append(Leaf(before_row, legal("".join(pieces)), is_apart))
        return leaves

    def _is_apart(self, row: int) -> bool:
        """Return whether there is white space before an element."""
        space = _RawSpace(self.source, self.reading)
        start = space.before_holes(int(self.source.tree.outer[row, 0]))
        words = self.source.tokens.spans
        at = int(words[:, 1].searchsorted(start, side="right")) - 1
        before = int(words[at, 1]) if at >= 0 else 0
        return _is_space_in(self.source.html[before:start])

    def _after_things(self, leaves: list[Leaf]) -> list[Leaf]:
        """Return leaves; texts after things are separate if white space is between the two."""
        tree = self.source.tree
        for at in range(1, len(leaves)):
            before, leaf = leaves[at - 1], leaves[at]
            if before.text is not None:
                continue
            end, start = int(tree.outer[before.row, 1]), int(tree.outer[leaf.row, 0])
            if leaf.text is None or not self.reading.is_raw[leaf.row]:
                leaves[at] = leaf._replace(is_apart=_is_space_in(self.source.html[end:start]))
        return leaves


@dataclass(frozen=True, eq=False)
class _RawSpace:
    """White space of preformatted text as in its source."""

    source: Source
    reading: Reading

    @cached_property
    def _holes(self) -> list[tuple[int, int]]:
        """Start and end in the source of each part that is left out."""
        tree, out = self.source.tree, self.reading.left_out
        tops = np.flatnonzero(out & ~out[np.maximum(tree.parent, 0)])
        return [(start, end) for start, end in tree.outer[tops].tolist()]

    def before_holes(self, position: int) -> int:
        """Return a position, or the start of the left-out part directly before it."""
        ends = {end: start for start, end in self._holes}
        while position in ends:
            position = ends[position]
        return position

    def before(self, row: int, number: int, before: int, is_whole: bool) -> str:
        """Return the white space before the given word of preformatted text, with ``br`` as lines.

        Args:
            row: The row of the text it is in.
            number: Which word of the page it is.
            before: Which one is kept before it, -1 for none.
            is_whole: Whether all between the two is left out by rule, and nothing by the method.

        Where words between them are not kept, one line's end is kept at most, and the word's
        indent.
        """
        source, words = self.source, self.source.tokens.spans
        first = self._start(row)
        word = int(words[number, 0])
        past = int(words[before, 1]) if before >= 0 else 0
        if is_whole:
            return self._white_space(max(first, past), word)
        own = max(first, int(words[number - 1, 1])) if number else first
        space = self._white_space(own, word)
        indent = space.rpartition("\n")[2] if own == first or "\n" in space else ""
        if past <= first:
            return indent
        return f"\n{indent}" if "\n" in _white_space(source.html[past:word]) else " "

    def _start(self, row: int) -> int:
        """Return the start of the preformatted element around a row."""
        tree: SourceTree = self.source.tree
        raw = self.reading.is_raw
        while raw[tree.parent[row]]:
            row = int(tree.parent[row])
        return int(tree.outer[row, 0])

    def _white_space(self, start: int, end: int) -> str:
        html, pieces = self.source.html, []
        at = bisect_left(self._holes, (start, -1))
        while at < len(self._holes) and self._holes[at][0] < end:
            hole = self._holes[at]
            at += 1
            if hole[0] < start or hole[1] > end:
                continue
            pieces.append(html[start : hole[0]])
            start = hole[1]
        pieces.append(html[start:end])
        return _white_space("".join(pieces))


# Rows of a rendered page ---------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class KeptRows:
    """Content of the blocks of a segmentation, or all below some rows."""

    result: Segmentation
    kept: Bools | None = None

    @property
    def is_kept(self) -> Bools:
        """Kept rows, bool (n,)."""
        if self.kept is not None:
            return self.kept
        nodes = self.result.nodes
        roots, _ = self.result.parts
        return mark_covered(roots, nodes.end[roots], len(nodes)) & ~nodes.within(*UNSEEN)

    def holds(self, row: int) -> bool:
        """Return whether a row is kept."""
        nodes, kept = self.result.nodes, self.is_kept
        return bool(kept[row : int(nodes.end[row])].any())

    def all_below(self, rows: Sequence[int]) -> "KeptRows":
        """Return all content of some rows, kept or not."""
        return KeptRows(self.result, reading_of(self.result.nodes).rows.below(list(rows)))

    def leaves(self, things: Mapping[int, Thing], is_out: Bools) -> list[Leaf]:
        """Return texts and things in order, without rows that are out, bool (n,)."""
        nodes, kept = self.result.nodes, self.is_kept
        reading = reading_of(nodes)
        raw = reading.is_raw
        held = {row for row in things if not is_out[row] and kept[row : int(nodes.end[row])].any()}
        wanted = (kept & nodes.is_text & ~is_out).copy()
        wanted[list(held)] = True
        leaves: list[Leaf] = []
        is_apart, past = False, 0
        for row in np.flatnonzero(wanted).tolist():
            if row < past:
                continue
            if row in held:
                leaves.append(Leaf(row, None, is_apart, things[row]))
                is_apart, past = False, int(nodes.end[row])
                continue
            text = nodes.text[row]
            if raw[row]:
                leaves.append(Leaf(row, legal(text), is_apart=False))
            elif nodes.has_words[row]:
                apart = is_apart or text[:1].isspace()
                leaves.append(Leaf(row, legal(" ".join(text.split())), apart))
            is_apart = text[-1:].isspace() if nodes.has_words[row] else is_apart or bool(text)
        return leaves


def _outermost(rows: Iterable[int], tree: Tree) -> list[int]:
    """Return the rows that are below none of the others."""
    outermost: list[int] = []
    past = 0
    for row in sorted(rows):
        if row >= past:
            outermost.append(row)
            past = int(tree.end[row])
    return outermost


def _is_space_in(html: str) -> bool:
    """Return whether a part of the source has white space or text."""
    return bool(html) and bool(resolve(_MARKUP.sub("", html)))


def _white_space(html: str) -> str:
    """Return the white space of a part of the source, lines ended as in a parsed page."""
    if "\r" not in html and not html.strip():
        return html
    text = resolve(_MARKUP.sub("", _BREAK.sub("\n", html)))
    return _NO_SPACE.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def legal(text: str) -> str:
    """Return a text without characters that no XML holds."""
    return _NO_XML.sub("", text)
