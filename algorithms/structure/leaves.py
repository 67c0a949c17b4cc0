"""Kept content of a page, piece by piece: texts, pictures and formulas with their rows."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from algorithms.results import Extraction, Segmentation
from algorithms.structure.kept_parts import (
    KeptRows,
    KeptSpans,
    Leaf,
    NoteMark,
    TaskBox,
    ThematicBreak,
    Thing,
)
from algorithms.structure.kinds import HEADINGS
from algorithms.structure.note_marks import Note, is_title_of_notes
from algorithms.structure.reading import Reading, reading_of
from algorithms.structure.rows import PageRows
from algorithms.structure.tex import raw_formulas
from engine.tree import Bools

_OPENED = re.compile(r"\\\(|\\\[|\$\$|\\begin\{")
_MOST_MERGED = 40
"""Texts that a formula in the text may be cut into by emphasis that was none."""


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
    """Tree and its kept content in document order."""

    reading: Reading
    leaves: Sequence[Leaf]
    notes: Sequence[KeptNote] = field(default=())


def kept_page(result: Extraction | Segmentation) -> KeptPage:
    """Return the kept content of a result; of a segmentation that of its blocks. O(n)."""
    if isinstance(result, Segmentation):
        kept = KeptRows(result)
        return _page(kept, reading_of(result.nodes))
    source, spans = result.source, np.asarray(result.spans)
    if int(np.diff(source.words_in(spans)).sum()) >= source.tokens.words.size:
        # who keeps every word keeps the pictures and rules before and after them, too
        spans = np.array([[0, len(source.html)]], dtype=np.int32)
    reading = reading_of(source)
    return _page(KeptSpans(source, spans, reading), reading)


def _page(kept: "KeptSpans | KeptRows", reading: Reading) -> KeptPage:
    rows, notes = reading.rows, reading.notes
    marks = {row: number for row, number in notes.marks.items() if kept.holds(row)}
    active = sorted(set(marks.values()))
    things: dict[int, Thing] = dict(reading.formulas)
    things |= {row: NoteMark(notes.notes[number].label) for row, number in marks.items()}
    things |= {row: None for row in rows.named("img", "amp-img") if row not in reading.formulas}
    things |= {row: ThematicBreak() for row in rows.named("hr")}
    things |= {row: task for row in rows.named("input") if (task := _task(reading, row))}
    out = reading.left_out
    elsewhere = [row for number in active for row in notes.notes[number].rows]
    copies = [row for number in active for row in notes.notes[number].copies]
    is_out = out | rows.below([*elsewhere, *copies]) if active else out
    leaves = _with_raw(_without_brackets(kept.leaves(things, is_out)), reading)
    leaves = _without_emptied(leaves, rows, elsewhere) if active else leaves
    found = [_kept_note(kept, reading, notes.notes[number], things) for number in active]
    return KeptPage(reading, leaves, found)


def _kept_note(
    kept: "KeptSpans | KeptRows", reading: Reading, note: Note, things: Mapping[int, Thing]
) -> KeptNote:
    """Return a note, all of it, whether it is kept or not."""
    rows, out = reading.rows, reading.left_out
    own = {row: thing for row, thing in things.items()
           if not isinstance(thing, ThematicBreak)
           and any(at < row < rows.end[at] for at in note.rows)}  # fmt: skip
    within = rows.below(note.rows) if note.rows else np.zeros(len(rows.tree), dtype=bool)
    is_hidden = (out & ~_above_all(reading, note.rows)) | ~within | rows.below(note.hidden)
    inner = kept.all_below(note.rows).leaves(own, is_hidden)
    texts = _with_raw(_named(inner, note.label), reading)
    return KeptNote(note.label, note.rows, note.text, note.address, texts)


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
        is_emptied = all(isinstance(leaf.thing, ThematicBreak) for leaf in leaves[first:past])
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
    """Return the leaves of a note without its label, if that is in its first text."""
    for at, leaf in enumerate(leaves):
        if leaf.text is None or not leaf.text.strip():
            continue
        start = rf"^\W*{re.escape(label)}(?:[\])]\W*|[.:]\s+|\s+)|^[.:,^\]]+\s+|^[⁰¹²³⁴-⁹]+\s*"
        text = re.sub(start, "", leaf.text, count=1)
        rest = leaf._replace(text=text.lstrip() if text != leaf.text else text)
        return [*leaves[:at], *([rest] if rest.text else []), *leaves[at + 1 :]]
    return leaves


def _task(reading: Reading, row: int) -> TaskBox | None:
    """Return the box of a task: a check box at the start of an item."""
    rows = reading.rows
    if rows.get(row, "type").lower() != "checkbox":
        return None
    item = next(
        (at for at in rows.above(row) if rows.names[at] not in ("p", "label", "span", "div")), -1
    )
    if item < 0 or rows.names[item] != "li":
        return None
    if rows.has_text(item, row) or not rows.has_text(row, rows.end[item]):
        return None
    return TaskBox("checked" in rows.attributes(row))


def _without_brackets(leaves: list[Leaf]) -> list[Leaf]:
    """Return leaves without the brackets of the page around marks: ``[^1]`` has its own."""
    result = list(leaves)
    for at, leaf in enumerate(leaves):
        if not isinstance(leaf.thing, NoteMark) or at == 0 or at + 1 == len(leaves):
            continue
        before, last = result[at - 1], at
        while (
            last + 2 < len(leaves)
            and isinstance(leaves[last + 2].thing, NoteMark)
            and re.fullmatch(r"\s*[,;–-]?\s*", leaves[last + 1].text or "x")
        ):
            last += 2
        after = result[last + 1] if last + 1 < len(leaves) else None
        text, end = before.text or "", "" if after is None else after.text or ""
        if after is not None and text.endswith("[") and end.startswith("]"):
            result[at - 1] = before._replace(text=text[:-1])
            result[last + 1] = after._replace(text=end[1:])
            is_apart = text.endswith(" [") or (text == "[" and before.is_apart)
            result[at] = leaf._replace(is_apart=leaf.is_apart or is_apart)
    return [leaf for leaf in result if leaf.text != ""]


# Formulas in the text ------------------------------------------------------------------------


def _with_raw(leaves: list[Leaf], reading: Reading) -> list[Leaf]:
    """Return leaves with formulas between delimiters apart, where the page draws them."""
    has_signs = any("\\" in (leaf.text or "") or "$" in (leaf.text or "") for leaf in leaves)
    if not has_signs or not reading.renders_raw:
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
