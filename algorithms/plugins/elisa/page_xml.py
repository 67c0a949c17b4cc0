"""XML of a source's tree with its counts, which stylesheets and XPath work on."""

import re
from functools import cache, lru_cache
from typing import Any

import numpy as np
from lxml import etree

from algorithms.signals.tree_counts import block_of, letters, linked, links
from engine.source import Source
from engine.tokenise import attributes
from engine.tree import TEXT, Bools, Longs, Tree

COUNTED = ("row", "letters", "words", "links", "linked", "paragraphs", "own", "ownlinked")
"""Attributes rules may use beside the page's own: the row; letters, words and links at or below the
element; letters in links, and in paragraphs; letters in no block-level element inside this one, and
those of them in links.  ``names`` holds id, class and role in small letters."""

NAME = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)
"""Names that elements and attributes may have in it."""

NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# Characters that XML writes as references, or cannot contain.
_NO_TEXT = re.compile("[^\t\n -%'-;=?-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NO_VALUE = re.compile("[^ !#-%'-;=?-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NAMING = ("id", "class", "role")
_DEEPEST_PARSED = 1000


def as_xml(source: Source, reads: frozenset[str] | None = None) -> Any:  # noqa: ANN401
    """Return the source's tree as XML, with counts as attributes: an element tree.

    Element names are in capitals, attribute names in small letters; an attribute of the page named
    like one of `COUNTED` gives way.  Only the attributes in ``reads`` are there, if it is given.
    It is written as text and parsed, four times as fast as lxml builds trees from Python; the
    parser refuses trees deeper than `_DEEPEST_PARSED`, which are built from Python.
    """
    if int(source.tree.depth.max()) > _DEEPEST_PARSED:
        return build_tree(source, reads)
    parser = etree.XMLParser(
        huge_tree=True, resolve_entities=False, no_network=True, collect_ids=False
    )
    return etree.ElementTree(etree.fromstring(_written(source, reads), parser))


def _written(source: Source, reads: frozenset[str] | None) -> bytes:
    tree = source.tree
    tags = [element_name(name) for name in tree.names]
    counted = [name for name in COUNTED if reads is None or name in reads]
    values = zip(*(counts(source, name).tolist() for name in counted), strict=True)
    text_tag = tree.names.index(TEXT)
    opening = "".join([f' {name}="%d"' for name in counted])
    pieces: list[str] = []
    markup: dict[int, str] = {}
    open_tags: list[tuple[int, str]] = []
    rows = zip(tree.tag.tolist(), tree.end.tolist(), tree.text, values, strict=True)
    given = _attributes(source, reads)
    for row, (tag, end, text, numbers) in enumerate(rows):
        while open_tags and open_tags[-1][0] <= row:
            pieces.append(open_tags.pop()[1])
        if tag == text_tag:
            pieces.append(_NO_TEXT.sub(_reference, text))
            continue
        name = tags[tag]
        own = given[row]
        more = markup.get(id(own))  # equal tags share their attributes
        if more is None:
            more = markup[id(own)] = _as_markup(own)
        if end == row + 1:
            pieces.append(f"<{name}{opening % numbers}{more}/>")
        else:
            pieces.append(f"<{name}{opening % numbers}{more}>")
            open_tags.append((end, f"</{name}>"))
    pieces += [closing for _, closing in reversed(open_tags)]
    return "".join(pieces).encode("utf-8")


class Attributes:
    """The attributes of start tags as rules see them, each tag read when first asked for."""

    def __init__(self) -> None:
        self._raw: dict[str, dict[str, str]] = {}
        self._known: dict[tuple[str, str], str | None] = {}

    def value(self, tag: str, name: str) -> str | None:
        """Return an attribute of a tag as written, ``names`` among them; None if there is none."""
        if (tag, name) not in self._known:
            result = self._names(tag) if name == "names" else self._value(tag, name)
            result = result if result is None or result.isprintable() else NO_XML.sub(" ", result)
            self._known[tag, name] = result
        return self._known[tag, name]

    def every(self, tag: str) -> dict[str, str]:
        """Return all attributes of a tag but those that are counted, ``names`` last."""
        names = [*self._read(tag), "names"]
        values = {name: self.value(tag, name) for name in names if _is_own(name)}
        return {name: value for name, value in values.items() if value is not None}

    def _names(self, tag: str) -> str:
        small = tag.lower()
        if "id" not in small and "class" not in small and "role" not in small:
            return ""
        read = self._read(tag)
        names = " ".join([read.get(name, "") for name in _NAMING])
        return names.lower().strip()

    def _value(self, tag: str, name: str) -> str | None:
        if not _is_own(name) or name not in tag.lower():  # few tags have any one attribute
            return None
        return self._read(tag).get(name)

    def _read(self, tag: str) -> dict[str, str]:
        result = self._raw.get(tag)
        if result is None:
            result = self._raw[tag] = attributes(tag, 0, len(tag))
        return result


@cache
def _is_own(name: str) -> bool:
    return name not in COUNTED and name != "xmlns" and NAME.fullmatch(name) is not None


def _attributes(source: Source, reads: frozenset[str] | None) -> dict[int, dict[str, str]]:
    """Return the read attributes of each element's row, shared by elements with equal tags."""
    tree, tokens, html = source.tree, source.tokens, source.html
    every = Attributes()
    known: dict[str, dict[str, str]] = {}
    result = {}
    for row in np.flatnonzero(~tree.is_text).tolist():
        token = int(tree.token[row])
        tag = html[tokens.start[token] : tokens.end[token]] if token >= 0 else ""
        if tag not in known:
            values = every.every(tag)
            known[tag] = {k: v for k, v in values.items() if reads is None or k in reads}
        result[row] = known[tag]
    return result


def _as_markup(values: dict[str, str]) -> str:
    return "".join(
        [f' {name}="{_NO_VALUE.sub(_reference, value)}"' for name, value in values.items()]
    )


def _reference(match: re.Match[str]) -> str:
    letter = match[0]
    return " " if NO_XML.match(letter) else f"&#{ord(letter)};"


def build_tree(source: Source, reads: frozenset[str] | None) -> Any:  # noqa: ANN401
    """Return the same tree, built element by element."""
    tree = source.tree
    names = [element_name(name) for name in tree.names]
    counted = [name for name in COUNTED if reads is None or name in reads]
    numbers = zip(*(map(str, counts(source, name).tolist()) for name in counted), strict=True)
    given = _attributes(source, reads)
    text_tag = tree.names.index(TEXT)
    elements: list[Any] = []
    last: dict[int, Any] = {}  # the last child of each element that has one
    rows = zip(tree.tag.tolist(), tree.parent.tolist(), tree.text, numbers, strict=True)
    for row, (tag, parent, text, values) in enumerate(rows):
        if tag == text_tag:
            elements.append(None)
            text = NO_XML.sub(" ", text)
            if (before := last.get(parent)) is None:
                elements[parent].text = (elements[parent].text or "") + text
            else:
                before.tail = (before.tail or "") + text
            continue
        element = etree.Element(names[tag], dict(zip(counted, values, strict=True)) | given[row])
        if parent >= 0:
            elements[parent].append(element)
        elements.append(element)
        last[parent] = element
    return etree.ElementTree(elements[0])


def counts(source: Source, name: str) -> Longs:
    """Return one column of `COUNTED`, (n,).  O(n)."""
    tree = source.tree
    n = len(tree)
    if name == "row":
        return np.arange(n)
    if name == "words":
        return (tree.words[:, 1] - tree.words[:, 0]).astype(np.int64)
    if name == "letters":
        return letters(source)
    if name == "links":
        return _below(tree, links(source))
    size = letters(source) * tree.is_text
    if name in ("linked", "ownlinked"):
        size *= linked(source)
    if name in ("own", "ownlinked"):
        return np.bincount(block_of(source), size, minlength=n).astype(np.int64)
    if name == "paragraphs":
        size *= tree.within("p")
    return _below(tree, size)


def _below(tree: Tree, values: Longs | Bools) -> Longs:
    """Return the sum of values, (n,), at and below each row, (n,)."""
    total = np.zeros(len(tree) + 1, dtype=np.int64)
    np.cumsum(values, out=total[1:])
    return np.asarray(total[tree.end] - total[:-1], dtype=np.int64)


@lru_cache(maxsize=1024)
def element_name(name: str) -> str:
    """Return the name in the XML of elements with this name in the source."""
    if not NAME.fullmatch(name):
        name = "_" + re.sub(r"[^A-Za-z0-9_.-]", "_", name)
    return name.upper()
