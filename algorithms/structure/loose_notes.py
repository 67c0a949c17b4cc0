"""Notes that no link leads to: at the side of the text, in attributes, behind numbers alone."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from urllib.parse import urlsplit

from algorithms.structure.note_marks import (
    AREA_TITLES,
    CLIMBED,
    HEADING_TAGS,
    FoundNote,
    Note,
    NoteBody,
    label_of,
    outermost,
    siblings_after,
)
from algorithms.structure.rows import PageRows

_INLINE_NOTES = re.compile(
    r" (?:sidenote|side-note|marginnote|margin-note|footnoteContent|footnote-content"
    r"|ltx_note_content|footnote-text|footnote-popup|sidenote-content|note-content|footnote__content|footnote"
    r"|inline-footnote-content|footnotecontent|modern-footnotes-footnote__note|footnote_tooltip) "
)
_IS_CITATION = re.compile(r" (?:[\w-]*-)?citations?(?:-(?:pill|chip|badge|link))? ")
_LONGEST_CITATION = 6
"""Words of what names a source behind a sentence; more is a separate reference."""
_WRAPPERS = re.compile(
    r" (?:footnote-container|sidenote-container|inline-footnote|ltx_note|sidenote-wrapper"
    r"|footnote-wrapper|margin-note-wrapper|footnote-tooltip|note-wrapper) "
)
_NOTE_ATTRIBUTES = tuple(
    "data-bigfoot-footnote data-footnote-content data-definition data-footnote data-note".split()
)
_HINTS = ("sidenote", "side-note", "marginnote", "margin-note", "footnote", "ltx_note",
          "note-content", "data-definition", "data-note", "footref", "footdef",
          "column-margin")  # fmt: skip


# Notes within the text -----------------------------------------------------------------------


def notes_in_text(rows: PageRows) -> list[FoundNote]:
    """Return notes that are hidden or at the side of their reference."""
    found: list[FoundNote] = []
    past = 0
    hinted = rows.mentioning(*_HINTS)
    for row in hinted:
        if row < past:
            continue
        given = next(filter(None, (rows.get(row, name) for name in _NOTE_ATTRIBUTES)), "")
        if len(given.split()) > 1 and rows.names[row] in ("span", "sup", "a", "button", "label"):
            label = label_of(rows.text(row))
            text = " ".join(re.sub(r"<[^>]*>", " ", given).split())
            if label or not re.search(r"\w", rows.text(row)):
                found.append(FoundNote([outermost(rows, row)], label, Note(label, (), text=text)))
                past = rows.end[row]
            continue
        classes = rows.classes(row)
        one = None
        if rows.names[row] == "span" and _WRAPPERS.search(classes):
            one = _in_wrapper(rows, row)
        elif rows.names[row] in ("span", "small", "aside") and _INLINE_NOTES.search(classes):
            one = _after_mark(rows, row)
        if one:
            found.append(one)
            past = rows.end[row]
    return [_with_copies(rows, each, hinted) for each in found]


def cited_sources(rows: PageRows) -> list[FoundNote]:
    """Return links that cite a source behind a sentence, as in answers of chats, by address."""
    found: dict[str, FoundNote] = {}
    for row in rows.mentioning("citation"):
        if rows.names[row] not in ("span", "a", "sup") or not _IS_CITATION.search(
            f"{rows.classes(row)} {rows.get(row, 'data-testid')} "
        ):
            continue
        inside = range(row, rows.end[row])
        links = [at for at in inside if rows.names[at] == "a" and rows.get(at, "href")]
        address = rows.get(links[0], "href").strip() if len(links) == 1 else ""
        host = urlsplit(address).hostname if re.match(r"https?://[\w.-]+", address) else None
        words = rows.text(row)
        is_mark = words == rows.text(links[0]) if links else False
        if not host or not is_mark or len(words.split()) > _LONGEST_CITATION:
            continue
        block = next((at for at in rows.above(row) if rows.names[at] not in CLIMBED), row)
        if not rows.has_text(block, row):
            continue
        address = address.partition("#:~:")[0]
        note = Note("", (), text=host.removeprefix("www."), address=address)
        cited = found.setdefault(address, FoundNote([], label_of(words), note))
        if not any(at <= row < rows.end[at] for at in cited.marks):
            cited.marks.append(row)
    return list(found.values())


def _in_wrapper(rows: PageRows, row: int) -> FoundNote | None:
    inner = next(
        (at for at in range(row + 1, rows.end[row])
         if rows.names[at] != "#text" and _INLINE_NOTES.search(rows.classes(at))), None
    )  # fmt: skip
    if inner is None or not rows.has_text(inner, rows.end[inner]):
        return None
    label = next((label_of(text) for text in rows.pieces(row) if label_of(text)), "")
    note = Note(label, (inner,), _marks_at_start(rows, inner))
    return FoundNote([row], label, note)


def _after_mark(rows: PageRows, row: int) -> FoundNote | None:
    """Return the note that follows its mark: a label, a raised number, a check box."""
    mark, label = None, ""
    for at in reversed([at for at in rows.children(rows.parent[row]) if at < row]):
        if rows.names[at] == "input":
            continue
        text = rows.text(at)
        is_mark = not text or label_of(text) or text in ("⊕", "⊗")
        if is_mark and rows.names[at] in ("label", "sup", "a", "span", "button"):
            mark, label = at, label_of(text)
        break
    if mark is None or not rows.has_text(row, rows.end[row]):
        return None
    hidden = _marks_at_start(rows, row)
    return FoundNote([mark], label, Note(label, (row,), hidden, frozenset()))


def _marks_at_start(rows: PageRows, row: int) -> frozenset[int]:
    """Return elements at the start of a note that are but its mark."""
    hidden = set()
    for at in range(row + 1, rows.end[row]):
        if rows.names[at] == "#text":
            break
        classes = rows.classes(at)
        if label_of(rows.text(at)) or " ltx_tag_note " in classes or " ltx_note_type " in classes:
            hidden.add(at)
            if rows.has_text(rows.end[at], min(rows.end[at] + 1, rows.end[row])):
                break
    inside = {at: rows.classes(at) for at in range(row + 1, rows.end[row])}
    marks = [
        at for at, own in inside.items() if " ltx_note_mark " in own or " ltx_tag_note " in own
    ]
    return frozenset([*hidden, *marks])


def _with_copies(rows: PageRows, found: FoundNote, hinted: Sequence[int]) -> FoundNote:
    """Return a note with the rows that repeat it at the foot of the page."""
    note = found.note
    own = text = note.text or " ".join(rows.text(row) for row in note.rows)
    if found.label and text.startswith(found.label):
        own = re.sub(r"^\W*\w{1,4}\W+", "", text)
    copies = set()
    for row in hinted:
        if any(at <= row < rows.end[at] for at in note.rows):
            continue
        other, is_block = rows.text(row), rows.names[row] in ("div", "li", "p")
        if is_block and other.endswith(own) and len(other) <= len(own) + 6:
            copies.add(row)
    return found._replace(note=replace(note, copies=frozenset(copies)))


# Numbers without links -----------------------------------------------------------------------


def numbered_notes(rows: PageRows) -> list[FoundNote]:
    """Return notes that only their numbers join with their marks."""
    raised = [(row, label_of(rows.text(row))) for row in rows.named("sup")]
    raised = [
        (row, label) for row, label in raised if label.isdecimal() and not _is_power(rows, row)
    ]
    if not raised:
        return []
    bodies: dict[str, NoteBody] = {}
    for area in _areas(rows):
        for label, body in _numbered_in(rows, area):
            bodies.setdefault(label, body)
    found = []
    for label, body in bodies.items():
        inside = range(body.rows[0], rows.end[body.rows[-1]])
        marks = [row for row, own in raised if own == label and row not in inside
                 and row not in body.hidden]  # fmt: skip
        marks = [row for row in marks if not any(row in other.hidden for other in bodies.values())]
        if marks:
            marks = [outermost(rows, row) for row in marks]
            found.append(FoundNote(marks, label, Note(label, body.rows, body.hidden, body.copies)))
    numbers = sorted(int(each.label) for each in found)
    return found if numbers and numbers[0] == 1 else []


def _is_power(rows: PageRows, row: int) -> bool:
    """Return whether a raised number follows a number or a single letter: 10², x³."""
    before = [at for at in rows.children(rows.parent[row]) if at < row]
    if not before or rows.names[before[-1]] not in ("#text", "i", "em", "var"):
        return False
    text = rows.text(before[-1]) if rows.names[before[-1]] != "#text" else rows.own(before[-1])
    return re.search(r"(?:^|[\s(=+*/-])(?:\d+|[A-Za-z])$", text) is not None


def _areas(rows: PageRows) -> Iterator[list[int]]:
    """Yield the places of notes: siblings below a title or a rule, or one box's children."""
    for row in rows.named(*HEADING_TAGS):
        if AREA_TITLES.fullmatch(rows.text(row).strip(" :")):
            yield siblings_after(rows, row)
    for row in rows.mentioning(*_HINTS):
        if rows.names[row] in ("div", "section", "aside", "footer"):
            yield rows.elements(row)
        elif rows.names[row] == "p":
            yield [row]
    for row in rows.named("aside"):
        yield rows.elements(row)
    rules = rows.named("hr")
    for row in reversed(rules[-2:]):
        yield siblings_after(rows, row)
    yield from _counting_up(rows)


def _counting_up(rows: PageRows) -> Iterator[list[int]]:
    """Yield neighbouring paragraphs that begin with the raised numbers 1, 2 and so on."""
    runs: list[list[int]] = [[]]
    for row in rows.named("p"):
        label, hidden = _number_at_start(rows, row)
        if not any(rows.names[at] == "sup" for at in hidden):
            continue
        run = runs[-1]
        if label == "1" or (run and rows.has_text(rows.end[run[-1]], row)):
            runs.append(run := [])
        if label == str(len(run) + 1):
            run.append(row)
    yield from (run for run in runs if len(run) > 1)


def _numbered_in(rows: PageRows, area: Sequence[int]) -> Iterator[tuple[str, NoteBody]]:
    """Yield the notes of a place, each with its number."""
    for place, row in enumerate(area):
        name = rows.names[row]
        if name in HEADING_TAGS and place:
            return
        if name == "ol":
            start = rows.get(row, "start").strip()
            number = int(start) if start.isdecimal() and len(start) < 6 else 1
            for item in rows.elements(row):
                if rows.names[item] == "li":
                    yield str(number), NoteBody((item,))
                    number += 1
        elif name in ("p", "div", "li"):
            label, hidden = _number_at_start(rows, row)
            if label:
                following = _continued_until_number(rows, area[place + 1 :])
                yield label, NoteBody((row, *following), hidden)


def _continued_until_number(rows: PageRows, area: Sequence[int]) -> list[int]:
    """Return the blocks up to the next number; none where no further number comes."""
    part: list[int] = []
    for row in area:
        if rows.names[row] in ("p", "div") and _number_at_start(rows, row)[0]:
            return part
        if rows.names[row] not in ("p", "ul", "ol", "blockquote", "pre"):
            return []
        part.append(row)
    return []


def _number_at_start(rows: PageRows, row: int) -> tuple[str, frozenset[int]]:
    """Return the number a paragraph begins with, raised or strong or in brackets, and its row."""
    for at in range(row + 1, rows.end[row]):
        if rows.names[at] == "#text":
            match = re.match(r"\[(\d{1,3})\]|\^?\((\d{1,3})\)\s", rows.own(at))
            return (match[1] or match[2], frozenset()) if match else ("", frozenset())
        label = label_of(rows.text(at))
        if label.isdecimal() and rows.names[at] in ("sup", "strong", "b", "a", "span"):
            return label, frozenset([at])
    return "", frozenset()
