"""Tables that are numbered lists: a rank in the first cell of each entry, further rows below it."""

import re
from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple

from algorithms.structure.comments import is_author, is_date
from algorithms.structure.rows import PageRows

_RANK = re.compile(r"(\d{1,4})\.")
_FEWEST = 3
"""Entries of a numbered list."""


class Ranked(NamedTuple):
    """The numbered lists of a page that are tables.

    Attributes:
        tables: Rows of the tables.
        entries: Row of the first ``tr`` of each entry, and those of all its ``tr``, that included.
        ranks: Rows of the cells that hold the numbers.
        bylines: Rows of links from the author and from the date of an entry: no links in a list.
    """

    tables: Sequence[int]
    entries: Mapping[int, tuple[int, ...]]
    ranks: Sequence[int]
    bylines: Sequence[int]


def ranked_tables(rows: PageRows) -> Ranked:
    """Return the tables whose rows are numbered one after the other, without header cells."""
    by_group: dict[int, list[int]] = {}
    for line in rows.named("tr"):
        by_group.setdefault(rows.parent[line], []).append(line)
    tables, entries, cells = [], {}, []
    for group, lines in by_group.items():
        first = [next(iter(rows.elements(line)), -1) for line in lines]
        ranks = [_RANK.fullmatch(rows.text(cell)) if cell >= 0 else None for cell in first]
        numbers = [int(match[1]) for match in ranks if match]
        if len(numbers) < _FEWEST or numbers != [*range(numbers[0], numbers[0] + len(numbers))]:
            continue
        if any(rows.names[at] == "th" for at in range(group, rows.end[group])):
            continue
        is_table = rows.names[group] == "table"
        tables.append(group if is_table else rows.parent[group])
        starts = [at for at, match in enumerate(ranks) if match]
        for start, past in zip(starts, [*starts[1:], len(lines)], strict=True):
            entry = takewhile(lambda at: rows.has_text(at, rows.end[at]), lines[start:past])
            entries[lines[start]] = tuple(entry)
            cells.append(first[start])
    bylines = [
        link for lines in entries.values() for link in range(lines[0], rows.end[lines[-1]])
        if rows.names[link] == "a" and any(
            is_author(rows, at) or is_date(rows, at) for at in (link, rows.parent[link])
        )
    ]  # fmt: skip
    return Ranked(tables, entries, cells, bylines)
