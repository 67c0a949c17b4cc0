"""Foot-, end- and side notes: their texts, and the marks in the text that refer to them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple
from urllib.parse import urlsplit

from algorithms.structure.rows import PageRows
from engine.tree import BLOCK_TAGS

_MARK = re.compile(
    r"[\[({]?\s*(?:(?:note|nb|n|fn|footnote|endnote|ref)\.?\s?)?"
    r"(\d{1,4}|[A-Z][a-zA-Z+]{1,14}\d{2,4}[a-z]?|[a-zA-Z]|[ivxlc]{1,6}|[*†‡§¶#]{1,4}|[¹²³⁰⁴-⁹]{1,4})(?::\d+)?\s*[\])}]?[.:]?",
    re.IGNORECASE,
)
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
_AREA_TITLES = re.compile(
    r"(?:foot|end|side)?[\s-]?notes?(?: and references)?|references(?: and notes| & notes)?"
    r"|bibliography|citations|sources|works cited|anmerkungen|fußnoten|einzelnachweise|notes et "
    r"références|notas|referencias|примечания",
    re.IGNORECASE,
)
_NOTES_TITLES = re.compile(
    r"\W*(?:(?:foot|end|side)[\s-]?)?notes?|anmerkungen|fußnoten|notas|примечания\W*", re.IGNORECASE
)
"""Titles of which nothing is left once their notes stand at the end; others head a list."""

_INLINE_NOTES = re.compile(
    r" (?:sidenote|side-note|marginnote|margin-note|footnoteContent|footnote-content"
    r"|ltx_note_content|footnote-text|footnote-popup|sidenote-content|note-content|footnote__content|footnote"
    r"|inline-footnote-content|footnotecontent|modern-footnotes-footnote__note|footnote_tooltip) "
)
_IS_CITATION = re.compile(r" (?:[\w-]*-)?citations?(?:-(?:pill|chip|badge|link))? ")
_LONGEST_CITATION = 6
"""Words of what names a source behind a sentence; more is a reference by itself."""
_WRAPPERS = re.compile(
    r" (?:footnote-container|sidenote-container|inline-footnote|ltx_note|sidenote-wrapper"
    r"|footnote-wrapper|margin-note-wrapper|footnote-tooltip|note-wrapper) "
)
_NOTE_ATTRIBUTES = (
    "data-bigfoot-footnote",
    "data-footnote-content",
    "data-definition",
    "data-footnote",
    "data-note",
)
_HINTS = ("sidenote", "side-note", "marginnote", "margin-note", "footnote", "ltx_note",
          "note-content", "data-definition", "data-note", "footref", "footdef",
          "column-margin")  # fmt: skip
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
_CLIMBED = frozenset(["sup", "span", "em", "strong", "b", "i", "small", "cite", "label"])
_HEADINGS = frozenset(f"h{level}" for level in range(1, 7))
_CONTAINERS = frozenset(
    ["li", "div", "p", "dd", "td", "tr", "aside", "section", "blockquote", "cite"]
)
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


@dataclass(frozen=True)
class Note:
    """A note.

    Attributes:
        label: What it is called by.
        rows: What it consists of, ascending.
        hidden: Rows in it that only name it or lead back.
        backs: Those of them that lead back.
        copies: Rows that say the same again, or only name it.
        text: Its text where that stands in an attribute; "" else.
        address: What that text links to; "" for nothing.
    """

    label: str
    rows: tuple[int, ...]
    hidden: frozenset[int] = frozenset()
    copies: frozenset[int] = frozenset()
    text: str = ""
    backs: frozenset[int] = frozenset()
    address: str = ""


@dataclass(frozen=True)
class Notes:
    """The notes of a page, and by the row of each mark which of them it refers to."""

    notes: tuple[Note, ...] = ()
    marks: Mapping[int, int] = field(default_factory=dict)


class _Found(NamedTuple):
    """A note by the rows of its marks."""

    marks: list[int]
    label: str
    note: Note


def notes_of(rows: PageRows) -> Notes:
    """Return the notes of a page that something on it refers to."""
    found = _inline(rows)
    taken = {row for each in found for row in each.note.rows}
    found += _linked(rows, taken) + _cited(rows)
    if not found:
        found = _numbered(rows)
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


def _label(text: str) -> str:
    match = _MARK.fullmatch(text.strip())
    return match[1].translate(_SUPERSCRIPTS) if match else ""


# Links to notes ----------------------------------------------------------------------------


def _fragment(rows: PageRows, row: int) -> str:
    _, mark, fragment = rows.get(row, "href").partition("#")
    return fragment if mark else ""


def _linked(rows: PageRows, taken: set[int]) -> list[_Found]:
    links = [(row, _fragment(rows, row)) for row in rows.named("a")]
    links = [(row, fragment) for row, fragment in links if fragment]
    if not links:
        return []
    wanted = {fragment for _, fragment in links}
    targets: dict[str, int] = {}
    for row in rows.mentioning("id=", "name="):
        for name in ("id", "name"):
            value = rows.get(row, name)
            if value in wanted:
                targets.setdefault(value, row)
    by_target: dict[int, list[int]] = {}
    backs: dict[int, int] = {}
    for row, fragment in links:
        target = targets.get(fragment)
        if target is None:
            continue
        if target > row:
            if _label(rows.text(row)):
                by_target.setdefault(target, []).append(row)
        else:
            backs[row] = target
    starts = sorted(by_target)
    found = []
    for target, anchors in by_target.items():
        body = _body(rows, target, starts)
        if body is None or any(row in taken for row in body.rows):
            continue
        back = _leads_back(rows, body, anchors, backs)
        marks = [
            row
            for row in anchors
            if back or (_is_mark(rows, row) and _is_note(rows, target, body, rows.text(row)))
        ]
        inside = [range(row, rows.end[row]) for row in body.rows]
        marks = [row for row in marks if not any(row in span for span in inside)]
        if not marks:
            continue
        label = _label(rows.text(marks[0]))
        leading_back, hidden = _hidden(rows, body, label, backs)
        note = Note(label, body.rows, hidden | body.hidden, body.copies, backs=leading_back)
        if any(rows.has_text(row, rows.end[row]) for row in body.rows):
            found.append(_Found([_outermost(rows, row) for row in marks], label, note))
    return found


def _is_mark(rows: PageRows, row: int) -> bool:
    """Return whether a link looks like the mark of a note: raised, in brackets, or called one."""
    if re.fullmatch(r"\[.*\]|[*†‡§¶]+|[¹²³⁰⁴-⁹]+", rows.text(row)) or _in_brackets(rows, row):
        return True
    near = [row, *[at for at, _ in zip(rows.above(row), range(3), strict=False)]]
    near = [at for at in near if at == row or rows.names[at] in _CLIMBED]
    for at in near:
        if rows.names[at] == "sup" or (rows.names[at] == "cite"):
            return True
        given = rows.attributes(at)
        names = " ".join(given.get(name, "") for name in ("class", "id", "name", "role", "rel"))
        if _IS_REFERENCE.search(names) or "data-footnote-ref" in given:
            return True
    return any(rows.names[at] == "sup" for at in range(row, rows.end[row]))


def _in_brackets(rows: PageRows, row: int) -> bool:
    """Return whether the texts beside an element are brackets around it."""
    at, texts = rows.texts
    first, past = at.searchsorted([row, rows.end[row]]).tolist()
    before, after = texts[first - 1] if first else "", "".join(texts[past : past + 1])
    return before.endswith("[") and after.startswith("]")


class _Body(NamedTuple):
    rows: tuple[int, ...]
    hidden: frozenset[int] = frozenset()
    copies: frozenset[int] = frozenset()


def _body(rows: PageRows, target: int, starts: Sequence[int]) -> _Body | None:
    """Return what a note consists of whose place is ``target``; None where that begins nothing."""
    block = target
    while rows.names[block] not in BLOCK_TAGS:
        block = rows.parent[block]
        if block < 0 or rows.names[block] in ("body", "html"):
            return None
    if rows.has_text(block, target):
        return _stretch(rows, target, starts)
    if rows.names[block] in _HEADINGS:
        return _below_heading(rows, block)
    if rows.names[block] in ("ol", "ul", "table", "body", "main", "article", "html"):
        return None
    if rows.names[block] == "dt":
        after = _siblings_after(rows, block)
        described = []
        for at in after:
            if rows.names[at] != "dd":
                break
            described.append(at)
        return _Body(tuple(described), copies=frozenset([block])) if described else None
    others = [at for at in starts if block <= at < rows.end[block] and at != target]
    if others:
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
    return _Body((block, *_continued(rows, block, starts)))


def _continued(rows: PageRows, block: int, starts: Sequence[int]) -> list[int]:
    """Return paragraphs that go on with a note, up to the next one beside it."""
    if rows.names[block] not in ("p", "div"):
        return []
    after = _siblings_after(rows, block)
    later = [at for at in starts if at >= rows.end[block]]
    until = next((k for k, at in enumerate(after) if later and at <= later[0] < rows.end[at]), None)
    if until is None:
        return []
    between = after[:until]
    is_plain = all(rows.names[at] in ("p", "ul", "ol", "blockquote", "pre") for at in between)
    return between if is_plain else []


def _stretch(rows: PageRows, target: int, starts: Sequence[int]) -> _Body | None:
    """Return a note among others in one paragraph: from its place up to the next one's."""
    top = target
    while rows.parent[top] >= 0 and rows.names[rows.parent[top]] in _CLIMBED:
        top = rows.parent[top]
    before = [at for at in rows.children(rows.parent[top]) if at < top]
    while (
        before
        and not rows.has_text(before[-1], rows.end[before[-1]])
        and rows.names[before[-1]] != "br"
    ):
        before.pop()
    opening = [before.pop()] if before and rows.text(before[-1]) == "[" else []
    if (
        before
        and rows.names[before[-1]] not in ("br", "p", "hr", "h2", "h3", "h4")
        and not _ends_at(rows, starts, target, rows.parent[top])
    ):
        return None
    part = [*opening, top]
    for at in _siblings_after(rows, top, texts=True):
        is_next = any(at <= other < rows.end[at] for other in starts) or (
            rows.names[at] == "a" and rows.get(at, "name") and _label(rows.text(at))
        )
        if is_next or rows.names[at] in ("hr", *_HEADINGS):
            break
        part.append(at)
    if part[-1] > top and rows.names[part[-1]] == "#text" and rows.text(part[-1]) == "[":
        part.pop()  # of the next one
    label = [top] if opening and _label(rows.text(top)) else []
    return _Body(tuple(part), frozenset([*opening, *label]))


def _ends_at(rows: PageRows, starts: Sequence[int], target: int, parent: int) -> bool:
    """Return whether another note stands before a place in the same element."""
    return any(parent < at < target and rows.end[parent] > at for at in starts)


def _below_heading(rows: PageRows, heading: int) -> _Body | None:
    """Return what stands below a heading that is but a number, up to the next heading."""
    if not _label(rows.text(heading)):
        return None
    part = []
    for at in _siblings_after(rows, heading):
        if rows.names[at] in (*_HEADINGS, "hr"):
            break
        part.append(at)
    return _Body(tuple(part), copies=frozenset([heading])) if part else None


def _siblings_after(rows: PageRows, row: int, *, texts: bool = False) -> list[int]:
    parent = rows.parent[row]
    return [at for at in rows.children(parent) if at > row and (texts or rows.names[at] != "#text")]


def _leads_back(
    rows: PageRows, body: _Body, anchors: Sequence[int], backs: Mapping[int, int]
) -> bool:
    """Return whether a link in a note leads to one of its marks, or to what holds it."""
    near = {*anchors}
    for row in anchors:
        near.update(at for at, _ in zip(rows.above(row), range(2), strict=False)
                    if rows.names[at] in _CLIMBED)  # fmt: skip
        before = rows.parent[row]
        near.update(
            at for at in rows.children(before) if at < row and rows.names[at] in ("a", "span")
        )
    spans = [*body.rows, *body.copies]
    return any(
        target in near and any(row <= link < rows.end[row] for row in spans)
        for link, target in backs.items()
    )


def _is_note(rows: PageRows, target: int, body: _Body, mark: str) -> bool:
    """Return whether what a mark leads to is a note: it is called one, or stands among such."""
    first = body.rows[0]
    for at in (target, first, *[up for up, _ in zip(rows.above(first), range(4), strict=False)]):
        given = rows.attributes(at)
        if rows.names[at] in ("body", "html", "main", "article"):
            break
        names = " ".join(given.get(name, "") for name in ("id", "class", "role", "name"))
        if _IS_NOTE.search(names):
            return True
    return bool(_AREA_TITLES.fullmatch(_title_before(rows, first)))


def _title_before(rows: PageRows, row: int) -> str:
    """Return the last heading before a row."""
    titles = [at for at in rows.named("b", "strong") if is_title_of_notes(rows.text(at))]
    before = [at for at in (*rows.named(*_HEADINGS), *titles) if at < row]
    return rows.text(max(before)).strip(" :¶#") if before else ""


def is_title_of_notes(text: str) -> bool:
    """Return whether a text heads notes, and no list of references."""
    return _NOTES_TITLES.fullmatch(text) is not None


def _hidden(
    rows: PageRows, body: _Body, label: str, backs: Mapping[int, int]
) -> tuple[frozenset[int], frozenset[int]]:
    """Return what in a note only leads back, and that with what only names it."""
    hidden: set[int] = set()
    for first in body.rows:
        for at in range(first, rows.end[first]):
            name = rows.names[at]
            if name == "#text" or any(up in hidden for up in rows.above(at)):
                continue
            classes = rows.classes(at)
            is_back = name in ("a", "span") and _BACK_CLASS.search(classes + rows.get(at, "role"))
            if name == "a" and at in backs and _BACK_TEXT.fullmatch(rows.text(at)):
                hidden.add(_outermost(rows, at) if _outermost(rows, at) > first else at)
            elif is_back or " mw-cite-backlink " in classes or " ltx_tag_bibitem " in classes:
                hidden.add(at)
    back = frozenset(at for at in hidden if not label or _label(rows.text(at)) != label)
    first = body.rows[0]
    for at in range(first, rows.end[first]):
        if rows.names[at] != "#text" and at > first and label:
            if rows.has_text(first, at) and not _all_hidden(rows, first, at, hidden):
                break
            if _label(rows.text(at)) == label and at not in hidden:
                hidden.add(at)
                break
    return back, frozenset(hidden)


def _all_hidden(rows: PageRows, first: int, last: int, hidden: set[int]) -> bool:
    texts = [at for at in range(first, last) if rows.names[at] == "#text"]
    return all(any(up in hidden for up in (at, *rows.above(at))) for at in texts)


def _outermost(rows: PageRows, row: int) -> int:
    """Return the outermost element that holds a mark alone, brackets around it included."""
    own = rows.text(row).strip("[]() ,")
    while rows.parent[row] >= 0 and rows.names[rows.parent[row]] in _CLIMBED:
        parent = rows.parent[row]
        if rows.text(parent).replace(" ", "").strip("[](),") != own.replace(" ", ""):
            break
        row = parent
    return row


# Notes within the text -----------------------------------------------------------------------


def _inline(rows: PageRows) -> list[_Found]:
    """Return notes that stand, hidden or at the side, where they are referred to."""
    found: list[_Found] = []
    past = 0
    hinted = rows.mentioning(*_HINTS)
    for row in hinted:
        if row < past:
            continue
        given = next(filter(None, (rows.get(row, name) for name in _NOTE_ATTRIBUTES)), "")
        if len(given.split()) > 1 and rows.names[row] in ("span", "sup", "a", "button", "label"):
            label = _label(rows.text(row))
            text = " ".join(re.sub(r"<[^>]*>", " ", given).split())
            if label or not re.search(r"\w", rows.text(row)):
                found.append(_Found([_outermost(rows, row)], label, Note(label, (), text=text)))
                past = rows.end[row]
            continue
        classes = rows.classes(row)
        if rows.names[row] == "span" and _WRAPPERS.search(classes):
            one = _in_wrapper(rows, row)
            if one:
                found.append(one)
                past = rows.end[row]
        elif rows.names[row] in ("span", "small", "aside") and _INLINE_NOTES.search(classes):
            one = _after_mark(rows, row)
            if one:
                found.append(one)
                past = rows.end[row]
    return [_with_copies(rows, each, hinted) for each in found]


def _cited(rows: PageRows) -> list[_Found]:
    """Return links that cite a source behind a sentence, as in answers of chats, by address."""
    found: dict[str, _Found] = {}
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
        block = next((at for at in rows.above(row) if rows.names[at] not in _CLIMBED), row)
        if not rows.has_text(block, row):
            continue
        address = address.partition("#:~:")[0]
        text = host.removeprefix("www.")
        note = Note("", (), text=text, address=address)
        cited = found.setdefault(address, _Found([], _label(words), note))
        if not any(at <= row < rows.end[at] for at in cited.marks):
            cited.marks.append(row)
    return list(found.values())


def _in_wrapper(rows: PageRows, row: int) -> _Found | None:
    """Return the note in an element that holds its mark and its text."""
    inner = next(
        (at for at in range(row + 1, rows.end[row])
         if rows.names[at] != "#text" and _INLINE_NOTES.search(rows.classes(at))), None
    )  # fmt: skip
    if inner is None or not rows.has_text(inner, rows.end[inner]):
        return None
    label = next((_label(text) for text in rows.pieces(row) if _label(text)), "")
    note = Note(label, (inner,), _marks_at_start(rows, inner))
    return _Found([row], label, note)


def _after_mark(rows: PageRows, row: int) -> _Found | None:
    """Return the note that follows its mark: a label, a raised number, a check box."""
    parent = rows.parent[row]
    before = [at for at in rows.children(parent) if at < row]
    mark, label, boxes = None, "", []
    while before:
        at = before.pop()
        name = rows.names[at]
        if name == "input":
            boxes.append(at)
        elif name in ("label", "sup", "a", "span", "button"):
            text = rows.text(at)
            if text and not _label(text) and text not in ("⊕", "⊗"):
                break
            mark, label = at, _label(text)
            break
        else:
            break
    if mark is None:
        return None
    if not rows.has_text(row, rows.end[row]):
        return None
    hidden = _marks_at_start(rows, row)
    return _Found([mark], label, Note(label, (row,), hidden, frozenset()))


def _marks_at_start(rows: PageRows, row: int) -> frozenset[int]:
    """Return elements at the start of a note that are but its mark."""
    hidden = set()
    for at in range(row + 1, rows.end[row]):
        if rows.names[at] == "#text":
            break
        classes = rows.classes(at)
        if _label(rows.text(at)) or " ltx_tag_note " in classes or " ltx_note_type " in classes:
            hidden.add(at)
            if not rows.has_text(rows.end[at], min(rows.end[at] + 1, rows.end[row])):
                continue
            break
    marks = [
        at
        for at in range(row + 1, rows.end[row])
        if " ltx_note_mark " in rows.classes(at) or " ltx_tag_note " in rows.classes(at)
    ]
    return frozenset([*hidden, *marks])


def _with_copies(rows: PageRows, found: _Found, hinted: Sequence[int]) -> _Found:
    """Return a note with the rows that say the same once more, at the foot of the page."""
    text = found.note.text or " ".join(rows.text(row) for row in found.note.rows)
    own = (
        re.sub(r"^\W*\w{1,4}\W+", "", text)
        if found.label and text.startswith(found.label)
        else text
    )
    copies = set()
    for row in hinted:
        if row in found.note.rows or any(row in range(at, rows.end[at]) for at in found.note.rows):
            continue
        other = rows.text(row)
        if (
            other.endswith(own)
            and len(other) <= len(own) + 6
            and rows.names[row] in ("div", "li", "p")
        ):
            copies.add(row)
    return found._replace(note=replace(found.note, copies=frozenset(copies)))


# Numbers without links -----------------------------------------------------------------------


def _numbered(rows: PageRows) -> list[_Found]:
    """Return notes that only their numbers join with their marks."""
    raised = [(row, _label(rows.text(row))) for row in rows.named("sup")]
    raised = [
        (row, label) for row, label in raised if label.isdecimal() and not _is_power(rows, row)
    ]
    if not raised:
        return []
    bodies: dict[str, _Body] = {}
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
            marks = [_outermost(rows, row) for row in marks]
            found.append(_Found(marks, label, Note(label, body.rows, body.hidden, body.copies)))
    numbers = sorted(int(each.label) for each in found)
    return found if numbers and numbers[0] == 1 else []


def _is_power(rows: PageRows, row: int) -> bool:
    """Return whether a raised number stands on a number or a single letter: 10², x³."""
    before = [at for at in rows.children(rows.parent[row]) if at < row]
    if not before or rows.names[before[-1]] not in ("#text", "i", "em", "var"):
        return False
    text = rows.text(before[-1]) if rows.names[before[-1]] != "#text" else rows.own(before[-1])
    return re.search(r"(?:^|[\s(=+*/-])(?:\d+|[A-Za-z])$", text) is not None


def _areas(rows: PageRows) -> Iterator[list[int]]:
    """Yield where notes stand: siblings below a title or a rule, or one box's children."""
    for row in rows.named(*_HEADINGS):
        if _AREA_TITLES.fullmatch(rows.text(row).strip(" :")):
            yield _siblings_after(rows, row)
    for row in rows.mentioning(*_HINTS):
        if rows.names[row] in ("div", "section", "aside", "footer"):
            yield rows.elements(row)
    for row in rows.named("aside"):
        yield rows.elements(row)
    rules = rows.named("hr")
    for row in reversed(rules[-2:]):
        yield _siblings_after(rows, row)


def _numbered_in(rows: PageRows, area: Sequence[int]) -> Iterator[tuple[str, _Body]]:
    """Yield the notes of a place, each with its number."""
    for place, row in enumerate(area):
        name = rows.names[row]
        if name in _HEADINGS and place:
            return
        if name == "ol":
            start = rows.get(row, "start").strip()
            number = int(start) if start.isdecimal() and len(start) < 6 else 1
            for item in rows.elements(row):
                if rows.names[item] == "li":
                    yield str(number), _Body((item,))
                    number += 1
        elif name in ("p", "div", "li"):
            label, hidden = _number_at_start(rows, row)
            if label:
                following = _continued_until_number(rows, area[place + 1 :])
                yield label, _Body((row, *following), hidden)


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
        label = _label(rows.text(at))
        if label.isdecimal() and rows.names[at] in ("sup", "strong", "b", "a", "span"):
            return label, frozenset([at])
    return "", frozenset()
