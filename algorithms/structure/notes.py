"""Foot-, end- and side notes: their texts, and the marks in the text that refer to them."""

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, takewhile

from algorithms.structure.loose_notes import cited_sources, notes_in_text, numbered_notes
from algorithms.structure.note_marks import (
    AREA_TITLES,
    CLIMBED,
    HEADING_TAGS,
    FoundNote,
    Note,
    NoteBody,
    is_title_of_notes,
    label_of,
    outermost,
    siblings_after,
)
from algorithms.structure.rows import PageRows
from engine.tree import BLOCK_TAGS

_IS_REFERENCE = re.compile(
    r"footnote|foot-?ref|note-?ref|fn-?_?ref|fn-?anchor|cite_ref|sidenote|endnote|ftn-?_?ref"
    r"|_ednref|easy-footnote|(?:^|[\s\"'])(?:reference|fn|citation|bibref|citeref)(?=$|[\s\"'])|docf\d"
    r"|doc-biblioref|ref-?link|superscript",
    re.IGNORECASE,
)
_IS_NOTE = re.compile(
    r"foot-?_?note|end-?_?note|footdef"
    r"|(?:^|[\s\"'_#-])(?:notes?|fns?|refs?|references?|bib|bibitem"
    r"|bibliography|citations?|ftnt?|_?edn|cite_note|reflist|sources)(?=$|[\s\"'\d:._-])|ltx_bib"
    r"|cite_note|^r\d+$|^foot\d|sdfootnote|doc-endnote|reference-",
    re.IGNORECASE,
)
_BACK_TEXT = re.compile(
    r"[\W_]*|[a-z]|\d{1,4}"
    r"|(?:back|return|jump|go|up|jump up|back to (?:text|content|top|reference.*)"
    r"|return to text|jump back.*)\W*",
    re.IGNORECASE,
)
_BACK_CLASS = re.compile(
    r"back-?ref|backlink|footnote-?back|reversefootnote|to-top|footnote-return|doc-backlink",
    re.IGNORECASE,
)
_CONTAINERS = frozenset(
    ["li", "div", "p", "dd", "td", "tr", "aside", "section", "blockquote", "cite"]
)


@dataclass(frozen=True)
class Notes:
    """The notes of a page, and by the row of each mark which of them it refers to."""

    notes: tuple[Note, ...] = ()
    marks: Mapping[int, int] = field(default_factory=dict)


def notes_of(rows: PageRows) -> Notes:
    """Return the notes of a page that something on it refers to."""
    found = notes_in_text(rows)
    taken = {row for each in found for row in each.note.rows}
    found += _linked(rows, taken) + cited_sources(rows)
    if not found:
        found = numbered_notes(rows)
    notes: list[Note] = []
    marks: dict[int, int] = {}
    labels: set[str] = set()
    for each in sorted(found, key=lambda one: one.marks[0]):
        label = each.label if re.fullmatch(r"\w+", each.label) and each.label.isascii() else ""
        number = len(notes) + 1
        while not label or label in labels:
            label, number = str(number), number + 1
        labels.add(label)
        marks.update(dict.fromkeys(each.marks, len(notes)))
        notes.append(replace(each.note, label=label))
    return Notes(tuple(notes), marks)


# Links to notes ----------------------------------------------------------------------------


def _targets(rows: PageRows, wanted: Container[str]) -> dict[str, int]:
    """Return the first row of each wanted ``id`` or ``name``."""
    targets: dict[str, int] = {}
    for row in rows.mentioning("id=", "name="):
        for name in ("id", "name"):
            value = rows.get(row, name)
            if value in wanted:
                targets.setdefault(value, row)
    return targets


def _linked(rows: PageRows, taken: set[int]) -> list[FoundNote]:
    hrefs = ((row, rows.get(row, "href").partition("#")[2]) for row in rows.named("a"))
    links = [(row, fragment) for row, fragment in hrefs if fragment]
    if not links:
        return []
    targets = _targets(rows, {fragment for _, fragment in links})
    by_target: dict[int, list[int]] = {}
    backs: dict[int, int] = {}
    for row, fragment in links:
        target = targets.get(fragment)
        if target is not None and target <= row:
            backs[row] = target
        elif target is not None and label_of(rows.text(row)):
            by_target.setdefault(target, []).append(row)
    starts = sorted(by_target)
    found = []
    for target, anchors in by_target.items():
        body = _body(rows, target, starts)
        if body is None or any(row in taken for row in body.rows):
            continue
        back = _leads_back(rows, body, anchors, backs)
        inside = [range(row, rows.end[row]) for row in body.rows]
        outside = [row for row in anchors if not any(row in span for span in inside)]
        marks = (
            outside
            if back
            else [
                row
                for row in outside
                if _is_mark(rows, row) and _is_note(rows, target, body, rows.text(row))
            ]
        )
        if not marks:
            continue
        label = label_of(rows.text(marks[0]))
        leading_back, hidden = _hidden(rows, body, label, backs)
        note = Note(label, body.rows, hidden | body.hidden, body.copies, backs=leading_back)
        if any(rows.has_text(row, rows.end[row]) for row in body.rows):
            found.append(FoundNote([outermost(rows, row) for row in marks], label, note))
    return found


def _is_mark(rows: PageRows, row: int) -> bool:
    """Return whether a link looks like the mark of a note: raised, in brackets, or called one."""
    if re.fullmatch(r"\[.*\]|[*†‡§¶]+|[¹²³⁰⁴-⁹]+", rows.text(row)) or _in_brackets(rows, row):
        return True
    near = [row, *(at for at in islice(rows.above(row), 3) if rows.names[at] in CLIMBED)]
    for at in near:
        if rows.names[at] in ("sup", "cite"):
            return True
        given = rows.attributes(at)
        names = " ".join(given.get(name, "") for name in ("class", "id", "name", "role", "rel"))
        if _IS_REFERENCE.search(names) or "data-footnote-ref" in given:
            return True
    return any(rows.names[at] == "sup" for at in range(row, rows.end[row]))


def _in_brackets(rows: PageRows, row: int) -> bool:
    at, texts = rows.texts
    first, past = at.searchsorted([row, rows.end[row]]).tolist()
    before, after = texts[first - 1] if first else "", "".join(texts[past : past + 1])
    return before.endswith("[") and after.startswith("]")


def _body(rows: PageRows, target: int, starts: Sequence[int]) -> NoteBody | None:
    """Return the parts of the note at ``target``; None where no note begins there."""
    block = target
    while rows.names[block] not in BLOCK_TAGS:
        block = rows.parent[block]
        if block < 0 or rows.names[block] in ("body", "html"):
            return None
    if rows.has_text(block, target):
        return _stretch(rows, target, starts)
    if rows.names[block] in HEADING_TAGS:
        return _below_heading(rows, block)
    if rows.names[block] in ("ol", "ul", "table", "body", "main", "article", "html"):
        return None
    if rows.names[block] == "dt":
        after = siblings_after(rows, block)
        described = tuple(takewhile(lambda at: rows.names[at] == "dd", after))
        return NoteBody(described, copies=frozenset([block])) if described else None
    if any(block <= at < rows.end[block] and at != target for at in starts):
        return _stretch(rows, target, starts)
    while True:
        parent = rows.parent[block]
        if parent < 0 or rows.names[parent] not in _CONTAINERS or rows.has_text(parent, block):
            break
        if any(parent <= at < rows.end[parent] and at != target for at in starts):
            break
        block = parent
        if rows.names[block] in ("li", "tr"):
            break
    return NoteBody((block, *_continued(rows, block, starts)))


def _continued(rows: PageRows, block: int, starts: Sequence[int]) -> list[int]:
    """Return paragraphs that go on with a note, up to the next one beside it."""
    if rows.names[block] not in ("p", "div"):
        return []
    after = siblings_after(rows, block)
    later = [at for at in starts if at >= rows.end[block]]
    until = next((k for k, at in enumerate(after) if later and at <= later[0] < rows.end[at]), None)
    if until is None:
        return []
    between = after[:until]
    is_plain = all(rows.names[at] in ("p", "ul", "ol", "blockquote", "pre") for at in between)
    return between if is_plain else []


def _in_paragraph(rows: PageRows, target: int) -> int:
    """Return the row around a target that is a child of its paragraph."""
    top = target
    while rows.parent[top] >= 0 and rows.names[rows.parent[top]] in CLIMBED:
        top = rows.parent[top]
    return top


def _words_before(rows: PageRows, parent: int, top: int) -> list[int]:
    """Return the children before a row, without those behind the last one with words or ``br``."""
    before = [at for at in rows.children(parent) if at < top]
    while before and rows.names[before[-1]] != "br":
        if rows.has_text(before[-1], rows.end[before[-1]]):
            break
        before.pop()
    return before


def _begins_next(rows: PageRows, at: int, starts: Sequence[int]) -> bool:
    """Return whether the next note begins in a row."""
    is_named = rows.names[at] == "a" and bool(rows.get(at, "name"))
    return any(at <= other < rows.end[at] for other in starts) or (
        is_named and bool(label_of(rows.text(at)))
    )


def _stretch(rows: PageRows, target: int, starts: Sequence[int]) -> NoteBody | None:
    """Return a note among others in one paragraph: from its place up to the next one's."""
    top = _in_paragraph(rows, target)
    parent = rows.parent[top]
    before = _words_before(rows, parent, top)
    opening = [before.pop()] if before and rows.text(before[-1]) == "[" else []
    is_inside = bool(before) and rows.names[before[-1]] not in ("br", "p", "hr", "h2", "h3", "h4")
    if is_inside and not any(parent < at < target and rows.end[parent] > at for at in starts):
        return None  # no earlier note in its element
    part = [*opening, top]
    for at in siblings_after(rows, top, texts=True):
        if _begins_next(rows, at, starts) or rows.names[at] in ("hr", *HEADING_TAGS):
            break
        part.append(at)
    if part[-1] > top and rows.names[part[-1]] == "#text" and rows.text(part[-1]) == "[":
        part.pop()  # of the next one
    label = [top] if opening and label_of(rows.text(top)) else []
    return NoteBody(tuple(part), frozenset([*opening, *label]))


def _below_heading(rows: PageRows, heading: int) -> NoteBody | None:
    """Return the content below a heading that is only a number, up to the next heading."""
    if not label_of(rows.text(heading)):
        return None
    after = siblings_after(rows, heading)
    part = tuple(takewhile(lambda at: rows.names[at] not in (*HEADING_TAGS, "hr"), after))
    return NoteBody(part, copies=frozenset([heading])) if part else None


def _leads_back(
    rows: PageRows, body: NoteBody, anchors: Sequence[int], backs: Mapping[int, int]
) -> bool:
    """Return whether a link in a note leads to one of its marks, or to an element around one."""
    near = {*anchors}
    for row in anchors:
        near.update(at for at in islice(rows.above(row), 2) if rows.names[at] in CLIMBED)
        beside = (at for at in rows.children(rows.parent[row]) if at < row)
        near.update(at for at in beside if rows.names[at] in ("a", "span"))
    spans = [*body.rows, *body.copies]
    return any(
        target in near and any(row <= link < rows.end[row] for row in spans)
        for link, target in backs.items()
    )


def _is_note(rows: PageRows, target: int, body: NoteBody, mark: str) -> bool:
    """Return whether a mark leads to a note: one by its name, or among others."""
    first = body.rows[0]
    for at in (target, first, *islice(rows.above(first), 4)):
        given = rows.attributes(at)
        if rows.names[at] in ("body", "html", "main", "article"):
            break
        names = " ".join(given.get(name, "") for name in ("id", "class", "role", "name"))
        if _IS_NOTE.search(names):
            return True
    return bool(AREA_TITLES.fullmatch(_title_before(rows, first)))


def _title_before(rows: PageRows, row: int) -> str:
    titles = [at for at in rows.named("b", "strong") if is_title_of_notes(rows.text(at))]
    before = [at for at in (*rows.named(*HEADING_TAGS), *titles) if at < row]
    return rows.text(max(before)).strip(" :¶#") if before else ""


def _hidden(
    rows: PageRows, body: NoteBody, label: str, backs: Mapping[int, int]
) -> tuple[frozenset[int], frozenset[int]]:
    """Return the rows of a note that only lead back, and those with rows that only name it."""
    hidden = _leading_back(rows, body, backs)
    back = frozenset(at for at in hidden if not label or label_of(rows.text(at)) != label)
    first = body.rows[0]
    for at in range(first + 1, rows.end[first] if label else first):
        if rows.names[at] == "#text":
            continue
        if rows.has_text(first, at) and not _all_hidden(rows, first, at, hidden):
            break
        if label_of(rows.text(at)) == label and at not in hidden:
            hidden.add(at)
            break
    return back, frozenset(hidden)


def _leading_back(rows: PageRows, body: NoteBody, backs: Mapping[int, int]) -> set[int]:
    """Return the rows of a note that lead back to its mark."""
    hidden: set[int] = set()
    for first in body.rows:
        for at in range(first, rows.end[first]):
            name = rows.names[at]
            if name == "#text" or any(up in hidden for up in rows.above(at)):
                continue
            classes = rows.classes(at)
            is_back = name in ("a", "span") and _BACK_CLASS.search(classes + rows.get(at, "role"))
            if name == "a" and at in backs and _BACK_TEXT.fullmatch(rows.text(at)):
                hidden.add(outermost(rows, at) if outermost(rows, at) > first else at)
            elif is_back or " mw-cite-backlink " in classes or " ltx_tag_bibitem " in classes:
                hidden.add(at)
    return hidden


def _all_hidden(rows: PageRows, first: int, last: int, hidden: set[int]) -> bool:
    texts = [at for at in range(first, last) if rows.names[at] == "#text"]
    return all(any(up in hidden for up in (at, *rows.above(at))) for at in texts)
