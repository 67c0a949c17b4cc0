"""Tables of papers as text and Markdown: published values beside those measured here."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence

from annotate.evaluation.tables.published import (
    COUNTED,
    COUNTED_SHARE,
    MeasuredFigures,
    PublishedTable,
    built_in,
)
from annotate.evaluation.tables.summaries import align_cells
from annotate.plugins.museum.status import (
    differences,
    format_number,
    parameters_of,
    rows_by_reason,
    status_of,
)
from engine.words import plural
from resources.documentation import anchor_of


def listing(tables: Sequence[PublishedTable]) -> str:
    """Return all tables, a line each: id, what it shows, how it stands."""
    lines = [["id", "paper", "what", "status"]]
    for table in tables:
        lines.append([table.id, table.paper, table.title, status_of(table).text])
    return _left_aligned(lines)


def summary_line(tables: Sequence[PublishedTable]) -> str:
    """Return how many tables stand how."""
    counts = Counter(status_of(table).standing for table in tables)
    return f"{plural(len(tables), 'table')} and figures: " + ", ".join(
        f"{count} {standing}" for standing, count in counts.items()
    )


def _left_aligned(lines: Sequence[Sequence[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    padded = (
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )
    return "\n".join(padded)


def side_by_side(table: PublishedTable, measured: MeasuredFigures | None) -> str:
    """Return a table with published and own figures, the difference, and remarks."""
    measured = table.measured if measured is None else measured
    parts = [f"{table.paper}, {table.source or table.id}: {table.title}", table.cite]
    if table.rows:
        parts.append(_figures(table, measured))
    parts.append(f"Status: {status_of(table, measured).text}")
    parts += filter(None, [of_how_many(table, measured), tolerance(table)])
    parts += [f"{' and '.join(rows)}: {why}" for why, rows in rows_by_reason(table).items()]
    parts += [table.notes] if table.notes else []
    parts.append(data_line(table))
    if measured is not None:
        parts.append(provenance(measured))
    return "\n\n".join(parts)


def of_how_many(table: PublishedTable, measured: MeasuredFigures | None) -> str:
    """Return a sentence where not all pages of a table were run, or others; "" else."""
    if measured is None or not table.data.pages or measured.pages == table.data.pages:
        return ""
    return (
        f"Own figures are of {plural(measured.pages, 'page')}, published ones of "
        f"{table.data.pages}: other pages may be easier or harder."
    )


def tolerance(table: PublishedTable) -> str:
    """Return the tolerance for figures, in a sentence; "" without figures."""
    if not any(row.published for row in table.rows):
        return ""
    near, far = format_number(table.tolerance), format_number(table.far)
    text = f"A figure that lies off by up to {near} counts as reproduced"
    text += "" if table.far == table.tolerance else f", by more than {far} as different"
    if any(each.statistic in COUNTED for each in table.columns):
        text += f"; counts, by up to {COUNTED_SHARE:.0%} of themselves"
    return f"{text}."


def data_line(table: PublishedTable) -> str:
    """Return the pages of a table, and their source."""
    pages = f", {plural(table.data.pages, 'page')}" if table.data.pages else ""
    return f"Data: {table.data.name}{pages}. {table.data.where}"


def provenance(measured: MeasuredFigures) -> str:
    """Return when and by which command figures were measured."""
    versions = ", ".join(f"{key} {version}" for key, version in measured.versions.items())
    by = f"; {versions}" if versions else ""
    pages = plural(measured.pages, "page")
    return f"Measured {measured.day.isoformat()} on {pages}: {measured.command}{by}"


def _figures(table: PublishedTable, measured: MeasuredFigures | None) -> str:
    lines = [["method", "", *(column.label for column in table.columns)]]
    for number, row in enumerate(table.rows):
        published = [format_number(value) for value in row.published]
        lines.append([row.label, "published", *published])
        with_ = parameters_of(row)
        if measured is not None and not all(map(math.isnan, measured.figures[number])):
            gaps = differences(table, measured, number)
            own = f"own, {with_}" if with_ else "own"
            lines.append(["", own, *map(format_number, measured.figures[number])])
            lines.append(["", "difference", *map(format_signed, gaps)])
    return align_cells(lines)


def format_signed(gap: float) -> str:
    """Return a difference with its sign; "" for none."""
    if math.isnan(gap):
        return ""
    text = format_number(gap)
    return f"+{text}" if gap > 0 and text.strip(".0") else text


def tables() -> dict[str, str]:
    """Return the tables of the documentation by name."""
    every = built_in()
    return {"museum": as_markdown(every), "museum, measured": measured_as_markdown(every)}


def as_markdown(tables: Sequence[PublishedTable]) -> str:
    """Return the documentation's list of all tables, a paper after the other."""
    parts = []
    for paper in dict.fromkeys(table.paper for table in tables):
        mine = [table for table in tables if table.paper == paper]
        parts.append(f"### {paper}\n\n{_cited(mine)}\n\n{_listed(mine)}")
    return "\n".join(parts)


def _cited(tables: Sequence[PublishedTable]) -> str:
    cites = " ".join(f"{each}." for each in dict.fromkeys(table.cite for table in tables))
    data = dict.fromkeys((table.data.name, table.data.where) for table in tables)
    wheres: dict[str, list[str]] = {}
    for name, where in data:
        wheres.setdefault(where, []).append(name)
    return f"{cites}\n\n" + "\n".join(
        f"- {'; '.join(names)}: {where}" for where, names in wheres.items()
    )


def _listed(tables: Sequence[PublishedTable]) -> str:
    rows = [["id", "what", "status"], ["---"] * 3]
    for table in tables:
        name = f"`{table.id}`"
        linked = f"[{name}](#{anchor_of(table.id)})" if table.measured else name
        rows.append([linked, f"{table.source}: {table.title}", status_of(table).text])
    return _markdown_table(rows)


def measured_as_markdown(tables: Sequence[PublishedTable]) -> str:
    """Return each table that was run, own figures beside the published ones."""
    sections = (_section(table, table.measured) for table in tables if table.measured)
    return "\n".join("\n".join(section) for section in sections)


def _section(table: PublishedTable, measured: MeasuredFigures) -> Iterator[str]:
    yield f"### {table.id}\n"
    yield f"{table.paper}, {table.source}: {table.title}. **{status_of(table).text}**.\n"
    head = ["method", *(column.label for column in table.columns)]
    lines = [head, ["---"] * len(head)]
    for number, row in enumerate(table.rows):
        gaps = differences(table, measured, number)
        numbers = zip(row.published, measured.figures[number], gaps, strict=True)
        with_ = parameters_of(row)
        name = f"{row.label} (own: {with_})" if with_ else row.label
        lines.append([name, *(_cell(*three) for three in numbers)])
    yield _markdown_table(lines)
    sentences = filter(None, [of_how_many(table, measured), tolerance(table)])
    yield " ".join(sentences) + "\n"
    yield from (f"- {', '.join(rows)}: {why}" for why, rows in rows_by_reason(table).items())
    yield f"\n{table.notes}\n" if table.notes else ""
    versions = ", ".join(f"{key} {version}" for key, version in measured.versions.items())
    by = f"; {versions}" if versions else ""
    pages = plural(measured.pages, "page")
    yield f"`{measured.command}`, {measured.day.isoformat()}, {pages}{by}.\n"


def _cell(published: float, own: float, gap: float) -> str:
    if math.isnan(own):
        return format_number(published)
    return f"{format_number(published)} / {format_number(own)} ({format_signed(gap)})"


def _markdown_table(lines: Sequence[Sequence[str]]) -> str:
    safe = ([cell.replace("|", "\\|") for cell in cells] for cells in lines)
    return "".join(f"| {' | '.join(cells)} |\n" for cells in safe)
