"""A page as units that can be left out: elements, wrappers, attributes, words.

JSON in a script is parsed, too: members and items are parts.  Of other scripts and styles what
stands between brackets, commas and ends of lines is a word.  A candidate costs one pass over the
page.
"""

import html as html_module
import json
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Literal

import lxml.html
from lxml import etree

from algorithms.measures.text_words import normalise, words_of
from engine.errors import InputError

_EMPTY = frozenset("area base br col embed hr img input link meta param source track wbr".split())
_RAW = frozenset({"script", "style", "xmp", "iframe", "noembed", "noframes", "plaintext"})
_FIXED = frozenset({"html", "body"})  # a page without them is no smaller
_SCRIPT_PIECE = re.compile(r"[^,;{}\[\]\n]*[,;{}\[\]\n]|[^,;{}\[\]\n]+")
_PIECE = re.compile(r"<[^<>]*>?|\s+|[^\s<]+")

_LONG = 3
"""Children of one tag that a list keeps when all lists are shortened at once."""

_LENGTHS = (3, 8, 30)
"""Words that each text keeps when all texts are shortened at once."""


@dataclass(eq=False)
class TreePart:
    """An element, a text between tags, or a value of JSON.

    Attributes:
        tag: "" of a text; of JSON its key as JSON, or ``[]`` of an item.
        attributes: Name to value.
        words: Of a text, white space with them; None in the place of those left out.
        children: In document order.
        size: Characters of it with all that is in it, as they were when it was parsed.
        json: Of a value of JSON: itself, or ``{`` or ``[`` with its members or items as children.
        is_gone: Whether it, or an element that it is in, was left out.
    """

    tag: str = ""
    attributes: dict[str, str] = field(default_factory=dict)
    words: list[str | None] = field(default_factory=list)
    children: list["TreePart"] = field(default_factory=list)
    parent: "TreePart | None" = None
    size: int = 0
    json: str = ""
    is_gone: bool = False


What = Literal["whole", "tags"] | int | tuple[str] | tuple[str, str]
"""All of a part, its tags without what is in them, one of its words, an attribute by name, or the
value of one: its name and "".
"""

Unit = tuple[TreePart, What]
Bundle = Sequence[Unit]
Group = Sequence[Bundle]
"""Bundles of units that are left out together; it is split between bundles first."""


def parse_page(html: str) -> TreePart:
    """Return a page as parts, comments left out; raises `InputError`."""
    parser = lxml.html.HTMLParser(
        encoding="utf-8", remove_comments=True, remove_pis=True, huge_tree=True
    )
    try:
        root = lxml.html.document_fromstring(html.encode("utf-8", "replace"), parser=parser)
    except (etree.LxmlError, ValueError) as error:
        raise InputError(f"the page cannot be parsed: {error}") from None
    made = _element(root, None)
    stack = [(root, made)]
    while stack:
        at, part = stack.pop()
        _add_text(part, at.text)
        for child in at:
            if isinstance(child.tag, str):
                mine = _element(child, part)
                part.children.append(mine)
                stack.append((child, mine))
            _add_text(part, child.tail)
    for part in reversed([*parts_of(made)]):
        part.size = _own_size(part) + sum(child.size for child in part.children)
    return made


def _element(element: lxml.html.HtmlElement, parent: TreePart | None) -> TreePart:
    attributes = {str(name): str(value) for name, value in element.attrib.items()}
    return TreePart(str(element.tag), attributes, parent=parent)


def _add_text(part: TreePart, text: str | None) -> None:
    if not text or not text.strip():
        return
    if part.tag not in _RAW:
        part.children.append(TreePart(words=[*text.split(" ")], parent=part))
    elif (value := _json_value(text)) is not None:
        part.children.append(_json_part("[]", value, part))
    else:
        part.children.append(TreePart(words=[*_SCRIPT_PIECE.findall(text)], parent=part))


def _json_value(text: str) -> Any:  # noqa: ANN401  (JSON)
    with suppress(ValueError, RecursionError):
        value = json.loads(text)
        return value if isinstance(value, dict | list) else None
    return None


def _json_part(tag: str, value: Any, parent: TreePart) -> TreePart:  # noqa: ANN401  (JSON)
    made = TreePart(tag, parent=parent)
    if isinstance(value, dict):
        made.json = "{"
        made.children = [_json_part(json.dumps(k), each, made) for k, each in value.items()]
    elif isinstance(value, list):
        made.json = "["
        made.children = [_json_part("[]", each, made) for each in value]
    else:  # a sign of HTML would end the script
        made.json = json.dumps(value, ensure_ascii=False).replace("<", r"\u003c")
    return made


def _write_json(part: TreePart, gone: Collection[Unit]) -> str:
    if part.json not in ("{", "["):
        return part.json
    inside = (
        f"{f'{child.tag}:' if part.json == '{' else ''}{_write_json(child, gone)}"
        for child in part.children
        if (child, "whole") not in gone
    )
    return f"{part.json}{','.join(inside)}{'}' if part.json == '{' else ']'}"


def _own_size(part: TreePart) -> int:
    if part.json:
        return len(part.tag) + len(part.json) + 2
    if not part.tag:
        return sum(len(word) + 1 for word in part.words if word is not None)
    return 2 * len(part.tag) + 5 + sum(map(len, (*part.attributes, *part.attributes.values())))


def parts_of(root: TreePart) -> Iterator[TreePart]:
    """Yield all parts in document order."""
    stack = [root]
    while stack:
        part = stack.pop()
        yield part
        stack.extend(reversed(part.children))


def write_page(root: TreePart, gone: Collection[Unit] = ()) -> str:
    """Return the page as HTML, without some of its units."""
    pieces = ["<!DOCTYPE html>"]
    stack: list[TreePart | str] = [root]
    while stack:
        part = stack.pop()
        if isinstance(part, str):
            pieces.append(part)
        elif (part, "whole") in gone:
            continue
        elif part.json:
            pieces.append(_write_json(part, gone))
        elif not part.tag:
            words = (w for k, w in enumerate(part.words) if w is not None and (part, k) not in gone)
            is_raw = part.parent is not None and part.parent.tag in _RAW
            pieces.append(
                "".join(words) if is_raw else html_module.escape(" ".join(words), quote=False)
            )
        else:
            if (part, "tags") not in gone:
                attributes = "".join(
                    f' {name}="{html_module.escape(value)}"'
                    if value and (part, (name, "")) not in gone
                    else f" {name}"
                    for name, value in part.attributes.items()
                    if (part, (name,)) not in gone
                )
                pieces.append(f"<{part.tag}{attributes}>")
                if part.tag not in _EMPTY:
                    stack.append(f"</{part.tag}>")
            stack.extend(reversed(part.children))
    return "".join(pieces)


def pieces_of(html: str) -> list[str]:
    """Return tags, words and white space, which joined are the page again, however broken it is."""
    return _PIECE.findall(html)


class CuttableTree:
    """A page whose units are left out, group by group.

    Args:
        html: The page; raises `InputError` where it cannot be parsed.
        words: Words of the page: text and elements that they are in are not left out whole.
    """

    def __init__(self, html: str, words: Sequence[str] = ()) -> None:
        self._root = parse_page(html)
        self._needed = set(_with_ancestors(parts_saying(self._root, words)))

    def html(self, gone: Group = ()) -> str:
        """Return the page without a group."""
        return write_page(self._root, {unit for bundle in gone for unit in bundle})

    def around(self) -> Iterator[Group]:
        """Yield groups: all but the words, and ever larger elements around them."""
        chain = [part for part in parts_of(self._root) if part in self._needed]
        inner = next((k for k, part in enumerate(chain) if not part.tag), 0)
        for depth in range(inner, 0, -1):
            outside = [
                child
                for part in chain[:depth]
                for child in part.children
                if child not in self._needed
            ]
            for group in (outside, [part for part in outside if part.tag != "head"]):
                yield [[(part, "whole") for part in group]]

    def kinds(self) -> list[Group]:
        """Return groups of one kind each: elements of a tag, long lists, attributes, long texts."""
        tags, names = defaultdict[str, list[Unit]](list), defaultdict[str, list[Unit]](list)
        values = defaultdict[str, list[Unit]](list)
        ends: list[list[Unit]] = [[] for _ in _LENGTHS]
        lists: list[Unit] = []
        for part in parts_of(self._root):
            if part.tag and part not in self._needed and part.tag not in _FIXED:
                tags[part.tag].append((part, "whole"))
            for name in part.attributes:
                names[name].append((part, (name,)))
                values[name].append((part, (name, "")))
            if part not in self._needed:
                for k in range(_LENGTHS[0], len(part.words)):
                    ends[sum(k >= most for most in _LENGTHS) - 1].append((part, k))
            seen = defaultdict[str, int](int)
            for child in part.children:
                seen[child.tag] += 1
                if seen[child.tag] > _LONG and child not in self._needed:
                    lists.append((child, "whole"))
        return [[*tags.values()], [lists], [*names.values()], [*values.values()], ends]

    def thinned(self) -> list[Group]:
        """Return groups of every second child of each element, and the second half of each text.

        Their proportions stay, on which a decision may rest.
        """
        children, ends = list[list[Unit]](), list[list[Unit]]()
        for part in parts_of(self._root):
            spare = [child for child in part.children if child not in self._needed]
            children.append([(child, "whole") for child in spare[1::2]])
            if part not in self._needed:
                left = [k for k, word in enumerate(part.words) if word is not None]
                ends.append([(part, k) for k in left[(len(left) + 1) // 2 :]])
        both = [[each for each in group if each] for group in (children, ends)]
        return [group for group in ([*both[0], *both[1]], *both) if group]

    def units(self) -> list[Group]:
        """Return groups of all units: split on, they end at each of them."""
        every = [*parts_of(self._root)]
        wrappers: list[Unit] = [
            (part, "tags")
            for part in every
            if part.children and part.tag not in _FIXED | _RAW and not part.json
        ]
        attributes: list[Unit] = [(part, (name,)) for part in every for name in part.attributes]
        words: list[Bundle] = [[(part, k) for k in range(len(part.words))] for part in every]
        root: Bundle = [(part, "whole") for part in self._root.children]
        return [[root], [wrappers], [attributes], [bundle for bundle in words if bundle]]

    def split(self, group: Group) -> list[Group]:
        """Return the groups that a group consists of; none of the smallest."""
        if len(group) > 1:
            sizes = [sum(map(_size_of, bundle)) for bundle in group]
            at = _half(sizes)
            return [group[:at], group[at:]]
        bundle = [unit for unit in group[0] if _size_of(unit)]
        if len(bundle) > 1:
            at = _half([*map(_size_of, bundle)])
            return [[bundle[:at]], [bundle[at:]]]
        if bundle and bundle[0][1] == "whole" and bundle[0][0].children:
            return [[[(child, "whole") for child in bundle[0][0].children]]]
        return []

    def size(self, group: Group) -> int:
        """Return about how many characters a group still has; 0 if all of it is gone."""
        return sum(_size_of(unit) for bundle in group for unit in bundle)

    def may_go(self, group: Group) -> bool:
        """Whether a group has nothing that must stay."""
        return not any(
            what == "whole" and (part in self._needed or part.tag in _FIXED)
            for bundle in group
            for part, what in bundle
        )

    def remove(self, group: Group) -> None:
        """Leave a group out."""
        for part, what in (unit for bundle in group for unit in bundle):
            if isinstance(what, int):
                part.words[what] = None
            elif isinstance(what, tuple):
                if len(what) == 1:
                    part.attributes.pop(what[0], None)
                elif what[0] in part.attributes:
                    part.attributes[what[0]] = ""
            elif part.parent is not None and not part.is_gone:
                at = part.parent.children.index(part)
                kept = part.children if what == "tags" else []
                part.parent.children[at : at + 1] = kept
                for child in kept:
                    child.parent = part.parent
                for each in parts_of(part) if what == "whole" else (part,):
                    each.is_gone = True


def _size_of(unit: Unit) -> int:
    part, what = unit
    if part.is_gone:
        return 0
    if isinstance(what, int):
        word = part.words[what]
        return 0 if word is None else len(word) + 1
    if isinstance(what, tuple):
        value = part.attributes.get(what[0])
        if len(what) == 2:
            return len(value) + 3 if value else 0
        return 0 if value is None else len(what[0]) + len(value) + 4
    return part.size if what == "whole" else 2 * len(part.tag) + 5


def _half(sizes: Sequence[int]) -> int:
    """Return where to split, so that both sides have about the same size and neither is empty."""
    before, middle = 0, sum(sizes) / 2
    for at, size in enumerate(sizes):
        if before + size / 2 >= middle:
            return min(max(at, 1), len(sizes) - 1)
        before += size
    return len(sizes) - 1


def parts_saying(root: TreePart, words: Sequence[str]) -> list[TreePart]:
    """Return the texts that contain the first occurrence of some words."""
    said: list[tuple[str, TreePart]] = []
    for part in parts_of(root):
        text = " ".join(word for word in part.words if word is not None)
        if text and (part.parent is None or part.parent.tag not in _RAW | {"title"}):
            said += [(word, part) for word in words_of(normalise(text))]
    for at in range(len(said) - len(words) + 1) if words else ():
        if all(said[at + k][0] == word for k, word in enumerate(words)):
            return [part for _, part in said[at : at + len(words)]]
    return []


def _with_ancestors(parts: Iterable[TreePart]) -> Iterator[TreePart]:
    for part in parts:
        at: TreePart | None = part
        while at is not None:
            yield at
            at = at.parent
