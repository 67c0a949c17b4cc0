"""A page as parts that can be left out: elements, attributes, words.

The result joins the remaining parts, so that a candidate costs one pass over it.
"""

import html as html_module
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import lxml.html
from lxml import etree

from engine.errors import InputError

_EMPTY = frozenset("area base br col embed hr img input link meta param source track wbr".split())
_RAW = frozenset({"script", "style", "xmp", "iframe", "noembed", "noframes", "plaintext"})
_FIXED = frozenset({"html", "body"})  # a page without them is no smaller
_PIECE = re.compile(r"<[^<>]*>?|\s+|[^\s<]+")


@dataclass(eq=False)
class TreePart:
    """An element, or a text between tags.

    Attributes:
        tag: "" of a text.
        attributes: Name and value.
        words: Of a text, white space with them.
        children: In document order.
    """

    tag: str = ""
    attributes: list[tuple[str, str]] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    children: list["TreePart"] = field(default_factory=list)
    parent: "TreePart | None" = None


def parse_page(html: str) -> TreePart:
    """Return a page as parts, comments left out; raises `InputError`."""
    parser = lxml.html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
    try:
        root = lxml.html.document_fromstring(html.encode("utf-8", "replace"), parser=parser)
    except (etree.LxmlError, ValueError) as error:
        raise InputError(f"the page cannot be parsed: {error}") from None
    return _part(root)


def _part(element: lxml.html.HtmlElement) -> TreePart:
    made = TreePart(str(element.tag), [(str(k), str(v)) for k, v in element.attrib.items()])
    stack = [(element, made)]
    while stack:
        at, part = stack.pop()
        _add_text(part, at.text)
        for child in at:
            if isinstance(child.tag, str):
                mine = TreePart(child.tag, [(str(k), str(v)) for k, v in child.attrib.items()])
                mine.parent = part
                part.children.append(mine)
                stack.append((child, mine))
            _add_text(part, child.tail)
    return made


def _add_text(part: TreePart, text: str | None) -> None:
    if text and text.strip():
        words = text.split(" ") if part.tag not in _RAW else [text]
        part.children.append(TreePart(words=words, parent=part))


def parts_of(root: TreePart) -> Iterator[tuple[int, TreePart]]:
    """Yield all parts with their depth, level by level."""
    level = [root]
    depth = 0
    while level:
        for part in level:
            yield depth, part
        level = [child for part in level for child in part.children]
        depth += 1


def write_page(root: TreePart) -> str:
    """Return the page as HTML."""
    pieces = ["<!DOCTYPE html>"]
    stack: list[TreePart | str] = [root]
    while stack:
        part = stack.pop()
        if isinstance(part, str):
            pieces.append(part)
        elif not part.tag:
            text = " ".join(part.words)
            is_raw = part.parent is not None and part.parent.tag in _RAW
            pieces.append(text if is_raw else html_module.escape(text, quote=False))
        else:
            attributes = "".join(
                f' {name}="{html_module.escape(value)}"' if value else f" {name}"
                for name, value in part.attributes
            )
            pieces.append(f"<{part.tag}{attributes}>")
            if part.tag not in _EMPTY:
                stack.append(f"</{part.tag}>")
            stack.extend(reversed(part.children))
    return "".join(pieces)


def pieces_of(html: str) -> list[str]:
    """Return tags, words and white space, which joined are the page again, however broken it is."""
    return _PIECE.findall(html)


@dataclass(frozen=True)
class RemovableParts:
    """Removable parts of a page.

    Attributes:
        apply: Leaves out all but these of the units.
        units: The removable parts.
    """

    units: Sequence[Any]
    apply: Callable[[Sequence[Any]], None]


def cut_level(root: TreePart, depth: int) -> RemovableParts:
    """Return the cut that leaves out parts of one level."""
    level = [part for d, part in parts_of(root) if d == depth and part.tag not in _FIXED]
    here = [part for part in level if part.parent]
    parents = {id(part.parent): part.parent for part in here if part.parent}
    before = [(parent, list(parent.children)) for parent in parents.values()]
    mine = {id(part) for part in here}

    def apply(rest: Sequence[Any]) -> None:
        gone = mine - {id(part) for part in rest}
        for parent, children in before:
            parent.children = [child for child in children if id(child) not in gone]

    return RemovableParts(here, apply)


def cut_wrappers(root: TreePart) -> RemovableParts:
    """Return the cut that puts the children of elements in their place."""
    inner = [part for _, part in parts_of(root) if part.parent and part.children]
    here = [part for part in inner if part.tag not in _FIXED]
    every = [part for _, part in parts_of(root)]
    before = {id(part): (list(part.children), part.parent) for part in every}

    def apply(rest: Sequence[Any]) -> None:
        for part in every:
            children, parent = before[id(part)]
            part.children, part.parent = list(children), parent
        stays = {id(part) for part in rest}
        for part in reversed(here):  # the inner ones first
            if id(part) in stays or part.parent is None:
                continue
            at = part.parent.children.index(part)
            part.parent.children[at : at + 1] = part.children
            for child in part.children:
                child.parent = part.parent

    return RemovableParts(here, apply)


def cut_attributes(root: TreePart) -> RemovableParts:
    """Return the cut that leaves out attributes."""
    every = [part for _, part in parts_of(root) if part.attributes]
    before = {id(part): list(part.attributes) for part in every}
    units = [(part, name) for part in every for name, _ in part.attributes]

    def apply(rest: Sequence[Any]) -> None:
        stays = {(id(part), name) for part, name in rest}
        for part in every:
            part.attributes = [a for a in before[id(part)] if (id(part), a[0]) in stays]

    return RemovableParts(units, apply)


def cut_words(root: TreePart) -> RemovableParts:
    """Return the cut that leaves out words of texts."""
    every = [part for _, part in parts_of(root) if part.words]
    before = {id(part): list(part.words) for part in every}
    units = [(part, k) for part in every for k in range(len(part.words))]

    def apply(rest: Sequence[Any]) -> None:
        stays = {(id(part), k) for part, k in rest}
        for part in every:
            words = before[id(part)]
            part.words = [word for k, word in enumerate(words) if (id(part), k) in stays]

    return RemovableParts(units, apply)
