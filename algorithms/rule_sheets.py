"""Rule files of elISA: read, checked, compiled into stylesheets, applied to pages.

Source: F. Vitali, A. Di Iorio, E. V. Campori, "Rule-based Structural Analysis of Web Pages", DAS
2004; T. Gottron, dissertation 2008, section 3.2.6, whose Figure 3.2 shows a rule.  The form of the
rules is explained in ``resources/elisa/compile.xsl``.
"""

import re
from functools import lru_cache
from typing import Any

import numpy as np
from lxml import etree

import resources
from algorithms.source_rows import Counts, below, letters, links, nearest
from engine.errors import InputError
from engine.source import Source
from engine.tree import BLOCK_TAGS

NAMESPACE = "urn:pagelet:elisa"
LABEL = "elISAtype"

COUNTED = ("row", "letters", "words", "links", "linked", "paragraphs", "own", "ownlinked")
"""Attributes rules may use beside the page's own: the row; letters, words and links at or below the
element; letters in links, and in paragraphs; letters in no block-level element inside this one, and
those of them in links.  ``names`` holds id, class and role in small letters."""

# What an element may hold and must say.
_CHILDREN = {
    "RULES": {"RULE"},
    "RULE": {"CALL", "CHECK"},
    "CALL": set(),
    "CHECK": {"WHENEVER", "OTHERWISE"},
    "WHENEVER": {"SET"},
    "OTHERWISE": {"SET"},
    "SET": set(),
}
_REQUIRED = {
    "RULE": ("context",),
    "CALL": ("name", "select"),
    "WHENEVER": ("test",),
    "SET": ("attr",),
}
_EXPRESSIONS = {"CALL": "select", "WHENEVER": "test"}

_NAME = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_COMMON = frozenset("id class href src style alt title name type value rel width height".split())
_NAMING = ("id", "class", "role")
_DENY = etree.XSLTAccessControl.DENY_ALL


def labels(source: Source, rules: str, name: str = "the rules") -> dict[int, str]:
    """Return row → label for the rows of the source's tree that a rule labels.

    `InputError` says what is wrong with the rules, and in which line.
    """
    sheet = compiled(rules, name)
    page = as_xml(source)
    try:
        answer = sheet(page)
    except etree.XSLTApplyError as error:
        raise InputError(f"{name}: {_reason(error)}") from None
    found = {}
    for node in answer.getroot():
        label = node.get(LABEL)
        if label:
            found[int(str(node.get("row")))] = str(label)
    return found


@lru_cache(maxsize=8)
def compiled(rules: str, name: str = "the rules") -> etree.XSLT:
    """Return the stylesheet that a rule file's text compiles to; `InputError` if it is broken."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
    try:
        tree = etree.fromstring(rules.encode("utf-8"), parser)
    except etree.XMLSyntaxError as error:
        line = error.lineno or 1
        raise InputError(f"{name}, line {line}: {_reason(error)}") from None
    _check(tree, name)
    try:
        sheet = _compiler()(etree.ElementTree(tree))
        return etree.XSLT(
            etree.fromstring(etree.tostring(sheet)), extensions=_FUNCTIONS, access_control=_DENY
        )
    except (etree.XSLTParseError, etree.XSLTApplyError) as error:
        raise InputError(f"{name}: {_reason(error)}") from None


def as_xml(source: Source) -> Any:  # noqa: ANN401  (lxml's element tree)
    """Return the source's tree as XML, with what was counted on it as attributes.

    Element names are in capitals, attribute names in small letters; an attribute of the page named
    like one of `COUNTED` gives way.
    """
    tree = source.tree
    names = [_xml_name(name).upper() for name in tree.names]
    columns = [
        map(str, range(len(tree))),
        *(map(str, column.tolist()) for column in _counts(source)),
    ]
    elements: list[Any] = []
    last: dict[int, Any] = {}  # the last child of each element that has one
    rows = zip(
        tree.tag.tolist(), tree.parent.tolist(), tree.is_text.tolist(), zip(*columns, strict=True),
        strict=True,
    )  # fmt: skip
    for row, (tag, parent, is_text, counted) in enumerate(rows):
        if is_text:
            elements.append(None)
            _add_text(elements[parent], last.get(parent), tree.text[row])
            continue
        values = {k: v for k, v in source.attributes(row).items() if k in _COMMON or _is_name(k)}
        values["names"] = " ".join([values.get(key, "") for key in _NAMING]).lower().strip()
        values.update(zip(COUNTED, counted, strict=True))
        above = elements[parent] if parent >= 0 else None
        try:
            element = _element(above, names[tag], values)
        except ValueError:  # a character XML does not know
            values = {name: _NO_XML.sub(" ", value) for name, value in values.items()}
            element = _element(above, names[tag], values)
        elements.append(element)
        last[parent] = element
    return etree.ElementTree(elements[0])


def _element(parent: Any, name: str, values: dict[str, str]) -> Any:  # noqa: ANN401
    if parent is None:
        return etree.Element(name, values)
    return etree.SubElement(parent, name, values)


def _add_text(parent: Any, last: Any, text: str) -> None:  # noqa: ANN401
    """Put a text after an element's last child, or first in it."""
    if _NO_XML.search(text):
        text = _NO_XML.sub(" ", text)
    if last is None:
        parent.text = (parent.text or "") + text
    else:
        last.tail = (last.tail or "") + text


def _counts(source: Source) -> list[Counts]:
    """The columns of `COUNTED` but the first, each (n,)."""
    tree = source.tree
    size = letters(source)
    is_link = links(source)
    texts = np.flatnonzero(tree.is_text)
    linked = np.zeros(len(tree), dtype=np.int64)
    linked[texts] = size[texts] * below(source, is_link)[texts]
    paragraphs = np.zeros(len(tree), dtype=np.int64)
    paragraphs[texts] = size[texts] * tree.within("p")[texts]
    home = nearest(tree, tree.has_tag(*BLOCK_TAGS))[texts]
    n = len(tree)
    return [
        size,
        (tree.words[:, 1] - tree.words[:, 0]).astype(np.int64),
        tree.subtree_sum(is_link).astype(np.int64),
        tree.subtree_sum(linked).astype(np.int64),
        tree.subtree_sum(paragraphs).astype(np.int64),
        np.bincount(home, size[texts], minlength=n).astype(np.int64),
        np.bincount(home, linked[texts], minlength=n).astype(np.int64),
    ]


def _is_name(name: str) -> bool:
    return _NAME.fullmatch(name) is not None


def _xml_name(name: str) -> str:
    if name == "#text" or _is_name(name):
        return name
    return "_" + re.sub(r"[^A-Za-z0-9_.-]", "_", name)


def _check(tree: Any, name: str) -> None:  # noqa: ANN401
    """Raise `InputError` with the line of the first element that is out of place."""
    if tree.tag != "RULES":
        raise InputError(f"{name}, line {tree.sourceline}: the root is {tree.tag}, want RULES")
    for element in tree.iter(etree.Element):
        where = f"{name}, line {element.sourceline}"
        tag = str(element.tag)
        for child in element.iterchildren(etree.Element):
            if child.tag not in _CHILDREN.get(tag, ()):
                raise InputError(f"{name}, line {child.sourceline}: {child.tag} cannot be in {tag}")
        for attribute in _REQUIRED.get(tag, ()):
            if not (element.get(attribute) or "").strip():
                raise InputError(f"{where}: {tag} needs {attribute}")
        expression = element.text if tag == "SET" else element.get(_EXPRESSIONS.get(tag, "-"))
        if tag == "SET" and not (expression or "").strip():
            raise InputError(f'{where}: SET needs a value, such as "content" in quotes')
        for attribute in ("name", "attr"):
            if attribute in element.attrib and not _NAME.fullmatch(element.get(attribute) or ""):
                raise InputError(f"{where}: {element.get(attribute)!r} is no name")
        if expression is not None:
            _check_expression(str(expression), where)
        if tag == "RULE":
            _check_expression(str(element.get("context")), where)


def _check_expression(expression: str, where: str) -> None:
    try:
        etree.XPath(expression)
    except etree.XPathSyntaxError as error:
        raise InputError(f"{where}: {expression!r} is no XPath ({_reason(error)})") from None


@lru_cache(maxsize=1)
def _compiler() -> etree.XSLT:
    sheet = resources.read_text("elisa/compile.xsl").encode("utf-8")
    return etree.XSLT(etree.fromstring(sheet), access_control=_DENY)


def _reason(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__


def _string(value: Any) -> str:  # noqa: ANN401
    """What XPath's string() makes of a value."""
    if isinstance(value, list):
        if not value:
            return ""
        first = value[0]
        return first if isinstance(first, str) else "".join(first.itertext())
    return str(value)


def _total(value: Any, counted: str) -> float:  # noqa: ANN401
    """Letters or words in nodes: elements have them counted."""
    total = 0
    for node in value if isinstance(value, list) else [str(value)]:
        if isinstance(node, str):
            words = node.split()
            total += len(words) if counted == "words" else sum(map(len, words))
        else:
            total += int(node.get(counted) or 0)
    return float(total)


def _lc(_context: object, value: Any) -> str:  # noqa: ANN401
    return _string(value).lower()


def _letters(_context: object, value: Any) -> float:  # noqa: ANN401
    return _total(value, "letters")


def _words(_context: object, value: Any) -> float:  # noqa: ANN401
    return _total(value, "words")


_FUNCTIONS: Any = {  # lxml's stubs want a class of theirs
    (NAMESPACE, "lc"): _lc,
    (NAMESPACE, "letters"): _letters,
    (NAMESPACE, "words"): _words,
}


def inherited(source: Source, given: dict[int, str]) -> np.ndarray[tuple[int], np.dtype[np.str_]]:
    """Return the label of every row: its own, or that of the nearest row above, "" for none."""
    found: list[str] = []
    for row, parent in enumerate(source.tree.parent.tolist()):
        own = given.get(row)
        found.append(own if own is not None else found[parent] if parent >= 0 else "")
    return np.array(found)
