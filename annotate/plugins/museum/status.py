"""Degree of reproduction of a table, by its measured figures only."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from annotate.evaluation.tables.published import (
    COUNTED,
    MeasuredFigures,
    PublishedRow,
    PublishedTable,
)
from engine.words import plural


class ReproductionStatus(StrEnum):
    """Status of a table, the best first."""

    REPRODUCED = "reproduced"
    WITHIN = "within"
    DIFFERS = "differs"
    NOT_RUN = "not run"
    NOT_COMPUTED = "not computed"
    NO_DATA = "data not to be had"


_WORSE = (ReproductionStatus.REPRODUCED, ReproductionStatus.WITHIN, ReproductionStatus.DIFFERS)


@dataclass(frozen=True)
class RowStatus:
    """Status of a row with its own figures.

    Attributes:
        standing: Status of its worst figure.
        largest: The largest difference of a score, counts left out; None where there is none.
    """

    standing: ReproductionStatus
    largest: float | None


@dataclass(frozen=True)
class TableStatus:
    """Status of a table with its own figures.

    Attributes:
        standing: Status of its worst row.
        largest: The largest difference of a score; None where nothing was measured.
        rows: A status a row; None of rows that were not measured.
        text: The status in words.
    """

    standing: ReproductionStatus
    largest: float | None
    rows: tuple[RowStatus | None, ...]
    text: str


def status_of(table: PublishedTable, measured: MeasuredFigures | None = None) -> TableStatus:
    """Return the status of a table by the given figures, or else by those in its file."""
    measured = table.measured if measured is None else measured
    if measured is None:
        return _unmeasured(table)
    rows = tuple(_row_status(table, measured, number) for number in range(len(table.rows)))
    known = [row for row in rows if row is not None]
    if not known:
        return TableStatus(ReproductionStatus.NOT_RUN, None, rows, "not run: no figure came out")
    standing = max((row.standing for row in known), key=_WORSE.index)
    largest = max((row.largest for row in known if row.largest is not None), default=None)
    return TableStatus(
        standing, largest, rows, _in_words(table, measured, known, standing, largest)
    )


def _unmeasured(table: PublishedTable) -> TableStatus:
    standing, why = ReproductionStatus.NOT_RUN, ": its data were not at hand"
    if not table.data.is_available:
        standing = ReproductionStatus.NO_DATA
        why = f"; Figure of {table.draws} draws it of any page" if table.draws else ""
    elif not table.is_runnable:
        standing = ReproductionStatus.NOT_COMPUTED
        why = ": no method of Pagelet" if table.rows else ": Pagelet has no such figure"
    return TableStatus(standing, None, (None,) * len(table.rows), f"{standing}{why}")


def differences(table: PublishedTable, measured: MeasuredFigures, row: int) -> list[float]:
    """Return own less published, a column each; NaN where one of them is missing."""
    pairs = zip(measured.figures[row], table.rows[row].published, strict=True)
    return [own - published for own, published in pairs]


def _row_status(table: PublishedTable, measured: MeasuredFigures, row: int) -> RowStatus | None:
    standing, largest = ReproductionStatus.REPRODUCED, None
    published = table.rows[row].published
    gaps = [*enumerate(differences(table, measured, row))]
    known = [(column, abs(gap)) for column, gap in gaps if not math.isnan(gap)]
    if not known:
        return None
    for column, gap in known:
        near, far = table.allowed(column, published[column])
        here = ReproductionStatus.REPRODUCED
        if round(gap, 6) > round(near, 6):
            is_near = round(gap, 6) <= round(far, 6)
            here = ReproductionStatus.WITHIN if is_near else ReproductionStatus.DIFFERS
        standing = max(standing, here, key=_WORSE.index)
        if table.columns[column].statistic not in COUNTED:
            largest = max(gap, largest or 0.0)
    return RowStatus(standing, largest)


def _in_words(
    table: PublishedTable,
    measured: MeasuredFigures,
    rows: Sequence[RowStatus],
    standing: ReproductionStatus,
    largest: float | None,
) -> str:
    pages = table.data.pages
    on = f" on {measured.pages} of its {pages} pages" if pages and measured.pages != pages else ""
    if any(other_version(row, measured) for row in table.rows):
        on = f" with other versions{on}"
    if standing is ReproductionStatus.REPRODUCED:
        return f"reproduced{on}"
    if standing is ReproductionStatus.WITHIN:
        return f"within {format_number(largest)}{on}" if largest else f"within a few blocks{on}"
    near = sum(row.standing is not ReproductionStatus.DIFFERS for row in rows)
    differing = (row.largest for row in rows if row.standing is ReproductionStatus.DIFFERS)
    most = max((each for each in differing if each is not None), default=None)
    by = f", by up to {format_number(most)}" if most else ", in counts"
    return f"differs in {len(rows) - near} of {plural(len(rows), 'row')}{by}{on}"


def format_number(value: float | None) -> str:
    """Return a number as in tables: .031, 12.24; a dash for none."""
    if value is None or math.isnan(value):
        return "–"
    if abs(value) >= 1.0005:
        return f"{value:.2f}".replace("-", "−")
    text = f"{value:.3f}".replace("-", "−")
    return text.replace("0.", ".", 1) if text.lstrip("−").startswith("0.") else text


def rows_by_reason(table: PublishedTable) -> dict[str, list[str]]:
    """Return the rows by the reason why they differ."""
    made: dict[str, list[str]] = {}
    for row in table.rows:
        ran = "" if row.why or table.measured is None else other_version(row, table.measured)
        if reason := row.why or ran:
            made.setdefault(reason, []).append(row.label)
    return made


_VERSION = re.compile(r"\d+(?:\.\d+)+")


def other_version(row: PublishedRow, measured: MeasuredFigures) -> str:
    """Return a sentence where another version was run than the row's label names; "" else."""
    published, ran = _VERSION.search(row.label), measured.versions.get(row.method, "")
    if published is None or not (own := _VERSION.search(ran)) or own[0] == published[0]:
        return ""
    return f"{ran} was run, not {published[0]}."


def parameters_of(row: PublishedRow) -> str:
    """Return the parameters a row is run with where they are not the defaults: ``pdoc 1``."""
    return ", ".join(f"{name} {value}" for name, value in row.values.items())
