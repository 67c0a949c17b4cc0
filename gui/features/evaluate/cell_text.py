"""Texts of a table of scores: cells, tool tips, copies."""

import csv
import io
import time
from collections.abc import Iterator, Sequence

import numpy as np

from algorithms.measures.all_measures import UNMARKED_MEASURES
from annotate.evaluation.tables.result_table import EMPTY, NOT_RUN, OK, STATUSES, TIME, Stale
from annotate.evaluation.tables.run_outcomes import percent
from engine.csv_cells import guard_cell
from engine.word_units import UNIT_TEXT, WORD_UNITS
from engine.words import join_words, plural
from gui.features.evaluate.arrangement import DELTA, Arrangement
from gui.features.evaluate.filtering import difference
from gui.features.evaluate.measures import measure


def title(shown: Arrangement, column: int) -> str:
    """Return the name of a column, and whether its method has seen gold of the listed pages."""
    if column == DELTA:
        return "Difference"
    name = shown.table.columns[column].name
    return f"{name}, gold seen" if count_seen(shown, column) else name


def count_seen(shown: Arrangement, column: int) -> int:
    """Return on how many of the listed pages a column's method had learned from their gold."""
    return 0 if column == DELTA else shown.table.facts.seen(column, shown.order)


def words(shown: Arrangement, page: int, column: int) -> str:
    """Return the text of a cell: its number, else its status; "" if it was not run yet."""
    value, status = shown.value(page, column), shown.status(page, column)
    if status == EMPTY and not value > 0:
        return STATUSES[EMPTY]
    if not np.isnan(value):
        return digits(shown, column, value)
    return "–" if status == OK else STATUSES[status]


def digits(shown: Arrangement, column: int, value: float) -> str:
    """Return a number as shown in a column."""
    of = shown.measure_of(column)
    sign = "+" if column == DELTA and value > 0 else ""
    if of.key == TIME:
        decimals = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2
        text = f"{value:,.{decimals}f}"
    elif of.is_count:
        text = f"{value:.0f}" if float(value).is_integer() else f"{value:.1f}"
    else:
        text = f"{value:.3f}"
    return (sign + text).replace("-", "−")


def spoken(shown: Arrangement, page: int, column: int) -> str:
    """Return a cell for screen readers: "LSI on Cardamom knots, Word F1 0.066, third lowest"."""
    name = f"{title(shown, column)} on {shown.table.pages[page].title}"
    text = words(shown, page, column) or "not run yet"
    if np.isnan(shown.value(page, column)):
        return f"{name}, {text}"
    place = rank(shown, page, column)
    return ", ".join(filter(None, (name, f"{shown.measure_of(column).name} {text}", place)))


_ORDINALS = ("", "second ", "third ", "fourth ", "fifth ", "sixth ", "seventh ", "eighth ")


def rank(shown: Arrangement, page: int, column: int) -> str:
    """Return where a number is among the listed pages: "third lowest"; "" if all are the same."""
    value = shown.value(page, column)
    if column == DELTA:
        values = difference(shown.table, shown.shown, shown.compared)[shown.order]
    else:
        values = shown.table.values(shown.measure_of(column), column)[shown.order]
    lower, higher = int((values < value).sum()), int((values > value).sum())
    if not lower + higher:
        return ""
    at, way = (lower, "lowest") if lower <= higher else (higher, "highest")
    return f"{_ORDINALS[at]}{way}" if at < len(_ORDINALS) else f"number {at + 1} from the {way}"


def tip(shown: Arrangement, page: int, column: int) -> str:
    """Return the tool tip of a cell, with all facts."""
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
        yield from _with_others(shown, page, column)
        return
    reason = shown.table.reason(page, column, of)
    if not np.isnan(value):
        yield f"{of.name} {digits(shown, column, value)}"
        parts = [shown.table.value(of, page, column, part) for part in ("precision", "recall")]
        if not np.isnan(parts).any():
            yield f"precision {parts[0]:.3f}, recall {parts[1]:.3f}"
    elif status == OK:
        yield reason or f"{of.name} is not defined here, or was not measured"
    if shown.table.facts.seen(column, np.array([page])):
        yield "It has seen the gold of this page"
    yield from _predicted(shown, page, column)
    yield from _located(shown, page, column)
    if status == EMPTY:
        yield "It found nothing"
    elif status != OK:
        yield f"{STATUSES[status].capitalize()}: {reason}" if reason else STATUSES[status]
    ms = shown.table.value(measure("extraction", TIME), page, column)
    if not np.isnan(ms) and of.key != TIME:
        yield f"{ms:.3g} ms"
    made = float(shown.table.made[page, column])
    if not np.isnan(made):
        row = shown.table.facts.get((page, column))
        version = f", {row.run.version}" if row is not None and row.run.version else ""
        yield f"Scored {ago(made)}{version}"
    stale = why_stale(shown.table.why_stale(page, [column]))
    if stale:
        yield stale


def _predicted(shown: Arrangement, page: int, column: int) -> Iterator[str]:
    """Yield the F1 predicted without gold, with its interval."""
    f1, low, high = (shown.table.value(each, page, column) for each in UNMARKED_MEASURES[:3])
    if not np.isnan(f1):
        yield f"predicted F1 {f1:.2f}, {low:.2f} to {high:.2f}"


def _located(shown: Arrangement, page: int, column: int) -> Iterator[str]:
    """Yield the shares of gold and extract found on the page, where below 1."""
    row = shown.table.facts.get((page, column))
    if row is None:
        return
    shares = (("gold", row.run.gold_on_page), ("extract", row.run.extract_on_page))
    for what, share in shares:
        if share is not None and share < 1:
            yield f"{percent(share)} of the {what} is on the page"


def _with_others(shown: Arrangement, page: int, column: int) -> Iterator[str]:
    """Yield the scores of the same method with other parameters."""
    table, of, mine = shown.table, shown.measure_of(column), shown.table.columns[column]
    for index, other in enumerate(table.columns):
        value = table.value(of, page, index)
        if (other.method, other.input) == (mine.method, mine.input) and not np.isnan(value):
            own = mine.values
            differ = [f"{n} = {each}" for n, each in other.values.items() if own.get(n) != each]
            values, when = ", ".join(differ), table.made[page, index]
            age = "" if np.isnan(when) else f", {ago(float(when))}"
            yield f"With {values or 'other parameters'}: {digits(shown, index, value)}{age}"


_STALE = {
    Stale.GOLD: "the marks have changed",
    Stale.PAGE: "the page has changed",
    Stale.VERSION: "the method has another version",
    Stale.RENDERER: "the browser engine or the fonts have changed",
}


def why_stale(why: Stale) -> str:
    """Return in a sentence why numbers are outdated; "" if they are not."""
    reasons = [words for flag, words in _STALE.items() if flag & why]
    return f"Out of date: since it was scored, {join_words(reasons)}" if reasons else ""


def ago(made: float, now: float | None = None) -> str:
    """Return the time since something was done, in words."""
    seconds = max(0.0, (time.time() if now is None else now) - made)
    for size, word in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if seconds >= size:
            return f"{plural(int(seconds // size), word)} ago"
    return "just now"


def age_text(shown: Arrangement) -> tuple[str, str]:
    """Return the age of the scores and the number of outdated pages, as a short and a long text."""
    columns = [column for column in shown.columns if column != DELTA]
    made = shown.table.made[:, columns]
    made = made[~np.isnan(made)]
    if not made.size:
        return "", ""
    stale = shown.table.stale[:, columns]
    newest, oldest = ago(float(made.max())), ago(float(made.min()))
    words = f"Scored {newest}" if newest == oldest else f"Scored {newest} to {oldest}"
    short, long = words, [words]
    if count := int((stale != 0).any(axis=1).sum()):
        short += f"  ·  {plural(count, 'page')} out of date"
    for flag, why in _STALE.items():
        if count := int(((stale & flag) != 0).any(axis=1).sum()):
            long.append(f"{plural(count, 'page')}: {why} since")
    return short, "\n".join(long)


def column_tip(shown: Arrangement, column: int) -> str:
    """Return the tool tip of a heading: the method, how it is set up, what its mean leaves out."""
    mean, of = shown.mean(column), shown.measure_of(column)
    averaged = len(shown.averaged)
    counts = f"{mean.scored} of {averaged} listed pages have a score"
    if averaged < len(shown.order):
        counts += f", {len(shown.order) - averaged} changed ones are not in the mean"
    if column == DELTA:
        pair = shown.compared
        names = f"{title(shown, pair.one)} − {title(shown, pair.other)}"
        bar = f"A full bar is a difference of {shown.full_bar:g}"
        return f"{names}\n{of.name}: {of.definition}\n{counts}\n{bar}"
    setup = shown.table.columns[column]
    lines = [setup.name, f"Reads the {setup.input} page"]
    lines += [f"{name} = {value}" for name, value in setup.values.items()]
    zeros = mean.zeros if of.is_share else 0
    counted = ((zeros, "with 0"), (mean.failures, "failed"), (mean.skipped, "skipped"))
    extra = [f"{count} {word}" for count, word in counted if count]
    lines.append(f"{of.name}: {of.definition}")
    if count := count_seen(shown, column):
        lines.append(f"It has seen the gold of {count} of {plural(len(shown.order), 'page')}")
    units = {row.run.word_unit for (_, at), row in shown.table.facts.items() if at == column}
    lines += [f"Words: {UNIT_TEXT[unit]}" for unit in WORD_UNITS if unit in units]
    return "\n".join((*lines, ", ".join((counts, *extra))))


def heading(shown: Arrangement, column: int) -> str:
    """Return the name of a column with its differences to similar columns, for files."""
    if column == DELTA:
        return "difference"
    setup = shown.table.columns[column]
    name = f"{setup.method} ({setup.input}) {shown.measure_of(column).key}"
    return f"{name}, gold seen" if count_seen(shown, column) else name


def as_text(
    shown: Arrangement, rows: Sequence[int], columns: Sequence[int], delimiter: str = ","
) -> str:
    """Return cells with headings as CSV, or as TSV for the clipboard.

    Numbers have all their digits; a cell without one has its status.  Where pages have tags they
    have a column.  ``rows`` and ``columns`` are indices of the shown ones.
    """
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    indices = [shown.columns[column] for column in columns]
    tags = [", ".join(sorted(shown.tags[shown.order[row]])) for row in rows] if shown.tags else []
    headings = [guard_cell(heading(shown, position)) for position in indices]
    writer.writerow(["page", *(["tags"] if tags else []), *headings])
    for k, row in enumerate(rows):
        page = int(shown.order[row])
        cells = [_plain(shown, page, position) for position in indices]
        tagged = map(guard_cell, tags[k : k + 1])
        writer.writerow([guard_cell(shown.table.pages[page].name), *tagged, *cells])
    return out.getvalue()


def _plain(shown: Arrangement, page: int, column: int) -> str:
    value = shown.value(page, column)
    if not np.isnan(value):
        return repr(float(value))
    status = shown.status(page, column)
    return "" if status == OK else STATUSES[status]
