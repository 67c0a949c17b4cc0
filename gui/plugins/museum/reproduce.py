"""``pagelet reproduce``: tables of papers, run again and compared with published figures."""

import argparse
import json
from dataclasses import replace
from typing import TYPE_CHECKING

from annotate.evaluation.run.run_options import EvaluationOptions, PageChoice
from engine.errors import InputError
from engine.interrupts import defer_interrupts
from gui.cli.arguments import add_options, options_of, processors, progress

if TYPE_CHECKING:
    from annotate.evaluation.tables.published import MeasuredFigures, PublishedTable

EXAMPLES = """Examples:
  pagelet reproduce                                   all tables and figures, and how they stand
  pagelet reproduce kreuzer-7.4                       one of them, with what it needs
  pagelet reproduce kreuzer-7.4 dataset-random        run it again
  pagelet reproduce mine.toml pages --record          run your own, and keep the figures in its file
"""


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments for a table and its data."""
    command.epilog = EXAMPLES
    command.add_argument(
        "table", nargs="?", metavar="ID", help="a table, or a file of one's own: NAME.toml"
    )
    command.add_argument(
        "data", nargs="*", metavar="DATA", help="the pages it is of, as evaluate takes data sets"
    )
    command.add_argument(
        "--record", action="store_true", help="write the figures into the table's file"
    )
    command.add_argument("--json", action="store_true", help="print JSON")
    left_out = ("predictions", "report", "out", "resumes", "word_unit")
    add_options(command, EvaluationOptions, leave_out=left_out, jobs=processors())
    add_options(command, PageChoice)


def run(options: argparse.Namespace) -> int:
    """List tables, show one, or run it."""
    with defer_interrupts():
        from annotate.evaluation.tables.published import built_in, table_named
        from annotate.library.progress import LineProgress
        from annotate.plugins.museum.rerun import record, rerun
        from annotate.plugins.museum.texts import listing, summary_line

    if options.record and not options.data:
        raise InputError("--record needs the data to run on: pagelet reproduce ID DATA --record")
    if options.table is None:
        tables = built_in()
        if options.json:
            _print_json([_as_data(table, table.measured) for table in tables])
        else:
            print(f"{listing(tables)}\n\n{summary_line(tables)}")
        return 0
    table = table_named(options.table)
    measured = table.measured
    if options.data:
        own, choice = options_of(EvaluationOptions, options), options_of(PageChoice, options)
        watcher = LineProgress(progress)
        measured = rerun(table, options.data, own, watcher, choice)
        for note in watcher.notes:
            progress(f"pagelet: {note}")
        if options.record:
            record(table, measured)
    _show(options, table, measured)
    return 0


def _show(
    options: argparse.Namespace, table: "PublishedTable", measured: "MeasuredFigures | None"
) -> None:
    from annotate.plugins.museum.texts import side_by_side

    if options.json:
        _print_json(_as_data(table, measured))
    else:
        print(side_by_side(table, measured))
        if options.record:
            progress(f"pagelet: the figures are in {table.path}")


def _print_json(data: object) -> None:
    print(json.dumps(data, indent=2, ensure_ascii=False))


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
