"""Rule files of elISA: read, checked, compiled into stylesheets, applied to pages.

Source: F. Vitali, A. Di Iorio, E. V. Campori, "Rule-based Structural Analysis of Web Pages", DAS
2004; T. Gottron, dissertation 2008, section 3.2.6, whose Figure 3.2 shows a rule.  The form of the
rules is explained in ``resources/elisa/compile.xsl``.  Where all rules of a file can be asked of
columns (`rule_columns`), they are; the labels are the same.
"""

import itertools
import logging
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from lxml import etree

import resources
from algorithms.plugins.elisa.page_xml import NAME, as_xml, element_name
from algorithms.plugins.elisa.rule_columns import ColumnRule, column_rule, labels_by_columns
from algorithms.plugins.elisa.xpath_columns import NotColumnar
from algorithms.signals.tree_counts import nearest
from engine.errors import ParameterError
from engine.source import Source
from engine.tree import Bools

log = logging.getLogger(__name__)

NAMESPACE = "urn:pagelet:elisa"
LABEL = "elISAtype"

# Content and required attributes of an element.
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

_QUOTED = re.compile(r"""\"[^\"]*\"|'[^']*'""")
_VARIABLE = re.compile(r"\$\s*([\w.-]+)")
_FUNCTION = re.compile(r"(?<![\w.-])(?!and\b|or\b|div\b|mod\b)([A-Za-z_][\w.:-]*)\s*\(")
_KNOWN_FUNCTIONS = frozenset(
    "last position count id local-name namespace-uri name string concat starts-with contains "
    "substring-before substring-after substring string-length normalize-space translate boolean "
    "not true false lang number sum floor ceiling round node text comment processing-instruction "
    "current key document format-number generate-id system-property element-available "
    "function-available unparsed-entity-uri lc letters words".split()
)
"""What XPath and XSLT 1.0 know, and what rules have beside."""
_ONE_NAME = re.compile(rf"({NAME.pattern})(?:\[[^\[\]]*\])?")
_PATTERN_PIECE = re.compile(r""""[^"]*"|'[^']*'|.""", re.DOTALL)
_ATTRIBUTE = re.compile(r"@\s*([A-Za-z_][\w.-]*)")
_ANY_ATTRIBUTE = re.compile(r"@\s*[^\sA-Za-z_]|attribute\s*::|@\s*\w+\s*[(:]")
_DENY = etree.XSLTAccessControl.DENY_ALL


@dataclass(frozen=True, eq=False)
class RuleSheet:
    """A compiled file of rules.

    Attributes:
        transform: The stylesheet.
        reads: Names of the attributes that the rules read; None for any.
        columns: The same rules for columns; None where these cannot answer one of them.
    """

    transform: etree.XSLT
    reads: frozenset[str] | None
    columns: tuple[ColumnRule, ...] | None


def labels(source: Source, rules: str, name: str = "the rules") -> dict[int, str]:
    """Return row → label for the rows of the source's tree that a rule labels.

    Raises `ParameterError` with the fault in the rules and its line.
    """
    sheet = compile_sheet(rules, name)
    if sheet.columns is not None:
        try:
            result = labels_by_columns(source, sheet.columns)
            return {row: label for row, label in result.items() if label}
        except NotColumnar:
            log.debug("%s: the stylesheet is asked", name)
    return labels_by_sheet(source, sheet, name)


def labels_by_sheet(source: Source, sheet: RuleSheet, name: str = "the rules") -> dict[int, str]:
    """Return the same as `labels`, from the stylesheet whatever the rules are."""
    page = as_xml(source, sheet.reads)
    try:
        names = " ".join(["", *map(element_name, source.tree.names), ""])
        answer = sheet.transform(page, _names=etree.XSLT.strparam(names))
    except (etree.XSLTApplyError, ParameterError) as error:
        raise ParameterError(f"{name}: {_reason(error)}") from None
    result = {}
    for node in answer.getroot():
        label = node.get(LABEL)
        if label is not None:  # later rules overrule earlier ones
            result[int(str(node.get("row")))] = str(label)
    return {row: label for row, label in result.items() if label}


@lru_cache(maxsize=8)
def compile_sheet(rules: str, name: str = "the rules") -> RuleSheet:
    """Return the stylesheet that a rule file's text compiles to; `ParameterError` if broken."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
    try:
        tree = etree.fromstring(rules.encode("utf-8"), parser)
    except etree.XMLSyntaxError as error:
        line = error.lineno or 1
        raise ParameterError(f"{name}, line {line}: {_reason(error)}") from None
    _check(tree, name)
    reads = _reads(tree)
    columns = _column_rules(tree)
    _place_element(tree)
    try:
        sheet = _compiler()(etree.ElementTree(tree))
        transform = etree.XSLT(
            etree.fromstring(etree.tostring(sheet)), extensions=_FUNCTIONS, access_control=_DENY
        )
        return RuleSheet(transform, reads, columns)
    except (etree.XSLTParseError, etree.XSLTApplyError) as error:
        raise ParameterError(f"{name}: {_reason(error)}") from None


def _column_rules(rules: Any) -> tuple[ColumnRule, ...] | None:  # noqa: ANN401
    try:
        return tuple(
            column_rule(rule, _alternatives(str(rule.get("context"))), LABEL)
            for rule in rules.iterchildren("RULE")
        )
    except NotColumnar:
        return None


def _place_element(rules: Any) -> None:  # noqa: ANN401
    """Add a ``PLACE`` to each rule for each pattern of its context: where to look for elements.

    Looked up by `xsl:key` they would be found faster on small pages, but keys take quadratic time
    to build.  So the page is walked, if it has elements of the name that the place gives.
    """
    for rule in rules.iterchildren("RULE"):
        for pattern in _alternatives(str(rule.get("context"))):
            is_absolute = pattern.startswith(("/", "id(", "key("))
            select = pattern if is_absolute else f"//{pattern}"
            position = etree.SubElement(rule, "PLACE", select=select)
            if name := _ONE_NAME.fullmatch(pattern):
                position.set("name", name[1])


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
    """Return the attributes named in the expressions of a rule file; None if they may read any."""
    result = {"row"}
    for element in rules.iter(etree.Element):
        for expression in (*element.values(), element.text or ""):
            if _ANY_ATTRIBUTE.search(expression):
                return None
            result.update(_ATTRIBUTE.findall(expression))
            result.update(name for name in ("letters", "words") if f"{name}(" in expression)
    return frozenset(result)


def _check(tree: Any, name: str) -> None:  # noqa: ANN401
    """Raise `ParameterError` with the line of the first element that is out of place."""
    if tree.tag != "RULES":
        raise ParameterError(
            f"{name}, line {tree.sourceline}: the root must be RULES, got {tree.tag}"
        )
    for element in tree.iter(etree.Element):
        where = f"{name}, line {element.sourceline}"
        tag = str(element.tag)
        for child in element.iterchildren(etree.Element):
            if child.tag not in _CHILDREN.get(tag, ()):
                raise ParameterError(
                    f"{name}, line {child.sourceline}: {child.tag} cannot be in {tag}"
                )
        for attribute in _REQUIRED.get(tag, ()):
            if not (element.get(attribute) or "").strip():
                raise ParameterError(f"{where}: {tag} needs {attribute}")
        expression = element.text if tag == "SET" else element.get(_EXPRESSIONS.get(tag, "-"))
        if tag == "SET" and not (expression or "").strip():
            raise ParameterError(f'{where}: SET needs a value, such as "content" in quotes')
        for attribute in ("name", "attr"):
            if attribute in element.attrib and not NAME.fullmatch(element.get(attribute) or ""):
                raise ParameterError(f"{where}: {element.get(attribute)!r} is not a name")
        if expression is not None:
            _check_expression(str(expression), where)
            _check_words(str(expression), _variables(element), where)
        if tag == "RULE":
            _check_expression(str(element.get("context")), where)


def _check_expression(expression: str, where: str) -> None:
    try:
        etree.XPath(expression)
    except etree.XPathSyntaxError as error:
        raise ParameterError(
            f"{where}: {expression!r} is not an XPath ({_reason(error)})"
        ) from None


def _variables(element: Any) -> set[str]:  # noqa: ANN401
    """Return the names given by the CALLs before an element of a rule."""
    rule = next(element.iterancestors("RULE"), None)
    if rule is None:
        return set()
    before = itertools.takewhile(
        lambda child: child is not element and element not in child.iterdescendants(),
        rule.iterchildren(etree.Element),
    )
    return {child.get("name") for child in before if child.tag == "CALL"}


def _check_words(expression: str, variables: set[str], where: str) -> None:
    """Refuse variables and functions that do not exist, which XPath tells only when it runs."""
    bare = _QUOTED.sub("''", expression)
    for name in _VARIABLE.findall(bare):
        if name not in variables:
            raise ParameterError(f"{where}: no CALL before it gives ${name}")
    for name in _FUNCTION.findall(bare):
        if name not in _KNOWN_FUNCTIONS:
            raise ParameterError(f"{where}: there is no function {name}()")


@lru_cache(maxsize=1)
def _compiler() -> etree.XSLT:
    sheet = resources.read_text("elisa/compile.xsl").encode("utf-8")
    return etree.XSLT(etree.fromstring(sheet), access_control=_DENY)


def _reason(error: Exception) -> str:
    # lxml repeats the place, and names the file "<string>"
    text = re.sub(r"(, line \d+, column \d+)?( \(<string>, line \d+\))?$", "", str(error))
    return " ".join(text.split()) or type(error).__name__


def _string(value: Any) -> str:  # noqa: ANN401
    """Return XPath's string() of a value."""
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


def _function(name: str, call: Callable[[Any], str | float]) -> Callable[..., str | float]:
    def called(_context: object, *values: Any) -> str | float:  # noqa: ANN401
        if len(values) != 1:
            raise ParameterError(f"{name}() is given {len(values)} values; expected one")
        return call(values[0])

    return called


_FUNCTIONS: Any = {  # lxml's stubs want a class of theirs
    (NAMESPACE, name): _function(name, call)
    for name, call in (
        ("lc", lambda value: _string(value).lower()),
        ("letters", lambda value: _total(value, "letters")),
        ("words", lambda value: _total(value, "words")),
    )
}


def rows_labelled(source: Source, given: dict[int, str], label: str) -> Bools:
    """Return which rows carry a label, their own or that of the nearest row above, bool (n,)."""
    rows = np.fromiter(given, np.int64, len(given))
    has_label, is_labelled = np.zeros((2, len(source.tree)), dtype=bool)
    has_label[rows] = True
    is_labelled[rows] = [own == label for own in given.values()]
    return np.asarray(is_labelled[nearest(source.tree, has_label)], dtype=bool)
