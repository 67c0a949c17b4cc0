"""What is kept of a page, piece by piece: texts, pictures and formulas with their rows."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html import unescape
from typing import NamedTuple

import numpy as np

from algorithms.results import Extraction, Segmentation
from algorithms.structure.formulas import Formula, is_held, raw_formulas
from algorithms.structure.kinds import HEADINGS, UNSEEN
from algorithms.structure.notes import is_title_of_notes
from algorithms.structure.reading import Reading, reading_of
from algorithms.structure.rows import PageRows
from engine.runs import covered
from engine.source import Source, SourceTree
from engine.tree import Bools, Ints, Tree

_BREAK = re.compile(r"<br\b[^>]*>", re.IGNORECASE)
_MARKUP = re.compile(r"<!--.*?-->|<(script|style)\b.*?</\1\s*>|<[^>]*>", re.DOTALL | re.IGNORECASE)
_NO_SPACE = re.compile(r"\S+")
_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
"""Characters that no XML, and so no lxml, holds."""

_OPENED = re.compile(r"\\\(|\\\[|\$\$|\\begin\{")
_MOST_MERGED = 40
"""Texts that a formula in the text may be cut into by emphasis that was none."""


class Mark(NamedTuple):
    """What refers to a note, by its label."""

    label: str


class Rule(NamedTuple):
    """A thematic break."""


class Task(NamedTuple):
    """The box of an item of a task list."""

    is_done: bool


Thing = Formula | Mark | Rule | Task | None
"""What a leaf without text is; None for a picture."""


class Leaf(NamedTuple):
    """A text, or a thing where ``text`` is None.

    Attributes:
        row: Its row in the tree.
        text: White space collapsed, but not in preformatted text.
        is_apart: Whether white space stands before it.
        thing: What it is where it is no text.
    """

    row: int
    text: str | None
    is_apart: bool
    thing: Thing = None


@dataclass(frozen=True, eq=False)
class KeptNote:
    """A note that something kept refers to, whether the method kept it or not."""

    label: str
    rows: tuple[int, ...]
    text: str
    address: str
    leaves: Sequence[Leaf]


@dataclass(frozen=True, eq=False)
class KeptPage:
    """A tree, and what is kept of it in document order."""

    reading: Reading
    leaves: Sequence[Leaf]
    notes: Sequence[KeptNote] = field(default=())

    def attributes(self, row: int) -> Mapping[str, str]:
        """Return the attributes of an element."""
        return self.reading.rows.attributes(row)


def kept_page(result: Extraction | Segmentation) -> KeptPage:
    """Return what a result keeps; of a segmentation what its blocks hold.  O(n)."""
    if isinstance(result, Segmentation):
        kept = _KeptRows(result)
        return _page(kept, reading_of(result.nodes))
    reading = reading_of(result.source)
    return _page(_KeptSpans(result.source, np.asarray(result.spans), reading), reading)


def _page(kept: "_KeptSpans | _KeptRows", reading: Reading) -> KeptPage:
    rows, notes = reading.rows, reading.notes
    marks = {row: number for row, number in notes.marks.items() if kept.holds(row)}
    active = sorted(set(marks.values()))
    things: dict[int, Thing] = dict(reading.formulas)
    things |= {row: Mark(notes.notes[number].label) for row, number in marks.items()}
    things |= {row: None for row in rows.named("img", "amp-img") if row not in reading.formulas}
    things |= {row: Rule() for row in rows.named("hr")}
    things |= {row: task for row in rows.named("input") if (task := _task(reading, row))}
    out = reading.left_out
    elsewhere = [row for number in active for row in notes.notes[number].rows]
    copies = [row for number in active for row in notes.notes[number].copies]
    is_out = out | rows.below([*elsewhere, *copies]) if active else out
    leaves = _with_raw(_without_brackets(kept.leaves(things, is_out)), reading)
    leaves = _without_emptied(leaves, rows, elsewhere) if active else leaves
    found = []
    for number in active:
        note = notes.notes[number]
        own = {row: thing for row, thing in things.items()
               if not isinstance(thing, Rule)
               and any(at < row < rows.end[at] for at in note.rows)}  # fmt: skip
        within = rows.below(note.rows) if note.rows else np.zeros(len(rows.tree), dtype=bool)
        is_hidden = (out & ~_above_all(reading, note.rows)) | ~within | rows.below(note.hidden)
        inner = kept.all_below(note.rows).leaves(own, is_hidden)
        texts = _with_raw(_named(inner, note.label), reading)
        found.append(KeptNote(note.label, note.rows, note.text, note.address, texts))
    return KeptPage(reading, leaves, found)


def _without_emptied(leaves: list[Leaf], rows: PageRows, notes: Sequence[int]) -> list[Leaf]:
    """Return leaves without titles and rules of notes below which nothing else is left."""
    kept = np.array([leaf.row for leaf in leaves], dtype=np.int64)
    moved = np.array(sorted(notes), dtype=np.int64)
    headings = np.flatnonzero(rows.tree.has_tag(*HEADINGS))
    is_gone = np.zeros(len(leaves), dtype=bool)
    titles = [row for row in headings.tolist() if is_title_of_notes(rows.text(row))]
    for row in (*titles, *rows.named("hr")):
        box, text = row, rows.text(row)
        while rows.parent[box] > 0 and rows.text(rows.parent[box]) == text:
            box = rows.parent[box]
        later = headings[headings >= rows.end[box]]
        end = min(rows.end[rows.parent[box]], *later[:1].tolist(), len(rows.names))
        first, past = kept.searchsorted([rows.end[row], end]).tolist()
        is_emptied = all(isinstance(leaf.thing, Rule) for leaf in leaves[first:past])
        if is_emptied and np.diff(moved.searchsorted([row, end]))[0]:
            is_gone[kept.searchsorted(row) : first] = True
    return [leaf for leaf, gone in zip(leaves, is_gone.tolist(), strict=True) if not gone]


def _above_all(reading: Reading, rows: Sequence[int]) -> Bools:
    """Return the rows below some that are left out only since something around them is."""
    lost = np.zeros(len(reading.rows.tree), dtype=bool)
    for row in rows:
        if reading.left_out[row]:
            lost[row : reading.rows.end[row]] = True
    return lost


def _named(leaves: list[Leaf], label: str) -> list[Leaf]:
    """Return the leaves of a note without its label where that stands in its first text."""
    for at, leaf in enumerate(leaves):
        if leaf.text is None or not leaf.text.strip():
            continue
        text = re.sub(
            rf"^\W*{re.escape(label)}(?:[\])]\W*|[.:]\s+|\s+)|^[.:,^\]]+\s+|^[⁰¹²³⁴-⁹]+\s*",
            "",
            leaf.text,
            count=1,
        )
        rest = leaf._replace(text=text.lstrip() if text != leaf.text else text)
        return [*leaves[:at], *([rest] if rest.text else []), *leaves[at + 1 :]]
    return leaves


def _task(reading: Reading, row: int) -> Task | None:
    """Return the box of a task: a check box at the start of an item."""
    rows = reading.rows
    if rows.get(row, "type").lower() != "checkbox":
        return None
    item = next(
        (at for at in rows.above(row) if rows.names[at] not in ("p", "label", "span", "div")), -1
    )
    if item < 0 or rows.names[item] != "li" or rows.has_text(item, row):
        return None
    if not rows.has_text(row, rows.end[item]):
        return None
    return Task("checked" in rows.attributes(row))


def _without_brackets(leaves: list[Leaf]) -> list[Leaf]:
    """Return leaves without the brackets of the page around marks: ``[^1]`` has its own."""
    result = list(leaves)
    for at, leaf in enumerate(leaves):
        if not isinstance(leaf.thing, Mark) or at == 0 or at + 1 == len(leaves):
            continue
        before, last = result[at - 1], at
        while (
            last + 2 < len(leaves)
            and isinstance(leaves[last + 2].thing, Mark)
            and re.fullmatch(r"\s*[,;–-]?\s*", leaves[last + 1].text or "x")
        ):
            last += 2
        after = result[last + 1] if last + 1 < len(leaves) else None
        if (
            before.text
            and before.text.endswith("[")
            and after
            and (after.text or "").startswith("]")
        ):
            result[at - 1] = before._replace(text=before.text[:-1])
            result[last + 1] = after._replace(text=(after.text or "")[1:])
            is_apart = (
                leaf.is_apart
                or before.text.endswith(" [")
                or (before.text == "[" and before.is_apart)
            )
            result[at] = leaf._replace(is_apart=is_apart)
    return [leaf for leaf in result if leaf.text != ""]


# Formulas in the text ------------------------------------------------------------------------


def _with_raw(leaves: list[Leaf], reading: Reading) -> list[Leaf]:
    """Return leaves with formulas between delimiters apart, where the page draws them."""
    if not leaves or not any(
        "\\" in (leaf.text or "") or "$" in (leaf.text or "") for leaf in leaves
    ):
        return leaves
    if not reading.renders_raw:
        return leaves
    is_code = reading.is_raw | reading.rows.tree.within("code", "kbd", "samp", "tt")
    result: list[Leaf] = []
    for leaf in _merged(leaves, is_code):
        if leaf.text is None or is_code[leaf.row] or not re.search(r"[\\$]", leaf.text):
            result.append(leaf)
            continue
        is_apart = leaf.is_apart
        for piece, formula in raw_formulas(leaf.text):
            result.append(Leaf(leaf.row, piece if formula is None else None, is_apart, formula))
            is_apart = False
    return result


def _merged(leaves: list[Leaf], is_code: Bools) -> Iterator[Leaf]:
    """Yield leaves; those that one formula is cut into become one."""
    at = 0
    while at < len(leaves):
        leaf = leaves[at]
        at += 1
        if leaf.text is not None and _OPENED.search(leaf.text) and not is_code[leaf.row]:
            text, past = leaf.text, at
            while _is_open(text) and past < min(len(leaves), at + _MOST_MERGED):
                more = leaves[past]
                if more.text is None or is_code[more.row]:
                    break
                text += f" {more.text}" if more.is_apart else more.text
                past += 1
            if not _is_open(text):
                leaf, at = leaf._replace(text=text), past
        yield leaf


def _is_open(text: str) -> bool:
    rest = "".join(piece for piece, formula in raw_formulas(text) if formula is None)
    return _OPENED.search(rest) is not None


# Parts of a source ---------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _KeptSpans:
    """Spans of a source, int32 (k, 2)."""

    source: Source
    spans: Ints
    reading: Reading

    def holds(self, row: int) -> bool:
        """Return whether a word of a row is kept, or the place of one without words."""
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

    def all_below(self, rows: Sequence[int]) -> "_KeptSpans":
        """Return all that stands in some rows, kept or not."""
        outer = self.source.tree.outer[list(rows)].reshape(-1, 2)
        return _KeptSpans(self.source, outer, self.reading)

    def leaves(self, things: Mapping[int, Thing], is_out: Bools) -> list[Leaf]:
        """Return texts and things in order, without rows that are out, bool (n,)."""
        source, tree = self.source, self.source.tree
        index, parts, joints = source.pieces_of(self.spans)
        kept = [row for row in things if not is_out[row] and self.holds(row)]
        kept = _outermost(kept, tree)
        is_taken = is_out | self.reading.rows.below(kept) if kept else is_out
        rows = np.flatnonzero(tree.is_text)
        at_row = rows[np.maximum(tree.words[rows, 0].searchsorted(index, side="right") - 1, 0)]
        leaves = self._texts(index, parts, joints, at_row, is_taken)
        leaves += [
            Leaf(row, None, things[row] is None or self._is_apart(row), things[row]) for row in kept
        ]
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
        """Return whether white space stands before an element."""
        start = _RawSpace(self.source, self.reading).before_holes(
            int(self.source.tree.outer[row, 0])
        )
        words = self.source.tokens.spans
        at = int(words[:, 1].searchsorted(start, side="right")) - 1
        before = int(words[at, 1]) if at >= 0 else 0
        return _is_space_in(self.source.html[before:start])

    def _after_things(self, leaves: list[Leaf]) -> list[Leaf]:
        """Return leaves; texts behind things are apart where white space stands between the two."""
        tree = self.source.tree
        for at in range(1, len(leaves)):
            before, leaf = leaves[at - 1], leaves[at]
            if before.text is not None or (leaf.text is None and before.thing is None):
                continue
            end, start = int(tree.outer[before.row, 1]), int(tree.outer[leaf.row, 0])
            if leaf.text is None or not self.reading.is_raw[leaf.row]:
                leaves[at] = leaf._replace(is_apart=_is_space_in(self.source.html[end:start]))
        return leaves


@dataclass(frozen=True, eq=False)
class _RawSpace:
    """White space of preformatted text as it stands in a source."""

    source: Source
    reading: Reading

    @cached_property
    def _holes(self) -> list[tuple[int, int]]:
        """Where in the source what is left out starts and ends."""
        tree, out = self.source.tree, self.reading.left_out
        tops = np.flatnonzero(out & ~out[np.maximum(tree.parent, 0)])
        return [(start, end) for start, end in tree.outer[tops].tolist()]

    def before_holes(self, position: int) -> int:
        """Return a position, or where what is left out directly before it starts."""
        ends = {end: start for start, end in self._holes}
        while position in ends:
            position = ends[position]
        return position

    def before(self, row: int, number: int, before: int, is_whole: bool) -> str:
        """Return the white space before a word of preformatted text, ``br`` as a line's end.

        Args:
            row: The row of the text it is in.
            number: Which word of the page it is.
            before: Which one is kept before it, -1 for none.
            is_whole: Whether all between the two is left out by rule, and nothing by the method.

        Where words between them are not kept, one line's end is kept at most, and how far the
        word is indented.
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
        """Return where the preformatted element begins that a row stands in."""
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
class _KeptRows:
    """What the blocks of a segmentation hold, or all below some rows."""

    result: Segmentation
    kept: Bools | None = None

    @property
    def is_kept(self) -> Bools:
        """Which rows are kept, bool (n,)."""
        if self.kept is not None:
            return self.kept
        nodes = self.result.nodes
        roots, _ = self.result.parts
        return covered(roots, nodes.end[roots], len(nodes)) & ~nodes.within(*UNSEEN)

    def holds(self, row: int) -> bool:
        """Return whether a row is kept."""
        nodes, kept = self.result.nodes, self.is_kept
        return bool(kept[row : int(nodes.end[row])].any())

    def all_below(self, rows: Sequence[int]) -> "_KeptRows":
        """Return all that stands in some rows, kept or not."""
        return _KeptRows(self.result, reading_of(self.result.nodes).rows.below(list(rows)))

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
    """Return the rows that lie below none of the others."""
    outermost: list[int] = []
    past = 0
    for row in sorted(rows):
        if row >= past:
            outermost.append(row)
            past = int(tree.end[row])
    return outermost


def _is_space_in(html: str) -> bool:
    """Return whether white space, or a text, stands in a stretch of source."""
    return bool(html) and bool(unescape(_MARKUP.sub("", html)))


def _white_space(html: str) -> str:
    """Return the white space of a stretch of source, lines ended as in a parsed page."""
    if "\r" not in html and not html.strip():
        return html
    text = unescape(_MARKUP.sub("", _BREAK.sub("\n", html)))
    return _NO_SPACE.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def legal(text: str) -> str:
    """Return a text without characters that no XML holds."""
    return _NO_XML.sub("", text)
