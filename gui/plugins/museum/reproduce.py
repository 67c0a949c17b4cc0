"""``pagelet reproduce``: tables of papers, run again and compared with published figures."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

from annotate.evaluation.run.run_options import EvaluationOptions, PageChoice
from engine.errors import InputError
from engine.interrupts import defer_interrupts
from gui.cli.arguments import JOBS
from gui.cli.signatures import Argument
from gui.cli.terminal import note, print_json, progress

if TYPE_CHECKING:
    from annotate.evaluation.tables.published import MeasuredFigures, PublishedTable

_LEFT_OUT = ("predictions", "report", "out", "resumes", "word_unit", "cache")


def run(
    table: str | None = None,
    data: Sequence[str] = (),
    *,
    record: bool = False,
    json: bool = False,
    running: Annotated[EvaluationOptions, Argument(without=_LEFT_OUT, defaults={"jobs": JOBS})],
    choice: PageChoice,
) -> int:
    """List tables, show one, or run it.

    Args:
        table (ID): a table, or a file of one's own: NAME.toml
        data (DATA): the pages it is of, as evaluate takes data sets
        record: write the figures into the table's file
        json: print JSON

    Examples:
      pagelet reproduce                                   all tables and figures, and how they stand
      pagelet reproduce kreuzer-7.4                       one of them, with what it needs
      pagelet reproduce kreuzer-7.4 dataset-random        run it again
      pagelet reproduce mine.toml pages --record          run your own, and keep the figures in its file
    """  # noqa: E501  (examples are typed as they are)
    with defer_interrupts():
        from annotate.evaluation.tables.published import built_in, table_named
        from annotate.library.progress import LineProgress
        from annotate.plugins.museum import rerun
        from annotate.plugins.museum.paper_tables import listing, side_by_side, summary_line

    if record and not data:
        raise InputError("--record needs the data to run on: pagelet reproduce ID DATA --record")
    if table is None:
        tables = built_in()
        if json:
            print_json([_as_data(each, each.measured) for each in tables])
        else:
            print(f"{listing(tables)}\n\n{summary_line(tables)}")
        return 0
    shown = table_named(table)
    measured = shown.measured
    if data:
        watcher = LineProgress(progress)
        measured = rerun.rerun(shown, data, running, watcher, choice)
        note(*watcher.notes)
        if record:
            rerun.record(shown, measured)
    if json:
        print_json(_as_data(shown, measured))
    else:
        print(side_by_side(shown, measured))
        if record:
            note(f"the figures are in {shown.path}")
    return 0


def _as_data(table: "PublishedTable", measured: "MeasuredFigures | None") -> dict[str, object]:
    from annotate.plugins.museum.status import status_of

    status = status_of(replace(table, measured=measured))
    return {
        "id": table.id,
        "title": table.title,
        "cite": table.cite,
        "source": table.source,
        "data": {"name": table.data.name, "where": table.data.where, "pages": table.data.pages},
        "status": str(status.standing),
        "status_text": status.text,
        "largest_difference": status.largest,
        "columns": [column.label for column in table.columns],
        "rows": [
            {
                "label": row.label,
                "method": row.method,
                "parameters": dict(row.values),
                "version": None if measured is None else measured.versions.get(row.method),
                "published": _numbers(row.published),
                "own": None if measured is None else _numbers(measured.figures[number]),
                "why": row.why,
            }
            for number, row in enumerate(table.rows)
        ],
        "measured": None
        if measured is None
        else {
            "date": measured.day.isoformat(),
            "command": measured.command,
            "pages": measured.pages,
            "versions": dict(measured.versions),
        },
    }


def _numbers(values: tuple[float, ...]) -> list[float | None]:
    return [None if value != value else value for value in values]
