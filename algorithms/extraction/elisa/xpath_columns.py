"""The part of XPath that rules are mostly written in, evaluated for all elements at once.

Rules mean what the stylesheet says that they compile to (`rule_sheets`).  Writing a page as XML,
parsing and transforming it takes three times as long as reading the same from columns of the
source's tree, so what can be read there is: comparisons of counted attributes, names, the nearest
siblings, children, ancestors as a condition, and some functions of strings.  `compiled` refuses all
else (`Beyond`), and then the stylesheet answers.

An expression becomes a function of element rows, (r,) → one value for each.  ``and`` and ``or`` ask
their right side of the rows only that the left side leaves open.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from operator import eq, ge, gt, le, lt

import numpy as np

from algorithms.extraction.elisa.columns import Columns, Numbers, Rows, Strings, joined
from algorithms.extraction.elisa.page_xml import COUNTED
from engine.tree import Bools


class Beyond(Exception):
    """An expression needs more than columns."""


Condition = Callable[[Columns, Rows], Bools]
Value = Callable[[Columns, Rows], Numbers]
Texts = Callable[[Columns, Rows], Strings]
Steps = Callable[[Columns, Rows], tuple[Rows, Rows]]
"""Rows → nodes found from them: which of the rows each is found from, ascending; and its row."""


@dataclass(frozen=True, eq=False)
class Expression:
    """A compiled expression: of what it is, what there is is set.

    Attributes:
        condition: What it is as a truth value.
        number: What it is as a number, NaN where it is none.
        strings: What it is as a string.
        is_nodes: Whether it is a set of nodes, of which ``number`` is the only one's.
        is_text: Whether it is the text of the element itself.
        literal: The string that it is.
        is_attribute: Whether it is one attribute of the element itself, give or take letter case
            and white space.
    """

    condition: Condition | None = None
    number: Value | None = None
    strings: Texts | None = None
    is_nodes: bool = False
    is_text: bool = False
    literal: str | None = None
    is_attribute: bool = False


@lru_cache(maxsize=256)
def _scan(expression: str) -> tuple[str, ...]:
    found = []
    end = 0
    for match in _TOKEN.finditer(expression):
        if expression[end : match.start()].strip():
            raise Beyond
        found.append(match[0])
        end = match.end()
    if expression[end:].strip():
        raise Beyond
    return tuple(found)


_TOKEN = re.compile(
    r""""[^"]*"|'[^']*'|\d+(?:\.\d+)?|\$[A-Za-z_][\w.-]*|[A-Za-z_][\w.-]*|::|<=|>=|!=|[@.*/()\[\],=<>$|+-]"""
)
_NAME = re.compile(r"[A-Za-z_][\w.-]*")
_COMPARED: dict[str, Callable[..., Bools]] = {"<": lt, "<=": le, ">": gt, ">=": ge, "=": eq}
_SIBLINGS = ("preceding-sibling", "following-sibling")


def compiled(expression: str, variables: Mapping[str, Expression]) -> Expression:
    """Compile an expression; `Beyond` if columns cannot answer it."""
    return _Parser(expression, variables).whole()


def condition(expression: str, variables: Mapping[str, Expression]) -> Condition:
    """Compile an expression that says yes or no; `Beyond` if columns cannot answer it."""
    return _truth(compiled(expression, variables))


class _Parser:
    """Recursive descent over the tokens of one expression."""

    def __init__(self, expression: str, variables: Mapping[str, Expression]) -> None:
        self._tokens = [*_scan(expression), ""]
        self._at = 0
        self._variables = variables

    def whole(self) -> Expression:
        found = self._or()
        if self._next:
            raise Beyond
        return found

    @property
    def _next(self) -> str:
        return self._tokens[self._at]

    def _take(self, *wanted: str) -> str:
        token = self._tokens[self._at]
        if wanted and token not in wanted:
            return ""
        self._at += bool(token)
        return token

    def _want(self, token: str) -> None:
        if not self._take(token):
            raise Beyond

    def _or(self) -> Expression:
        left = self._and()
        while self._take("or"):
            left = Expression(partial(_either, _truth(left), _truth(self._and())))
        return left

    def _and(self) -> Expression:
        left = self._compared()
        while self._take("and"):
            left = Expression(partial(_both, _truth(left), _truth(self._compared())))
        return left

    def _compared(self) -> Expression:
        left = self._product()
        sign = self._take(*_COMPARED)
        if not sign:
            return left
        right = self._product()
        if self._next in (*_COMPARED, "!="):
            raise Beyond
        if left.number is not None and right.number is not None:
            return Expression(partial(_compare, _COMPARED[sign], left.number, right.number))
        is_string = left.strings is not None and not left.is_nodes and right.literal is not None
        if sign == "=" and is_string and left.strings is not None and right.strings is not None:
            return Expression(partial(_tested, eq, left.strings, right.strings))
        raise Beyond

    def _product(self) -> Expression:
        left = self._primary()
        while self._take("*"):
            right = self._primary()
            if left.number is None or right.number is None:
                raise Beyond
            left = Expression(number=partial(_times, left.number, right.number))
        return left

    def _primary(self) -> Expression:
        token = self._next
        after = self._tokens[self._at + 1] if token else ""
        if token[:1] in ("'", '"'):
            self._take()
            return _literal(token[1:-1])
        if token[:1].isdigit():
            self._take()
            return Expression(number=partial(_constant, float(token)))
        if token == "(":
            self._take()
            found = self._or()
            self._want(")")
            return found
        if token.startswith("$"):
            self._take()
            if token[1:] not in self._variables:
                raise Beyond
            return self._variables[token[1:]]
        if _NAME.fullmatch(token) and after == "(":
            return self._function()
        return self._path()

    def _function(self) -> Expression:
        name = self._take()
        self._want("(")
        given = []
        while self._next != ")":
            given.append(self._or())
            if not self._take(","):
                break
        self._want(")")
        return _called(name, given)

    def _path(self) -> Expression:
        """``./`` steps ``/@attribute``; the text of the element; steps alone, as a condition."""
        if self._take("."):
            if not self._take("/"):
                return Expression(strings=_own_text, is_nodes=True, is_text=True)
            if self._next != "@":
                raise Beyond
        steps: list[Steps] = []
        while self._next != "@":
            if self._take("ancestor"):
                if steps:
                    raise Beyond
                self._want("::")
                return Expression(partial(_has_ancestor, self._name()), is_nodes=True)
            steps += self._step(is_first=not steps)
            if not self._take("/"):
                return Expression(partial(_leads_somewhere, steps), is_nodes=True)
        self._take("@")
        name = self._name()
        if self._next in ("/", "["):
            raise Beyond
        if name not in COUNTED:
            return Expression(
                partial(_has_attribute, steps, name),
                strings=partial(_attribute_of, steps, name),
                is_nodes=True,
                is_attribute=not steps,
            )
        return Expression(number=partial(_counted_of, steps, name), is_nodes=True)

    def _name(self) -> str:
        token = self._take()
        if not _NAME.fullmatch(token):
            raise Beyond
        return token

    def _step(self, *, is_first: bool) -> list[Steps]:
        token = self._take()
        if token in _SIBLINGS:
            self._want("::")
            name = self._take()
            if name != "*" and not _NAME.fullmatch(name):
                raise Beyond
            self._want("[")
            number = self._take()
            if not number.isdigit():
                raise Beyond
            self._want("]")
            found: list[Steps] = [partial(_to_sibling, token, name, int(number))]
        elif is_first and _NAME.fullmatch(token) and self._next != "::":
            found = [partial(_to_children, token)]
        else:
            raise Beyond
        while self._take("["):
            self._want("self")
            self._want("::")
            found.append(partial(_that_are, self._name()))
            self._want("]")
        return found


def _called(name: str, given: list[Expression]) -> Expression:
    """A function's value; those that are not here, and other numbers of arguments, are beyond."""
    if name in ("true", "false") and not given:
        return Expression(partial(_always, name == "true"))
    if name == "not" and len(given) == 1:
        return Expression(partial(_not, _truth(given[0])))
    if name == "contains" and len(given) == 2 and given[0].is_text and given[1].literal:
        return Expression(partial(_says, given[1].literal))
    strings = [part.strings for part in given if part.strings is not None]
    if len(strings) != len(given):
        raise Beyond
    if name in _TESTS and len(given) == 2:
        tested = partial(_tested, _TESTS[name], strings[0], strings[1])
        word = (given[1].literal or "").strip().lower()
        if given[0].is_attribute and word.isascii() and word.isalnum():
            return Expression(partial(_where_it_may, word, tested))
        return Expression(tested)
    if name in _MADE and len(given) == 1:
        made = partial(_made, _MADE[name], strings[0])
        return Expression(strings=made, is_attribute=given[0].is_attribute)
    if name == "concat" and len(given) >= 2:
        others = [part for part in given if part.literal is None or part.literal.strip()]
        is_attribute = len(others) == 1 and others[0].is_attribute
        return Expression(strings=partial(_joined, strings), is_attribute=is_attribute)
    raise Beyond


def _normalised(text: str) -> str:
    return re.sub("[ \t\r\n]+", " ", text).strip(" ")


_TESTS: dict[str, Callable[[str, str], bool]] = {
    "contains": str.__contains__,
    "starts-with": str.startswith,
}
_MADE: dict[str, Callable[[str], str]] = {"lc": str.lower, "normalize-space": _normalised}


def _truth(expression: Expression) -> Condition:
    if expression.condition is None:  # of strings and numbers: nobody writes that
        raise Beyond
    return expression.condition


# What expressions do with columns ------------------------------------------------------------


def _literal(text: str) -> Expression:
    def strings(_columns: Columns, rows: Rows) -> Strings:
        return Strings([text], np.zeros(rows.size, dtype=np.int64))

    return Expression(strings=strings, literal=text)


def _constant(value: float, _columns: Columns, rows: Rows) -> Numbers:
    return np.full(rows.size, value)


def _always(value: bool, _columns: Columns, rows: Rows) -> Bools:
    return np.full(rows.size, value)


def _not(of: Condition, columns: Columns, rows: Rows) -> Bools:
    return ~of(columns, rows)


def _both(left: Condition, right: Condition, columns: Columns, rows: Rows) -> Bools:
    found = left(columns, rows).copy()
    found[found] = right(columns, rows[found])
    return found


def _either(left: Condition, right: Condition, columns: Columns, rows: Rows) -> Bools:
    found = left(columns, rows).copy()
    found[~found] = right(columns, rows[~found])
    return found


def _compare(
    sign: Callable[..., Bools], left: Value, right: Value, columns: Columns, rows: Rows
) -> Bools:
    return np.asarray(sign(left(columns, rows), right(columns, rows)), dtype=bool)


def _times(left: Value, right: Value, columns: Columns, rows: Rows) -> Numbers:
    return left(columns, rows) * right(columns, rows)


def _tested(
    test: Callable[[str, str], bool], left: Texts, right: Texts, columns: Columns, rows: Rows
) -> Bools:
    return left(columns, rows).which(test, right(columns, rows))


def _where_it_may(word: str, test: Condition, columns: Columns, rows: Rows) -> Bools:
    """Ask a test of an attribute of the rows only whose start tag may hold the word it needs."""
    found = columns.may_hold(rows, word)
    if found.any():
        found[found] = test(columns, rows[found])
    return found


def _made(make: Callable[[str], str], of: Texts, columns: Columns, rows: Rows) -> Strings:
    return of(columns, rows).made(make)


def _joined(parts: list[Texts], columns: Columns, rows: Rows) -> Strings:
    return joined([part(columns, rows) for part in parts])


def _says(words: str, columns: Columns, rows: Rows) -> Bools:
    return columns.says(rows, words)


def _own_text(columns: Columns, rows: Rows) -> Strings:
    return Strings(list(map(columns.text_below, rows.tolist())), np.arange(rows.size))


def _has_ancestor(name: str, columns: Columns, rows: Rows) -> Bools:
    parent = columns.tree.parent[rows]
    inside = columns.tree.below(columns.elements(name))
    return np.asarray((parent >= 0) & inside[parent], dtype=bool)


# Steps ---------------------------------------------------------------------------------------


def _walk(steps: list[Steps], columns: Columns, rows: Rows) -> tuple[Rows, Rows]:
    owner, node = np.arange(rows.size), rows
    for step in steps:
        inner, node = step(columns, node)
        owner = owner[inner]
    return owner, node


def _to_sibling(
    axis: str, name: str, number: int, columns: Columns, rows: Rows
) -> tuple[Rows, Rows]:
    nearest = columns.sibling(axis, name)
    owner, node = np.arange(rows.size), rows
    for _ in range(number):
        node = nearest[node]
        owner, node = owner[node >= 0], node[node >= 0]
    return owner, node


def _to_children(name: str, columns: Columns, rows: Rows) -> tuple[Rows, Rows]:
    index = np.full(len(columns.tree), -1, dtype=np.int64)
    index[rows] = np.arange(rows.size)
    node = np.flatnonzero(columns.elements(name))
    parent = columns.tree.parent[node]
    owner = np.where(parent >= 0, index[parent], -1)
    order = np.argsort(owner, kind="stable")
    order = order[owner[order] >= 0]
    return owner[order], node[order]


def _that_are(name: str, columns: Columns, rows: Rows) -> tuple[Rows, Rows]:
    chosen = np.flatnonzero(columns.elements(name)[rows])
    return chosen, rows[chosen]


def _leads_somewhere(steps: list[Steps], columns: Columns, rows: Rows) -> Bools:
    found = np.zeros(rows.size, dtype=bool)
    found[_walk(steps, columns, rows)[0]] = True
    return found


def _counted_of(steps: list[Steps], name: str, columns: Columns, rows: Rows) -> Numbers:
    if not steps:
        return columns.counted(name)[rows]
    owner, node = _walk(steps, columns, rows)
    if owner.size != np.unique(owner).size:
        raise Beyond  # any of several may be the one that a comparison holds for
    found = np.full(rows.size, np.nan)
    found[owner] = columns.counted(name)[node]
    return found


def _attribute_of(steps: list[Steps], name: str, columns: Columns, rows: Rows) -> Strings:
    """The first node's that has one, else nothing."""
    if not steps:
        return columns.attributes(rows, name)
    found: list[str | None] = [None] * rows.size
    owner, node = _walk(steps, columns, rows)
    for index, row in zip(owner.tolist(), node.tolist(), strict=True):
        if found[index] is None:
            found[index] = columns.attribute(row, name)
    return Strings([text or "" for text in found], np.arange(rows.size))


def _has_attribute(steps: list[Steps], name: str, columns: Columns, rows: Rows) -> Bools:
    found = np.zeros(rows.size, dtype=bool)
    owner, node = _walk(steps, columns, rows)
    for index, row in zip(owner.tolist(), node.tolist(), strict=True):
        found[index] |= columns.attribute(row, name) is not None
    return found
