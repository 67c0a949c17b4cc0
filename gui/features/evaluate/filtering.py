"""Filter and order of the pages in a table of scores; pure functions of its columns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from algorithms.measures.measure import Measure
from annotate.evaluation.tables.axes import Column, OutputKind
from annotate.evaluation.tables.result_table import NOT_RUN, Results
from engine.tree import Bools, Doubles, Indices

Shown = Mapping[OutputKind, Measure]
"""Shown measure of each kind of method."""

EVERY, ANY = "every", "any"


@dataclass(frozen=True)
class PageFilter:
    """Conditions for listing a page.

    A page passes if *one* of the methods (or every one, or a certain one) has the chosen status
    and a score in the range; the full range also takes methods without a score.

    Attributes:
        words: Each must be in the page's title or address.
        of: `ANY`, `EVERY`, or the column that is asked.
        status: A code of `STATUSES`; None for any.
        low, high: The range of scores, both included.
        type: The page's gold must hold a block of this type; "" for all pages.
        tag: The page must have this tag; "" for all pages.
        stale: Only pages with outdated scores: gold, page or version has changed.
        excludes: Pages are listed whose method does *not* have this status and score.
    """

    words: tuple[str, ...] = ()
    of: str | Column = ANY
    status: int | None = None
    low: float = 0.0
    high: float = 1.0
    type: str = ""
    tag: str = ""
    stale: bool = False
    excludes: bool = False

    @property
    def has_range(self) -> bool:
        """Whether scores are filtered."""
        return self.low > 0.0 or self.high < 1.0


@dataclass(frozen=True)
class ComparedPair:
    """Two columns whose difference is shown."""

    one: int
    other: int


@dataclass(frozen=True)
class Sort:
    """Sort order of the pages.

    Attributes:
        by: ``"list"``, ``"title"``, ``"difference"``, or a column.
        down: Whether the largest comes first.
    """

    by: str | Column = "list"
    down: bool = False


def difference(table: Results, shown: Shown, pair: ComparedPair) -> Doubles:
    """Return the first method's score minus the other's, float64 (pages,); NaN without both."""
    one, other = (
        table.values(shown[table.columns[position].kind], position)
        for position in (pair.one, pair.other)
    )
    result: Doubles = one - other
    return result


def select_pages(
    table: Results,
    columns: Sequence[int],
    shown: Shown,
    page_filter: PageFilter,
    types: Sequence[frozenset[str]] = (),
    pair: ComparedPair | None = None,
    tags: Sequence[frozenset[str]] = (),
) -> Bools:
    """Return which pages are listed, bool (pages,).

    While two methods are compared the range applies to their absolute difference. ``types`` are
    those of each page's gold, ``tags`` those of each page; () where no page has any.
    """
    passes = np.ones(len(table.pages), dtype=bool)
    if page_filter.words:
        texts = (f"{p.title} {p.name} {p.note}".casefold() for p in table.pages)
        passes &= [all(word in text for word in page_filter.words) for text in texts]
    if page_filter.type:
        passes &= [page_filter.type in types_here for types_here in types]
    if page_filter.tag:
        passes &= [page_filter.tag in tags_here for tags_here in tags] if tags else False
    if page_filter.stale:
        passes &= (table.stale[:, list(columns)] != 0).any(axis=1)
    by_difference = pair is not None and page_filter.has_range
    if by_difference and pair is not None:
        size = np.abs(difference(table, shown, pair))
        passes &= (size >= page_filter.low) & (size <= page_filter.high)
    asked = list(columns)
    if isinstance(page_filter.of, Column):
        asked = [position for position in columns if table.columns[position] == page_filter.of]
    if not asked or (page_filter.status is None and (by_difference or not page_filter.has_range)):
        return passes
    passing = np.ones((len(table.pages), len(asked)), dtype=bool)
    if page_filter.status is not None:
        passing &= table.status[:, asked] == page_filter.status
    if page_filter.has_range and not by_difference:
        for k, position in enumerate(asked):
            measure = shown[table.columns[position].kind]
            values = table.values(measure, position)
            passing[:, k] &= (values >= page_filter.low) & (values <= page_filter.high)
    if page_filter.of == EVERY:
        ran = table.status[:, asked] != NOT_RUN
        found = (passing | ~ran).all(axis=1) & ran.any(axis=1)
    else:
        found = passing.any(axis=1)
    passes &= found != page_filter.excludes
    return passes


def order_pages(
    table: Results, rows: Indices, shown: Shown, sort: Sort, pair: ComparedPair | None = None
) -> Indices:
    """Return ``rows`` in the chosen order; pages without a value come last either way."""
    if sort.by == "list":
        return rows[::-1] if sort.down else rows
    if sort.by == "title":
        titles = [table.pages[row].title.casefold() for row in rows]
        indices = sorted(range(len(rows)), key=titles.__getitem__, reverse=sort.down)
        return rows[np.array(indices, dtype=np.intp)]
    if sort.by == "difference":
        if pair is None:
            return rows
        values = np.abs(difference(table, shown, pair))[rows]
    else:
        assert isinstance(sort.by, Column)
        if sort.by not in table.columns:
            return rows
        position = table.columns.index(sort.by)
        values = table.values(shown[sort.by.kind], position)[rows]
    order = np.argsort(-values if sort.down else values, kind="stable")  # NaN sorts last
    result: Indices = rows[order]
    return result
