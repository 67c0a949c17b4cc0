"""Rule files of elISA: read, checked, compiled into stylesheets, applied to pages.

Source: F. Vitali, A. Di Iorio, E. V. Campori, "Rule-based Structural Analysis of Web Pages", DAS
2004; T. Gottron, dissertation 2008, section 3.2.6, whose Figure 3.2 shows a rule.  The form of the
rules is explained in ``resources/elisa/compile.xsl``.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from html import unescape
from typing import Any

import numpy as np
from lxml import etree

import resources
from algorithms.source_rows import Counts, block_of, letters, linked, links, nearest
from engine.errors import InputError
from engine.source import Source
from engine.tokenise import attributes
from engine.tree import TEXT, Bools

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
# What stands in XML as a character reference, or not at all.
_NO_TEXT = re.compile("[^\t\n -%'-;=?-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NO_VALUE = re.compile("[^ !#-%'-;=?-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_PATTERN_PIECE = re.compile(r""""[^"]*"|'[^']*'|.""", re.DOTALL)
_ATTRIBUTE = re.compile(r"@\s*([A-Za-z_][\w.-]*)")
_ANY_ATTRIBUTE = re.compile(r"@\s*[^\sA-Za-z_]|attribute\s*::|@\s*\w+\s*[(:]")
_DEEPEST_PARSED = 1000
_NAMING = ("id", "class", "role")
_DENY = etree.XSLTAccessControl.DENY_ALL


@dataclass(frozen=True, eq=False)
class Sheet:
    """A compiled file of rules.

    Attributes:
        transform: The stylesheet.
        reads: Names of the attributes that the rules read; None for any.
    """

    transform: etree.XSLT
    reads: frozenset[str] | None


def labels(source: Source, rules: str, name: str = "the rules") -> dict[int, str]:
    """Return row → label for the rows of the source's tree that a rule labels.

    `InputError` says what is wrong with the rules, and in which line.
    """
    sheet = compiled(rules, name)
    page = as_xml(source, sheet.reads)
    try:
        answer = sheet.transform(page)
    except etree.XSLTApplyError as error:
        raise InputError(f"{name}: {_reason(error)}") from None
    found = {}
    for node in answer.getroot():
        label = node.get(LABEL)
        if label is not None:  # later rules overrule earlier ones
            found[int(str(node.get("row")))] = str(label)
    return {row: label for row, label in found.items() if label}


@lru_cache(maxsize=8)
def compiled(rules: str, name: str = "the rules") -> Sheet:
    """Return the stylesheet that a rule file's text compiles to; `InputError` if it is broken."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
    try:
        tree = etree.fromstring(rules.encode("utf-8"), parser)
    except etree.XMLSyntaxError as error:
        line = error.lineno or 1
        raise InputError(f"{name}, line {line}: {_reason(error)}") from None
    _check(tree, name)
    reads = _reads(tree)
    _place(tree)
    try:
        sheet = _compiler()(etree.ElementTree(tree))
        transform = etree.XSLT(
            etree.fromstring(etree.tostring(sheet)), extensions=_FUNCTIONS, access_control=_DENY
        )
        return Sheet(transform, reads)
    except (etree.XSLTParseError, etree.XSLTApplyError) as error:
        raise InputError(f"{name}: {_reason(error)}") from None


def _place(rules: Any) -> None:  # noqa: ANN401
    """Give each rule a ``PLACE`` for each pattern of its context: where to look for elements."""
    for rule in rules.iterchildren("RULE"):
        for pattern in _alternatives(str(rule.get("context"))):
            if _NAME.fullmatch(pattern):
                select = f"key('elisa:named', '{pattern}')"
            elif pattern.startswith(("/", "id(", "key(")):
                select = pattern
            else:
                select = f"//{pattern}"
            etree.SubElement(rule, "PLACE", select=select)


def _alternatives(pattern: str) -> list[str]:
    """Cut a pattern at each ``|`` outside of quotes and brackets."""
    parts = [""]
    depth = 0
    for piece in _PATTERN_PIECE.findall(pattern):
        depth += (piece in ("[", "(")) - (piece in ("]", ")"))
        if piece == "|" and depth == 0:
            parts.append("")
        else:
            parts[-1] += piece
    return [part.strip() for part in parts]


def _reads(rules: Any) -> frozenset[str] | None:  # noqa: ANN401
    """Which attributes the expressions of a file of rules name; None if they may read any."""
    found = {"row"}
    for element in rules.iter(etree.Element):
        for expression in (*element.values(), element.text or ""):
            if _ANY_ATTRIBUTE.search(expression):
                return None
            found.update(_ATTRIBUTE.findall(expression))
            found.update(name for name in ("letters", "words") if f"{name}(" in expression)
    return frozenset(found)


def as_xml(source: Source, reads: frozenset[str] | None = None) -> Any:  # noqa: ANN401
    """Return the source's tree as XML, with what was counted on it as attributes: an element tree.

    Element names are in capitals, attribute names in small letters; an attribute of the page named
    like one of `COUNTED` gives way.  Only the attributes in ``reads`` are there, if it is given.
    It is written as text and parsed, four times as fast as lxml builds trees from Python; the
    parser refuses trees deeper than `_DEEPEST_PARSED`, which are built.
    """
    if int(source.tree.depth.max()) > _DEEPEST_PARSED:
        return _built(source, reads)
    parser = etree.XMLParser(
        huge_tree=True, resolve_entities=False, no_network=True, collect_ids=False
    )
    return etree.ElementTree(etree.fromstring(_written(source, reads), parser))


def _written(source: Source, reads: frozenset[str] | None) -> bytes:
    tree = source.tree
    tags = [_xml_name(name).upper() for name in tree.names]
    counted = [name for name in COUNTED if reads is None or name in reads]
    columns = _counts(source)
    values = zip(*(columns[name].tolist() for name in counted), strict=True)
    text_tag = tree.names.index(TEXT)
    opening = "".join([f' {name}="%d"' for name in counted])
    pieces: list[str] = []
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
        values_given = given.get(row)
        more = _as_markup(values_given) if values_given else ""
        if end == row + 1:
            pieces.append(f"<{name}{opening % numbers}{more}/>")
        else:
            pieces.append(f"<{name}{opening % numbers}{more}>")
            open_tags.append((end, f"</{name}>"))
    pieces += [closing for _, closing in reversed(open_tags)]
    return "".join(pieces).encode("utf-8")


def _attributes(source: Source, reads: frozenset[str] | None) -> dict[int, dict[str, str]]:
    """The attributes of each row that has some, without those that are counted."""
    tree, tokens, html = source.tree, source.tokens, source.html
    with_names = reads is None or "names" in reads
    known: dict[str, dict[str, str]] = {}
    found = {}
    rows = np.flatnonzero(tree.token >= 0)
    token = tree.token[rows]
    spans = zip(tokens.start[token].tolist(), tokens.end[token].tolist(), strict=True)
    for row, (start, end) in zip(rows.tolist(), spans, strict=True):
        tag = html[start:end]
        values = known.get(tag)
        if values is None:
            values = {k: unescape(v) for k, v in attributes(tag, 0, len(tag)).items()}
            names = " ".join([values.get(key, "") for key in _NAMING]).lower().strip()
            values = {
                name: value
                for name, value in values.items()
                if (_is_name(name) if reads is None else name in reads)
                and name not in COUNTED
                and name != "xmlns"
            }
            if with_names:
                values["names"] = names
            known[tag] = values
        found[row] = values
    if with_names:
        for row in np.flatnonzero((tree.token < 0) & ~tree.is_text).tolist():
            found[row] = {"names": ""}
    return found


def _as_markup(values: dict[str, str]) -> str:
    return "".join(
        [f' {name}="{_NO_VALUE.sub(_reference, value)}"' for name, value in values.items()]
    )


def _reference(match: re.Match[str]) -> str:
    letter = match[0]
    return " " if _NO_XML.match(letter) else f"&#{ord(letter)};"


def _built(source: Source, reads: frozenset[str] | None) -> Any:  # noqa: ANN401
    """The same tree, element by element."""
    tree = source.tree
    names = [_xml_name(name).upper() for name in tree.names]
    counted = [name for name in COUNTED if reads is None or name in reads]
    columns = _counts(source)
    numbers = zip(*(map(str, columns[name].tolist()) for name in counted), strict=True)
    given = _attributes(source, reads)
    text_tag = tree.names.index(TEXT)
    elements: list[Any] = []
    last: dict[int, Any] = {}  # the last child of each element that has one
    rows = zip(tree.tag.tolist(), tree.parent.tolist(), tree.text, numbers, strict=True)
    for row, (tag, parent, text, values) in enumerate(rows):
        if tag == text_tag:
            elements.append(None)
            _add_text(elements[parent], last.get(parent), _NO_XML.sub(" ", text))
            continue
        more = {name: _NO_XML.sub(" ", value) for name, value in given.get(row, {}).items()}
        above = elements[parent] if parent >= 0 else None
        element = _element(above, names[tag], dict(zip(counted, values, strict=True)) | more)
        elements.append(element)
        last[parent] = element
    return etree.ElementTree(elements[0])


def _element(parent: Any, name: str, values: dict[str, str]) -> Any:  # noqa: ANN401
    if parent is None:
        return etree.Element(name, values)
    return etree.SubElement(parent, name, values)


def _add_text(parent: Any, last: Any, text: str) -> None:  # noqa: ANN401
    """Put a text after an element's last child, or first in it."""
    if last is None:
        parent.text = (parent.text or "") + text
    else:
        last.tail = (last.tail or "") + text


def _counts(source: Source) -> dict[str, Counts]:
    """The columns of `COUNTED`, each (n,)."""
    tree = source.tree
    n = len(tree)
    size = letters(source)
    texts = np.flatnonzero(tree.is_text)
    in_links = np.zeros(n, dtype=np.int64)
    in_links[texts] = size[texts] * linked(source)[texts]
    paragraphs = np.zeros(n, dtype=np.int64)
    paragraphs[texts] = size[texts] * tree.within("p")[texts]
    home = block_of(source)[texts]
    return {
        "row": np.arange(n),
        "letters": size,
        "words": (tree.words[:, 1] - tree.words[:, 0]).astype(np.int64),
        "links": tree.subtree_sum(links(source)).astype(np.int64),
        "linked": tree.subtree_sum(in_links).astype(np.int64),
        "paragraphs": tree.subtree_sum(paragraphs).astype(np.int64),
        "own": np.bincount(home, size[texts], minlength=n).astype(np.int64),
        "ownlinked": np.bincount(home, in_links[texts], minlength=n).astype(np.int64),
    }


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


def rows_labelled(source: Source, given: dict[int, str], label: str) -> Bools:
    """Return which rows carry a label, their own or that of the nearest row above, bool (n,)."""
    rows = np.fromiter(given, np.int64, len(given))
    has_label = np.zeros(len(source.tree), dtype=bool)
    has_label[rows] = True
    wanted = np.zeros(len(source.tree), dtype=bool)
    wanted[rows] = [own == label for own in given.values()]
    return np.asarray(wanted[nearest(source.tree, has_label)], dtype=bool)
