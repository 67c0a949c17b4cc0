"""Rules whose expressions columns can answer, each a function that labels the rows of a page."""

import re
from collections.abc import Callable
from typing import Any

from algorithms.plugins.elisa.columns import Columns
from algorithms.plugins.elisa.page_xml import NAME
from algorithms.plugins.elisa.xpath_columns import (
    LONGEST,
    Expression,
    NotColumnar,
    RuleReads,
    compile_xpath,
    condition,
    first,
    follow_step,
    join_parts,
    normalise_space,
    only,
)
from engine.source import Source

_CONTEXT = re.compile(rf"({NAME.pattern}|\*)(?:\[([^\[\]]*)\])?", re.ASCII)

_LONGEST_RULE = 10 * LONGEST

ColumnRule = Callable[[Columns, dict[int, str]], None]
"""A rule: of a page's columns, it puts labels to rows; "" where one is taken back."""


def column_rule(rule: Any, patterns: list[str], attribute: str) -> ColumnRule:  # noqa: ANN401
    """Compile a RULE for these patterns; ``attribute`` is the one set to the label.

    `NotColumnar` if columns cannot answer it.
    """
    matches = [_CONTEXT.fullmatch(pattern) for pattern in patterns]
    reads = RuleReads([match[1] for match in matches if match])
    contexts = [_rows(match, reads) for match in matches]
    variables: dict[str, Expression] = {}
    labels: list[tuple[str, str]] = []
    for child in rule.iterchildren("CALL", "CHECK"):
        if child.tag == "CALL":
            variables[child.get("name")] = compile_xpath(child.get("select"), variables, reads)
            continue
        tests = [condition(e.get("test"), variables, reads) for e in child.iterchildren("WHENEVER")]
        remaining = iter(tests)
        for case in child.iterchildren("WHENEVER", "OTHERWISE"):
            none = f"not ({join_parts(' or ', tests)})" if tests else "True"
            holds = next(remaining) if case.tag == "WHENEVER" else none
            for given in case.iterchildren("SET"):
                value = compile_xpath(given.text, variables, reads).literal
                if value is None:
                    raise NotColumnar
                if given.get("attr") == attribute:
                    labels.append((holds, value))
    return _function(contexts, labels, reads)


def _rows(match: re.Match[str] | None, reads: RuleReads) -> tuple[str, str]:
    """Return Python for a list of elements, and for the condition on one; "" for none."""
    if match is None:
        raise NotColumnar
    return f"page.elements({match[1]!r})", condition(match[2], {}, reads) if match[2] else ""


def _function(
    contexts: list[tuple[str, str]], labels: list[tuple[str, str]], reads: RuleReads
) -> ColumnRule:
    """Write the rule as a function in Python, and compile that.

    All that comes of the rules' text are numbers, strings as `repr` writes them, and names that
    `RuleReads` gives.
    """
    several = [f"        *{rows}," for rows, also in contexts if not also]
    several += [f"        *[row for row in {rows} if {also}]," for rows, also in contexts if also]
    if sum(len(holds) for holds, _ in labels) > _LONGEST_RULE:
        raise NotColumnar
    cases = [
        line
        for holds, label in labels
        for line in (f"        if {holds}:", f"            labels[row] = {label!r}")
    ]
    lines = [
        "def rule(page, labels):",
        f"    if not ({' or '.join(rows for rows, _ in contexts)}):",
        "        return",
        *(f"    {binding}" for binding in reads.bindings),
        "    rows = [",
        *several,
        "    ]",
        "    for row in rows:",
        *(cases or ["        pass"]),
    ]
    known: dict[str, Any] = {
        "only": only, "first": first, "led": follow_step, "normalised": normalise_space
    }  # fmt: skip
    try:
        exec(compile("\n".join(lines), "<rule>", "exec"), known)
    except (SyntaxError, RecursionError, MemoryError):  # nested too deeply
        raise NotColumnar from None
    result: ColumnRule = known["rule"]
    return result


def labels_by_columns(source: Source, rules: tuple[ColumnRule, ...]) -> dict[int, str]:
    """Return row → label, as the stylesheet of these rules would; "" where one was taken back."""
    columns = Columns(source)
    result: dict[int, str] = {}
    for rule in rules:
        rule(columns, result)
    return result
