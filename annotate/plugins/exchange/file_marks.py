"""Marks as a file of another tool has them, before they are placed on a page.

A mark has a box on a picture of the page (`drawn_boxes`), or places in its text. A place is given
by selectors: a path, a CSS selector, two ends, a position, a quote with its context.  Content of
the page is found by structure first and checked against the quote; where they differ the quote is
searched for, as for any mark (`annotate.marks.anchor`).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from cssselect import HTMLTranslator, SelectorError
from lxml import etree

from algorithms.levels import LEVELS, Level
from annotate.marks.anchor import SHORTEST_FUZZY, Anchors, describe
from annotate.marks.gold import MAIN, Mark, Target
from annotate.marks.node_paths import row_at
from annotate.marks.page_text import page_text, whole_or_part
from annotate.marks.records import LONGEST_ID, MarkRecord, TargetRecord, check, writable
from annotate.plugins.exchange.drawn_boxes import PictureBox
from annotate.plugins.exchange.quote_search import bare_letters, quoted_ranges
from engine import bounds
from engine.account import Account
from engine.errors import InputError
from engine.geometry import Box
from engine.nodes import NodeTable

_LARGEST = 1e6
"""Pixels of a side of a picture that are believed."""

_LONGEST_SELECTOR = 2_000


@dataclass(frozen=True)
class SelectedPlace:
    """Position given by selectors; all fields refer to one place.

    Attributes:
        path: XPath of a node, from the document or from its body.
        css: CSS selector of an element.
        anchor: Id of an element.
        ends: Path and offset of start and end in the text below: in code points, or, if the quote
            is not there, in UTF-16, as browsers count.
        position: Start and end in the text of the page.
        quote, prefix, suffix, shows: As in `TargetRecord`.
        scope: The place within which this one lies; None for the whole page.
    """

    path: str = ""
    css: str = ""
    anchor: str = ""
    ends: tuple[tuple[str, int], tuple[str, int]] | None = None
    position: tuple[int, int] | None = None
    quote: str = ""
    prefix: str = ""
    suffix: str = ""
    shows: tuple[str, ...] = ()
    scope: "SelectedPlace | None" = None


@dataclass(frozen=True)
class TextMark:
    """A mark in the text of a page; attributes as in `Mark`.

    Attributes:
        is_probable: Whether the file contradicts itself on its place, so that somebody must look.
    """

    id: str
    level: Level
    type: str
    places: tuple[SelectedPlace, ...]
    is_unsure: bool = False
    is_probable: bool = False


@dataclass
class FileMarks:
    """All marks of a file.

    Attributes:
        account: Account of marks read and skipped.
        boxes: Page → its boxes.
        texts: Page → its marks in text.
        aliases: Page → what else the file calls it.
    """

    account: Account = field(default_factory=lambda: Account("mark"))
    boxes: dict[str, list[PictureBox]] = field(default_factory=dict)
    texts: dict[str, list[TextMark]] = field(default_factory=dict)
    aliases: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def add_box(
        self,
        page: str,
        kind: tuple[Level, str],
        box: Sequence[Any],
        *,
        size: tuple[float, float] = (0.0, 0.0),
        paths: object = None,
        is_unsure: bool = False,
        is_relative: bool = False,
    ) -> None:
        """Add a box (x, y, width, height) to a page; `InputError` if it is invalid."""
        x, y, width, height = (bounds.number(float(each), bounds.BOX) for each in box)
        if not width or not height:
            raise InputError("its box has no area")
        own: Box = (min(x, x + width), min(y, y + height), abs(width), abs(height))
        made = PictureBox(*kind, own, known_paths(paths), size, is_unsure, is_relative)
        self.boxes.setdefault(page, []).append(made)
        self.account.take()

    def add(self, other: "FileMarks") -> None:
        """Add the marks of another file."""
        self.account.add(other.account)
        for page, boxes in other.boxes.items():
            self.boxes.setdefault(page, []).extend(boxes)
        for page, marks in other.texts.items():
            self.texts.setdefault(page, []).extend(marks)
        for page, names in other.aliases.items():
            self.aliases[page] = (*self.aliases.get(page, ()), *names)

    def add_text(self, page: str, mark: TextMark) -> None:
        """Add a mark in the text of a page."""
        self.texts.setdefault(page, []).append(mark)
        self.account.take()


def kind_of(label: object, level: Level = 1) -> tuple[Level, str]:
    """Return level and type of a label of another tool; Pagelet's own names are recognised."""
    if isinstance(label, list):
        label = label[0] if label else ""
    name = writable(" ".join(str("" if label is None else label).split()))[:LONGEST_ID]
    if name == "Main content":
        return MAIN, ""
    named = next((each for each in LEVELS if name == f"Level {each}"), None)
    return (named, "") if named else (level, name)


def known_paths(values: object) -> tuple[str, ...]:
    """Return the paths of nodes in what a file has for them, which may be a note of anybody's."""
    if isinstance(values, str):
        values = values.split()
    listed = values if isinstance(values, list | tuple) else ()
    return tuple(each for each in listed if isinstance(each, str) and each.startswith("/"))


def picture_size(width: object, height: object) -> tuple[float, float]:
    """Return the size of a picture, 0 if unknown."""
    numbers = [
        float(n) if isinstance(n, int | float) and 0 < n < _LARGEST else 0.0
        for n in (width, height)
    ]
    return numbers[0], numbers[1]


# -- onto a page


def place_mark(anchors: Anchors, mark: TextMark) -> Mark:
    """Return a mark on the page; one without a place is lost.

    A position without a quote, and what only the structure says of a page whose text is another,
    are probable positions: the mark is moved.
    """
    nodes = anchors.nodes
    targets: list[TargetRecord] = []
    is_probable = mark.is_probable
    for place in mark.places:
        found, is_sure = _targets(nodes, place)
        targets.extend(found)
        is_probable |= not is_sure
    record: dict[str, Any] = {
        "id": mark.id,
        "level": mark.level,
        "type": mark.type,
        "targets": targets,
        "unsure": mark.is_unsure,
    }
    if is_probable and targets:
        record["moved"] = True
    return anchors.find(check(record))


def _targets(nodes: NodeTable, place: SelectedPlace) -> tuple[list[TargetRecord], bool]:
    """Return the targets of a place in stored form, and whether they are certain."""
    text = page_text(nodes)
    found = _by_structure(nodes, place)
    there = text.quote(found)
    if place.ends is not None and place.quote and not same_words(there, place.quote):
        counted = _by_structure(nodes, place, in_utf_16=True)
        if same_words(text.quote(counted), place.quote):
            found, there = counted, place.quote
    if found and (not place.quote or same_words(there, place.quote)) and not place.shows:
        made: MarkRecord = describe(nodes, Mark("x", MAIN, found))
        return made["targets"], True
    if not place.quote and not place.shows:
        start, stop = place.position or (0, 0)
        parts = text.parts(start, stop) if 0 <= start < stop <= len(text.text) else ()
        made = describe(nodes, Mark("x", MAIN, parts))
        return made["targets"], False
    if place.quote and not place.shows and (place.ends or not place.path):
        for context in ((place.prefix, place.suffix), ("", "")):
            spans = quoted_ranges(text, place.quote, *context, 0, len(text.text))
            has_context = context == (place.prefix, place.suffix)
            if len(spans) == 1 and (has_context or len(place.quote) < SHORTEST_FUZZY):
                made = describe(nodes, Mark("x", MAIN, text.parts(*spans[0])))
                return made["targets"], has_context
    row = found[0].row if len(found) == 1 and found[0].is_whole else -1
    start, stop = place.position or (0, 0)
    record: TargetRecord = {
        "path": nodes.path(row) if row >= 0 else place.path,
        "position": [max(start, 0), max(stop, 0)],
        "quote": place.quote,
        "prefix": place.prefix,
        "suffix": place.suffix,
    }
    if place.shows:
        record["shows"] = list(place.shows)
    if place.ends is not None or (row < 0 and not place.path):
        # A quote alone may be any part of the page's text.
        record["part"] = [0, len(place.quote)]
    return [record], True


def same_words(one: str, other: str) -> bool:
    """Return whether two texts are the same, white space and unseen signs aside."""
    return one == other or bare_letters(one) == bare_letters(other)


def _by_structure(
    nodes: NodeTable, place: SelectedPlace, *, in_utf_16: bool = False
) -> tuple[Target, ...]:
    """Return the targets that paths, ends and ids lead to; none where they lead nowhere."""
    scope = -1
    if place.scope is not None:
        outer = _by_structure(nodes, place.scope)
        if not outer:
            return ()
        scope = outer[0].row
        if place.quote and not (place.path or place.css or place.ends):
            return _quoted_in(nodes, scope, place)
        if place.position is not None and not (place.path or place.css):
            start, stop = place.position
            return _between(nodes, _inside(nodes, scope, start), _inside(nodes, scope, stop))
    if place.ends is not None:
        ends = [(row_of(nodes, path, scope), at) for path, at in place.ends]
        if min(row for row, _ in ends) >= 0:
            if in_utf_16:
                texts = ["".join(nodes.text[r] for r in _texts(nodes, row)) for row, _ in ends]
                ends = [(row, code_points(t, at)) for (row, at), t in zip(ends, texts, strict=True)]
            first, last = (_inside(nodes, row, at) for row, at in ends)
            return _between(nodes, first, last)
    if place.anchor:
        for row, attributes in enumerate(nodes.attributes):
            if attributes and place.anchor in (attributes.get("id"), attributes.get("name")):
                return (Target(row),)
    if place.css:
        row = _by_css(nodes, place.css, scope)
        return (Target(row),) if row >= 0 else ()
    row = row_of(nodes, place.path, scope) if place.path else -1
    return (Target(row),) if row >= 0 else ()


def _quoted_in(nodes: NodeTable, row: int, place: SelectedPlace) -> tuple[Target, ...]:
    """Return the first place of a quote below a row; the context it came with decides first."""
    text = page_text(nodes)
    start, stop = text.spans[row].tolist()
    for context in ((place.prefix, place.suffix), ("", "")):
        spans = quoted_ranges(text, place.quote, *context, start, stop)
        if spans:
            return text.parts(*spans[0])
    return ()


def row_of(nodes: NodeTable, path: str, scope: int = -1) -> int:
    """Return the row that an XPath of another tool leads to, -1 if none.

    It may begin at the document, at its body, or at ``scope``, and leave out ``[1]``.
    """
    steps = [step for step in path.strip().split("/") if step not in ("", ".")]
    if not steps or len(path) > _LONGEST_SELECTOR:
        body = row_at(nodes, "/html[1]/body[1]")
        return scope if scope >= 0 else body
    full = "/" + "/".join(step if step.endswith("]") else f"{step}[1]" for step in steps)
    tops = [nodes.path(scope)] if scope >= 0 else ["", "/html[1]/body[1]"]
    for top in tops:
        for tried in (full, full.lower()):
            row = row_at(nodes, top + tried)
            if row >= 0:
                return row
    relative = path.strip()
    if scope >= 0 and not relative.startswith("."):
        relative = f".//{relative.lstrip('/')}" if relative.startswith("//") else f"./{relative}"
    try:
        return _selected(nodes, etree.XPath(relative), scope)
    except (etree.XPathError, ValueError):
        return -1


def _by_css(nodes: NodeTable, selector: str, scope: int) -> int:
    if len(selector) > _LONGEST_SELECTOR:
        return -1
    try:
        return _selected(nodes, etree.XPath(HTMLTranslator().css_to_xpath(selector)), scope)
    except (SelectorError, etree.XPathError, ValueError):
        return -1


def _selected(nodes: NodeTable, path: etree.XPath, scope: int) -> int:
    root, elements = _tree(nodes)
    start = elements.get(scope, root)
    found = path(start)
    for each in found if isinstance(found, list) else ():
        if isinstance(each, etree._Element):
            return int(each.get("_row", "-1"))
        parent = getattr(each, "getparent", lambda: None)()
        if parent is not None:
            key = "_text" if getattr(each, "is_text", False) else "_tail"
            return int(parent.get(key, "-1"))
    return -1


@lru_cache(maxsize=2)
def _tree(nodes: NodeTable) -> tuple[etree._Element, dict[int, etree._Element]]:
    """Return the rows as elements for XPath, which know their rows."""
    elements: dict[int, etree._Element] = {}
    root = etree.Element("document")
    for row in range(len(nodes)):
        parent = elements.get(int(nodes.parent[row]), root)
        if nodes.is_text[row]:
            last = parent[-1] if len(parent) else None
            raw = re.sub(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd]", " ", nodes.text[row])
            if last is None:
                parent.text = (parent.text or "") + raw
                parent.set("_text", str(row))
            else:
                last.tail = (last.tail or "") + raw
                last.set("_tail", str(row))
            continue
        try:
            own = etree.SubElement(parent, nodes.name_of(row))
        except ValueError:
            own = etree.SubElement(parent, "unknown")
        for name, value in (nodes.attributes[row] or {}).items():
            try:
                own.set(name.lstrip("_"), str(value))
            except ValueError:
                continue
        own.set("_row", str(row))
        elements[row] = own
    return root, elements


def _inside(nodes: NodeTable, row: int, at: int) -> tuple[int, int]:
    """Return text row and offset of a place in the text below a row."""
    if nodes.is_text[row]:
        return row, at
    last = row, 0
    for text in _texts(nodes, row):
        last = text, at
        if at <= len(nodes.text[text]):
            break
        at -= len(nodes.text[text])
    return last


def code_points(text: str, units: int) -> int:
    """Return the offset in code points of one in UTF-16, in which browsers and Java count."""
    if text.isascii():
        return units
    return len(text.encode("utf-16-le", "surrogatepass")[: 2 * units].decode("utf-16-le", "ignore"))


def _texts(nodes: NodeTable, row: int) -> Iterator[int]:
    return (r for r in range(row, int(nodes.end[row])) if nodes.is_text[r])


def _between(nodes: NodeTable, first: tuple[int, int], last: tuple[int, int]) -> tuple[Target, ...]:
    """Return the texts, and parts of texts, from one place to another."""
    result = []
    for row in page_text(nodes).rows.tolist():
        if not first[0] <= row <= last[0]:
            continue
        raw = nodes.text[row]
        start = first[1] if row == first[0] else 0
        end = min(last[1], len(raw)) if row == last[0] else len(raw)
        if start < end and raw[start:end].strip():
            result.append(whole_or_part(nodes, row, start, end))
    return tuple(result)
