"""What a table of scores says in words: cells, tool tips, copies."""

import csv
import io
from collections.abc import Iterator, Sequence

import numpy as np

from gui.matrix.arrangement import DELTA, Arrangement
from gui.matrix.measures import TIME, measure
from gui.matrix.scores import EMPTY, NOT_RUN, OK, STATUSES


def title(shown: Arrangement, column: int) -> str:
    """Return a column's name."""
    return "Difference" if column == DELTA else shown.table.columns[column].name


def words(shown: Arrangement, page: int, column: int) -> str:
    """Return what a cell says: its number, else its status; "" if it was not run yet."""
    value, status = shown.value(page, column), shown.status(page, column)
    if status == EMPTY and not value > 0:
        return STATUSES[EMPTY]
    if not np.isnan(value):
        return digits(shown, column, value)
    return "–" if status == OK else STATUSES[status]


def digits(shown: Arrangement, column: int, value: float) -> str:
    """Return a number as a column shows it."""
    of = shown.measure_of(column)
    sign = "+" if column == DELTA and value > 0 else ""
    if of.key == TIME:
        places = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2
        text = f"{value:,.{places}f}"
    elif of.is_count:
        text = f"{value:.0f}" if float(value).is_integer() else f"{value:.1f}"
    else:
        text = f"{value:.3f}"
    return (sign + text).replace("-", "−")


def tip(shown: Arrangement, page: int, column: int) -> str:
    """Return all there is to know of a cell."""
    return "\n".join((shown.table.pages[page].title, *_tip(shown, page, column)))


def _tip(shown: Arrangement, page: int, column: int) -> Iterator[str]:
    value, status = shown.value(page, column), shown.status(page, column)
    of = shown.measure_of(column)
    if column == DELTA:
        if np.isnan(value):
            yield "Not both methods have a score here"
        elif not value:
            yield f"Both have the same {of.name}"
        else:
            pair = shown.compared
            more = title(shown, pair.one if value > 0 else pair.other)
            yield f"{more} has {digits(shown, column, abs(value)).lstrip('+')} more ({of.name})"
        return
    yield title(shown, column)
    if status == NOT_RUN:
        yield "Not run yet"
        return
    reason = shown.table.reason(page, column, of)
    if not np.isnan(value):
        yield f"{of.name} {digits(shown, column, value)}"
        parts = [shown.table.value(of, page, column, part) for part in ("precision", "recall")]
        if not np.isnan(parts).any():
            yield f"precision {parts[0]:.3f}, recall {parts[1]:.3f}"
    elif status == OK:
        yield reason or f"{of.name} is not defined here, or was not measured"
    if status == EMPTY:
        yield "It found nothing"
    elif status != OK:
        yield f"{STATUSES[status].capitalize()}: {reason}" if reason else STATUSES[status]
    ms = shown.table.value(measure("extraction", TIME), page, column)
    if not np.isnan(ms) and of.key != TIME:
        yield f"{ms:.3g} ms"
    if shown.table.stale[page]:
        yield "The marks have changed since"


def column_tip(shown: Arrangement, column: int) -> str:
    """Return what a heading says: the method, how it is set up, what its mean leaves out."""
    mean, of = shown.mean(column), shown.measure_of(column)
    counts = f"{mean.scored} of {len(shown.order)} listed pages have a score"
    if column == DELTA:
        pair = shown.compared
        names = f"{title(shown, pair.one)} − {title(shown, pair.other)}"
        bar = f"A full bar is a difference of {shown.full_bar:g}"
        return f"{names}\n{of.name}: {of.definition}\n{counts}\n{bar}"
    setup = shown.table.columns[column]
    lines = [setup.name, f"Reads the {setup.input} page"]
    lines += [f"{name} = {value}" for name, value in setup.values.items()]
    counted = ((mean.zeros, "with 0"), (mean.failures, "failed"), (mean.skipped, "skipped"))
    extra = [f"{count} {word}" for count, word in counted if count]
    lines.append(f"{of.name}: {of.definition}")
    return "\n".join((*lines, ", ".join((counts, *extra))))


def heading(shown: Arrangement, column: int) -> str:
    """Return a column's name with what tells it from its neighbours, for files."""
    if column == DELTA:
        return "difference"
    setup = shown.table.columns[column]
    return f"{setup.method} ({setup.input}) {shown.measure_of(column).key}"


def as_text(
    shown: Arrangement, rows: Sequence[int], columns: Sequence[int], delimiter: str = ","
) -> str:
    """Return cells with headings as CSV, or TSV for a clipboard.

    Numbers have all their digits; a cell without one has its status.  ``rows`` and ``columns``
    count what is shown.
    """
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    places = [shown.columns[column] for column in columns]
    writer.writerow(["page", *(heading(shown, place) for place in places)])
    for row in rows:
        page = int(shown.order[row])
        cells = [_plain(shown, page, place) for place in places]
        writer.writerow([shown.table.pages[page].name, *cells])
    return out.getvalue()


def _plain(shown: Arrangement, page: int, column: int) -> str:
    value = shown.value(page, column)
    if not np.isnan(value):
        return repr(float(value))
    status = shown.status(page, column)
    return "" if status == OK else STATUSES[status]
