"""The part of XPath that rules are mostly written in, as Python over columns of the source's tree.

The stylesheet that rules compile to defines their meaning (`rule_sheets`).  Writing a page as XML,
parsing and transforming it takes many times as long as reading the same from columns of the
source's tree, so what can be read there is: comparisons of counted attributes, names, the nearest
siblings, children, ancestors as a condition, and some functions of strings.  `compile_xpath`
refuses all else (`NotColumnar`), and then the stylesheet answers.

An expression becomes one of Python about the element at ``row``: of ``@letters >= 80 and
following-sibling::P[1]/@letters < 9`` it makes ``letters[row] >= 80.0 and
letters[sibling[row]] < 9.0``.  Names in it are the values that `RuleReads` has read of the page; a
missing row is -1, and at -1 columns hold XPath's value for no node.  ``and`` and ``or`` ask their
right side only where the left side leaves it open, as in XPath.

A variable is written out wherever it stands, so that a few lines of variables of each other may
become any length: what becomes longer than `LONGEST` is refused too, before it is put together.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from algorithms.plugins.elisa.page_xml import COUNTED

LONGEST = 20_000
"""Letters of Python that an expression may become."""


class NotColumnar(Exception):
    """An expression needs more than columns."""


def join_parts(separator: str, parts: Sequence[str]) -> str:
    """Return the parts as one; `NotColumnar` where it is longer than `LONGEST`."""
    if sum(map(len, parts)) + len(separator) * len(parts) > LONGEST:
        raise NotColumnar
    return separator.join(parts)


class RuleReads:
    """Values of a page that the expressions of one rule read: Python → its name in them."""

    def __init__(self, names: Sequence[str] = ()) -> None:
        """Set the names of the elements that the rule applies to."""
        self._of = names
        self._names: dict[str, str] = {}
        self._variables = 0

    def column(self, method: str, *given: str) -> str:
        """Return the name of the result of a method of `Columns`."""
        call = f"page.{method}({', '.join(map(repr, given))})"
        return self._names.setdefault(call, f"{method}{len(self._names)}")

    def small_tags(self, *names: str) -> str:
        """Return the name of `Columns.small_tags` of these elements, or of the rule's own."""
        return self.column("small_tags", *(names or self._of))

    def variable(self) -> str:
        """Return a new name for a row found on the way."""
        self._variables += 1
        return f"row{self._variables}"

    @property
    def bindings(self) -> list[str]:
        """Statements that read all of it."""
        return [f"{name} = {call}" for call, name in self._names.items()]


@dataclass(frozen=True)
class StepRows:
    """Rows reached by a path.

    Attributes:
        python: The row, or -1; of a path over children a list of rows.
        are_many: Whether it is a list.
        of_name: The name that all of them have, if it is known.
    """

    python: str
    are_many: bool = False
    of_name: str = ""

    def __post_init__(self) -> None:
        join_parts("", [self.python])


@dataclass(frozen=True)
class Expression:
    """Compiled expression: the Python for its kind is set.

    Attributes:
        condition: It as a truth value.
        number: It as a number, NaN where it is none.
        string: It as a string.
        is_nodes: Whether it is a set of nodes, of which ``number`` is the only one's.
        is_text: Whether it is the text of the element itself.
        literal: The string that it is.
        may_hold: Of one attribute, give or take letter case and white space: Python for whether its
            start tag has a word, which represents ``{word}``; "" if that is not to be had.
    """

    condition: str | None = None
    number: str | None = None
    string: str | None = None
    is_nodes: bool = False
    is_text: bool = False
    literal: str | None = None
    may_hold: str = ""

    def __post_init__(self) -> None:
        for python in (self.condition, self.number, self.string):
            join_parts("", [python or ""])


@lru_cache(maxsize=256)
def _scan(expression: str) -> tuple[str, ...]:
    result = []
    end = 0
    for match in _TOKEN.finditer(expression):
        if expression[end : match.start()].strip():
            raise NotColumnar
        result.append(match[0])
        end = match.end()
    if expression[end:].strip():
        raise NotColumnar
    return tuple(result)


_TOKEN = re.compile(
    r""""[^"]*"|'[^']*'|\d+(?:\.\d+)?|\$[A-Za-z_][\w.-]*|[A-Za-z_][\w.-]*|::|<=|>=|!=|[@.*/()\[\],=<>$|+-]"""
)
_NAME = re.compile(r"[A-Za-z_][\w.-]*")
_COMPARED = {"<": "<", "<=": "<=", ">": ">", ">=": ">=", "=": "=="}
_SIBLINGS = ("preceding-sibling", "following-sibling")


def compile_xpath(
    expression: str, variables: Mapping[str, Expression], reads: RuleReads
) -> Expression:
    """Compile an expression; `NotColumnar` if columns cannot answer it."""
    try:
        return _XPathParser(expression, variables, reads).whole()
    except RecursionError:  # some 200 nested brackets
        raise NotColumnar from None


def condition(expression: str, variables: Mapping[str, Expression], reads: RuleReads) -> str:
    """Compile a boolean expression; raise `NotColumnar` if columns cannot evaluate it."""
    return _truth(compile_xpath(expression, variables, reads))


class _XPathParser:
    """Recursive descent over the tokens of one expression."""

    def __init__(
        self, expression: str, variables: Mapping[str, Expression], reads: RuleReads
    ) -> None:
        self._tokens = [*_scan(expression), ""]
        self._at = 0
        self._variables = variables
        self._reads = reads

    def whole(self) -> Expression:
        result = self._or()
        if self._next:
            raise NotColumnar
        return result

    @property
    def _next(self) -> str:
        return self._tokens[self._at]

    def _take(self, *expected: str) -> str:
        token = self._tokens[self._at]
        if expected and token not in expected:
            return ""
        self._at += bool(token)
        return token

    def _want(self, token: str) -> None:
        if not self._take(token):
            raise NotColumnar

    def _or(self) -> Expression:
        parts = [self._and()]
        while self._take("or"):
            parts.append(self._and())
        return _combined("or", parts)

    def _and(self) -> Expression:
        parts = [self._compared()]
        while self._take("and"):
            parts.append(self._compared())
        return _combined("and", parts)

    def _compared(self) -> Expression:
        left = self._product()
        sign = self._take(*_COMPARED)
        if not sign:
            return left
        right = self._product()
        if self._next in (*_COMPARED, "!="):
            raise NotColumnar
        if left.number is not None and right.number is not None:
            return Expression(f"({left.number} {_COMPARED[sign]} {right.number})")
        is_string = left.string is not None and not left.is_nodes and right.literal is not None
        if sign == "=" and is_string:
            return Expression(f"({left.string} == {right.string})")
        raise NotColumnar

    def _product(self) -> Expression:
        left = self._primary()
        while self._take("*"):
            right = self._primary()
            if left.number is None or right.number is None:
                raise NotColumnar
            left = Expression(number=f"({left.number} * {right.number})")
        return left

    def _primary(self) -> Expression:
        token = self._next
        after = self._tokens[self._at + 1] if token else ""
        if token[:1] in ("'", '"'):
            self._take()
            return Expression(string=repr(token[1:-1]), literal=token[1:-1])
        if token[:1].isdigit():
            self._take()
            return Expression(number=repr(float(token)))
        if token == "(":
            self._take()
            result = self._or()
            self._want(")")
            return result
        if token.startswith("$"):
            self._take()
            if token[1:] not in self._variables:
                raise NotColumnar
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
        return self._called(name, given)

    def _path(self) -> Expression:
        """Parse ``./`` steps ``/@attribute``, the element's text, or steps alone as a condition."""
        if self._take("."):
            if not self._take("/"):
                text = f"{self._reads.column('text')}(row)"
                return Expression(string=text, is_nodes=True, is_text=True)
            if self._next != "@":
                raise NotColumnar
        nodes = StepRows("row")
        while self._next != "@":
            if self._take("ancestor"):
                if nodes.python != "row":
                    raise NotColumnar
                self._want("::")
                below = self._reads.column("below", self._name())
                return Expression(f"{below}(row)", is_nodes=True)
            nodes = self._step(nodes)
            if not self._take("/"):
                are_any = f"bool({nodes.python})" if nodes.are_many else f"({nodes.python} >= 0)"
                return Expression(are_any, is_nodes=True)
        self._take("@")
        name = self._name()
        if self._next in ("/", "["):
            raise NotColumnar
        if name not in COUNTED:
            return self._attribute(nodes, name)
        row = f"only({nodes.python})" if nodes.are_many else nodes.python
        return Expression(number=f"{self._reads.column('counted', name)}[{row}]", is_nodes=True)

    def _attribute(self, nodes: StepRows, name: str) -> Expression:
        """Return the attribute of the first node that has one, else nothing."""
        value = self._reads.column("attribute", name)
        result = f"first({value}, {nodes.python if nodes.are_many else f'[{nodes.python}]'})"
        may_hold = ""
        if nodes.python == "row":
            result = f"{value}(row)"
            may_hold = f"{{word}} in {self._reads.small_tags()}[row]"
        elif nodes.of_name:
            row = self._reads.variable()
            small = self._reads.small_tags(nodes.of_name)
            may_hold = f"any({{word}} in {small}[{row}] for {row} in {nodes.python})"
        return Expression(
            f"({result} is not None)", string=f"({result} or '')", is_nodes=True, may_hold=may_hold
        )

    def _name(self) -> str:
        token = self._take()
        if not _NAME.fullmatch(token):
            raise NotColumnar
        return token

    def _step(self, nodes: StepRows) -> StepRows:
        token = self._take()
        if token in _SIBLINGS:
            self._want("::")
            name = self._take()
            if name != "*" and not _NAME.fullmatch(name):
                raise NotColumnar
            self._want("[")
            number = self._take()
            if not number.isdigit() or not 0 < int(number) <= _MOST_STEPS:
                raise NotColumnar
            self._want("]")
            sibling = self._reads.column("sibling", token, name)
            for _ in range(int(number)):
                nodes = self._mapped(nodes, f"{sibling}({{}})")
        elif nodes.python == "row" and _NAME.fullmatch(token) and self._next != "::":
            nodes = StepRows(f"{self._reads.column('children', token)}.get(row, ())", True, token)
        else:
            raise NotColumnar
        while self._take("["):
            self._want("self")
            self._want("::")
            tags, numbers = self._reads.column("tags"), self._reads.column("numbers", self._name())
            row = self._reads.variable()
            is_one = f"{tags}[{row} := {{}}] in {numbers}"
            nodes = self._mapped(nodes, f"({row} if {is_one} else -1)")
            self._want("]")
        return nodes

    def _mapped(self, nodes: StepRows, python: str) -> StepRows:
        """Return the rows that one step reaches, Python with braces for a row."""
        if not nodes.are_many:
            return StepRows(python.format(nodes.python))
        row = self._reads.variable()
        return StepRows(f"led(lambda {row}: {python.format(row)}, {nodes.python})", are_many=True)

    def _called(self, name: str, given: list[Expression]) -> Expression:
        """Return a function's value; raise `NotColumnar` for other functions and arguments."""
        if name in ("true", "false") and not given:
            return Expression(str(name == "true"))
        if name == "not" and len(given) == 1:
            return Expression(f"(not {_truth(given[0])})")
        if name == "contains" and len(given) == 2 and given[0].is_text and given[1].literal:
            return Expression(f"(row in {self._reads.column('saying', given[1].literal)})")
        strings = [part.string for part in given if part.string is not None]
        if len(strings) != len(given):
            raise NotColumnar
        if name in _TESTS and len(given) == 2:
            tested = _TESTS[name].format(*strings)
            word = (given[1].literal or "").strip().lower()
            if given[0].may_hold and word.isascii() and word.isalnum():
                # Few tags have the word that the attribute must have.
                may_hold = given[0].may_hold.replace("{word}", repr(word))
                tested = f"({may_hold} and {tested})"
            return Expression(tested)
        if name in _MADE and len(given) == 1:
            made = _MADE[name].format(strings[0])
            return Expression(string=made, may_hold=given[0].may_hold)
        if name == "concat" and len(given) >= 2:
            others = [part for part in given if part.literal is None or part.literal.strip()]
            may_hold = others[0].may_hold if len(others) == 1 else ""
            return Expression(string=f"({join_parts(' + ', strings)})", may_hold=may_hold)
        raise NotColumnar


_MOST_STEPS = 20
_TESTS = {"contains": "({1} in {0})", "starts-with": "{0}.startswith({1})"}
_MADE = {"lc": "{0}.lower()", "normalize-space": "normalised({0})"}


def only(rows: Sequence[int]) -> int:
    """Return the only one of some rows, -1 if there is none."""
    if len(rows) > 1:
        raise NotColumnar  # any of several may be the one that a comparison holds for
    return rows[0] if rows else -1


def first(value: Callable[[int], str | None], rows: Sequence[int]) -> str | None:
    """Return the attribute of the first of some rows that has it."""
    values = (value(row) for row in rows if row >= 0)
    return next((each for each in values if each is not None), None)


def follow_step(step: Callable[[int], int], rows: Sequence[int]) -> list[int]:
    """Return the rows that a step reaches from some rows."""
    return [row for row in map(step, rows) if row >= 0]


def normalise_space(text: str) -> str:
    """Return XPath's normalize-space() of a text."""
    return re.sub("[ \t\r\n]+", " ", text).strip(" ")


def _combined(word: str, parts: list[Expression]) -> Expression:
    if len(parts) == 1:
        return parts[0]
    return Expression(f"({join_parts(f' {word} ', [*map(_truth, parts)])})")


def _truth(expression: Expression) -> str:
    if expression.condition is None:  # of strings and numbers: not used in rules
        raise NotColumnar
    return expression.condition
