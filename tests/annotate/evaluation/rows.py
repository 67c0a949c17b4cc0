"""Rows of an evaluation, made for tests."""

import json

from annotate.evaluation.store.rows import parse_row
from annotate.evaluation.tables.result_table import Results


def row(page, method, measure, value=None, **more):
    """Return a row; columns that are not given have their usual value."""
    columns = {
        "dataset": "news", "page": page, "page_hash": "ab", "bytes": "1000", "input": "dom",
        "renderer": "QtWebEngine 6", "viewport": "1024x768", "method": method,
        "version": "pagelet 1", "parameters": "{}", "status": "ok", "reason": "", "ms": "2.5",
        "unmapped_words": "0", "measure": measure, "precision": "", "recall": "",
        "value": "" if value is None else repr(value), "retrieved": "", "hits": "",
        "relevant": "", "if_empty": "",
    }  # fmt: skip
    if value is not None and 0 <= value <= 1 and "precision" not in more:
        more |= {"precision": value, "recall": value}
    columns |= {name: text if isinstance(text, str) else repr(text) for name, text in more.items()}
    return columns


def failed(page, method, measure, status="failed", reason="it crashed", **more):
    """Return a row of a run without a score."""
    more.setdefault("if_empty", json.dumps([1.0, 0.0, 0.0]))
    return row(page, method, measure, status=status, reason=reason, ms="", **more)


def scored(values, measure="ws", **more):
    """Return rows of method → values on pages 1, 2, 3 ...; None is a failed run."""
    return [
        failed(f"page{k}", method, measure, **more)
        if value is None
        else row(f"page{k}", method, measure, value, **more)
        for k in range(1, max(map(len, values.values())) + 1)
        for method, column in values.items()
        if k <= len(column)
        for value in [column[k - 1]]
    ]


def table_of(rows):
    """Return rows as an evaluation passes them on."""
    return Results.of(map(parse_row, rows))
