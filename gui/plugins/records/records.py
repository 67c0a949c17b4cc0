"""``pagelet records``: the records of a page as tables, or the scores of a method."""

import csv
import statistics
import sys
import time
from pathlib import Path
from typing import Any

from algorithms.plugins.records.elements import Elements, RecordSet
from algorithms.plugins.records.fields import RecordTable, table_of
from algorithms.plugins.records.finders import Finder, finder_named
from algorithms.plugins.records.record_scores import RecordScore
from annotate.plugins.records.next_eval import record_pages, score_of
from engine.csv_cells import guard_cell
from engine.errors import InputError
from engine.words import plural
from gui.cli.arguments import PageOptions
from gui.cli.terminal import note, print_json, progress

_SHOWN = 8
"""Columns that are named without --csv and --json."""


def run(
    method: str,
    page: str,
    *,
    csv: bool = False,
    json: bool = False,
    list: int | None = None,
    rendered: bool = False,
    no_sandbox: bool = False,
) -> int:
    """Print the records, or the scores.

    Args:
        method (METHOD): sheaf, mdr, depta or tag-paths
        page (PAGE): file, URL, or - for standard input; or a folder of pages with their records,
            as NEXT-EVAL has them, to score the method
        csv: print the records of one list as CSV
        json: print the records of all lists as JSON, or the scores
        list (N): print this list only, as numbered without --csv (default with --csv: the list of
            the most text)
        rendered: render the page first
        no_sandbox: see pagelet extract

    Examples:
      pagelet records sheaf page.html
      pagelet records sheaf page.html --csv > records.csv
      pagelet records mdr next-eval
    """
    find = finder_named(method)
    if csv and json:
        raise InputError("name one of --csv and --json")
    if Path(page).is_dir() and (Path(page) / "ground-truth").is_dir():
        if csv or list is not None:
            raise InputError("--csv and --list are of one page; of a folder print --json")
        return _score(find, Path(page), is_json=json)
    opened = PageOptions(no_sandbox=no_sandbox).page_of(page, needs_rendering=rendered)
    elements = Elements.of(opened.source("dom" if rendered else "original"))
    found = find(elements)
    if list is not None and not 1 <= list <= len(found):
        raise InputError(f"there is no list {list}: the page has {plural(len(found), 'list')}")
    if csv:
        _print_csv(elements, found, list)
    else:
        numbers = range(1, len(found) + 1) if list is None else (list,)
        tables = [(each, found[each - 1], table_of(elements, found[each - 1])) for each in numbers]
        if json:
            print_json([_as_json(elements, *each) for each in tables])
        for number, records, table in () if json else tables:
            where = elements.xpath(elements.parent[records[0][0]])
            print(f"{number}  {plural(len(records), 'record')}  {where}")
            more = len(table.names) - _SHOWN
            print("  ", *table.names[:_SHOWN], f"and {more} more" if more > 0 else "", sep=" | ")
    if not found:
        note("no records found on this page")
    return 0


def _print_csv(page: Elements, found: list[RecordSet], number: int | None) -> None:
    if not found:
        return
    texts = [sum(len(page.text(row)) for each in one for row in each) for one in found]
    records = found[texts.index(max(texts)) if number is None else number - 1]
    table = table_of(page, records)
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow([guard_cell(name) for name in table.names])
    writer.writerows([guard_cell(value or "") for value in row] for row in table.rows)


def _as_json(page: Elements, number: int, records: RecordSet, table: RecordTable) -> dict[str, Any]:
    return {
        "list": number,
        "names": table.names,
        "records": [
            {
                "xpaths": [page.xpath(row) for row in record],
                "fields": {
                    name: value
                    for name, value in zip(table.names, row, strict=True)
                    if value is not None
                },
            }
            for record, row in zip(records, table.rows, strict=True)
        ],
    }


def _score(find: Finder, folder: Path, *, is_json: bool) -> int:
    rows: list[dict[str, Any]] = []
    for each in record_pages(folder):
        progress(each.name)
        page = each.elements()
        true = each.true_records(page)
        before = time.perf_counter()
        found = find(page)
        seconds = time.perf_counter() - before
        score = score_of(page, found, true)
        row = {"page": each.name, **score._asdict(), "found": sum(map(len, found))}
        rows.append({**row, "true": len(true), "ms": 1000 * seconds})
    if is_json:
        print_json(rows)
        return 0
    print("page      precision  recall  F1     found  true   ms")
    for row in rows:
        print(
            "{page:9} {precision:.3f}      {recall:.3f}   {f1:.3f}  "
            "{found:<6} {true:<6} {ms:.0f}".format(**row)
        )
    means = [statistics.fmean(row[name] for row in rows) for name in RecordScore._fields]
    middle = statistics.median(row["ms"] for row in rows)
    print("{:9} {:.3f}      {:.3f}   {:.3f}  ".format("mean", *means), end="")
    print(f"median {middle:.0f} ms, {plural(len(rows), 'page')}")
    return 0
