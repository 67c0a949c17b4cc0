"""Rules whose expressions columns can answer, applied to all elements of a page at once."""

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from algorithms.extraction.elisa.columns import Columns
from algorithms.extraction.elisa.page_xml import NAME
from algorithms.extraction.elisa.xpath_columns import (
    Beyond,
    Condition,
    Expression,
    compiled,
    condition,
)
from engine.source import Source

_CONTEXT = re.compile(rf"({NAME.pattern}|\*)(?:\[([^\[\]]*)\])?", re.ASCII)


@dataclass(frozen=True, eq=False)
class ColumnRule:
    """One rule.

    Attributes:
        names: The names of elements it is for.
        contexts: Others that it is for if something holds.
        labels: What it labels them, and where, in order: the last that holds counts.
    """

    names: tuple[str, ...]
    contexts: tuple[tuple[str, Condition], ...]
    labels: tuple[tuple[Condition, str], ...]


def column_rule(rule: Any, patterns: list[str], attribute: str) -> ColumnRule:  # noqa: ANN401
    """Compile a RULE for these patterns; ``attribute`` is what a label is set as.

    `Beyond` if columns cannot answer it.
    """
    names: list[str] = []
    contexts: list[tuple[str, Condition]] = []
    for pattern in patterns:
        match = _CONTEXT.fullmatch(pattern)
        if match is None:
            raise Beyond
        if match[2]:
            contexts.append((match[1], condition(match[2], {})))
        else:
            names.append(match[1])
    variables: dict[str, Expression] = {}
    labels: list[tuple[Condition, str]] = []
    for child in rule.iterchildren("CALL", "CHECK"):
        if child.tag == "CALL":
            variables[child.get("name")] = compiled(child.get("select"), variables)
            continue
        tests = [condition(e.get("test"), variables) for e in child.iterchildren("WHENEVER")]
        remaining = iter(tests)
        for case in child.iterchildren("WHENEVER", "OTHERWISE"):
            holds = next(remaining) if case.tag == "WHENEVER" else _none_of(tests)
            for given in case.iterchildren("SET"):
                value = compiled(given.text, variables).literal
                if value is None:
                    raise Beyond
                if given.get("attr") == attribute:
                    labels.append((holds, value))
    return ColumnRule(tuple(names), tuple(contexts), tuple(labels))


def _none_of(tests: list[Condition]) -> Condition:
    return lambda columns, rows: (
        ~np.any([np.zeros(rows.size, dtype=bool), *(test(columns, rows) for test in tests)], axis=0)
    )


def labels_by_columns(source: Source, rules: tuple[ColumnRule, ...]) -> dict[int, str]:
    """Return row → label, as the stylesheet of these rules would; "" where one was taken back."""
    columns = Columns(source)
    found: dict[int, str] = {}
    for rule in rules:
        rows = np.flatnonzero(columns.elements(*rule.names))
        for name, also in rule.contexts:
            more = np.flatnonzero(columns.elements(name))
            rows = np.union1d(rows, more[also(columns, more)])
        for holds, label in rule.labels if rows.size else ():
            found.update(dict.fromkeys(rows[holds(columns, rows)].tolist(), label))
    return found
