"""Faults of Pagelet's files: workspaces and runs, each found by contents they hold twice.

A workspace has checksums of its rows, and a journal that leads to its marks.  A run has its rows as
CSV and in a database, a summary that follows from them, and digests of the pages and their gold.
Nothing is written: an older workspace is brought to the current format in memory.
"""

import csv
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from itertools import zip_longest
from pathlib import Path

from annotate.datasets.readers import read_dataset
from annotate.evaluation.report.result_files import groups_of, write_summary
from annotate.evaluation.run.tasks import has_changed
from annotate.evaluation.store.row_files import read_origin, read_rows, results_in
from annotate.evaluation.store.rows import ResultRow, cells
from annotate.evaluation.tables.result_table import Results
from annotate.workspace.database import BROKEN, Damaged, check_all
from annotate.workspace.workspace_file import read_only
from engine.errors import InputError, PageletError
from engine.held_files import open_held

_MOST = 20
"""Faults of one kind that are named."""


def workspace_faults(path: Path) -> list[str]:
    """Return a sentence on the first fault of a workspace, in a list; empty where it has none."""
    try:
        size, whole = path.stat().st_size, _size(path)
        with closing(read_only(path)) as db, closing(sqlite3.connect(":memory:")) as copy:
            if size < whole:
                return [f"it is cut off: {size:,} of {whole:,} bytes are there"]
            db.backup(copy)
            copy.isolation_level = None
            check_all(copy, path, is_deep=True)
    except Damaged as damage:
        return [str(damage)]
    except BROKEN as error:
        return [f"it is no whole database: {error}"]
    except PageletError as error:
        return [str(error)]
    return []


def _size(path: Path) -> int:
    """Return the bytes that a database's own file should have, by its header.

    Zero where this process has it open: another descriptor would drop its locks.
    `PRAGMA page_count` also counts pages in the log beside it.  Source: SQLite, "Database File
    Format", 1.3.
    """
    try:
        with open_held(path) as file:
            head = file.read(100)
    except OSError:
        return 0
    page = int.from_bytes(head[16:18], "big")
    is_valid = head[24:28] == head[92:96]  # the count is of the last change
    return is_valid * int.from_bytes(head[28:32], "big") * (65536 if page == 1 else page)


def is_run(path: Path) -> bool:
    """Return whether a path is a folder that an evaluation wrote, or its file of scores."""
    return results_in(path) is not None


def run_faults(path: Path) -> list[str]:
    """Return a sentence for each fault of a run; empty where it has none."""
    try:
        rows = read_rows(path)
    except InputError as error:
        return [str(error)]
    folder = path if path.is_dir() else path.parent
    result = [*_some(_wrong_scores(rows))]
    for check in (_other_rows, _wrong_summary, _changed_pages):
        try:
            result += _some(check(folder, rows))
        except (PageletError, OSError, csv.Error, UnicodeError) as error:
            result.append(str(error))
    return result


def _some(faults: Iterator[str]) -> Iterator[str]:
    for count, each in enumerate(faults):
        if count == _MOST:
            yield "there are more faults of this kind"
            return
        yield each


def _named(row: ResultRow) -> str:
    run = row.run
    return f"{row.measure} of {run.method} on {run.dataset}/{run.page} ({run.input})"


def _wrong_scores(rows: tuple[ResultRow, ...]) -> Iterator[str]:
    """Yield the scores that the stored counts do not give, and rows that are there twice."""
    known = set()
    for row in rows:
        which = (row.run.key, row.kind)
        if which in known:
            yield f"{_named(row)} has two rows"
        known.add(which)
        score = row.score
        for name, value in (("value", score.value), ("precision", score.precision),
                            ("recall", score.recall)):  # fmt: skip
            if value is not None and not value >= 0:
                yield f"{_named(row)}: its {name} is {value}"
        counts = row.counts
        if counts is None or None in (score.precision, score.recall):
            continue
        for name, value, of in (("precision", score.precision, counts.retrieved),
                                ("recall", score.recall, counts.relevant)):  # fmt: skip
            if of and value is not None and abs(counts.hits / of - value) > 1e-6:
                given = f"its counts give {counts.hits / of:.4f}"
                yield f"{_named(row)}: its {name} is {value:.4f}, {given}"


def _other_rows(folder: Path, rows: tuple[ResultRow, ...]) -> Iterator[str]:
    """Yield the rows that the two files of scores have otherwise."""
    files = [folder / name for name in ("scores.csv", "scores.sqlite")]
    if not all(file.is_file() for file in files):
        return
    one, two = ({(row.run.key, row.kind): row for row in read_rows(file)} for file in files)
    for which in one.keys() | two.keys():
        if which not in one or which not in two:
            there, lacking = files if which in one else files[::-1]
            yield f"{_named((one | two)[which])} is in {there.name} and not in {lacking.name}"
        elif cells(one[which]) != cells(two[which]):
            yield f"{_named(one[which])} differs between scores.csv and scores.sqlite"


def _wrong_summary(folder: Path, rows: tuple[ResultRow, ...]) -> Iterator[str]:
    """Yield the lines of the summary that do not follow from the rows."""
    there = folder / "summary.csv"
    if not there.is_file():
        return
    with tempfile.TemporaryDirectory() as beside:
        made = Path(beside) / "summary.csv"
        write_summary(made, groups_of(Results.of(rows)))
        pairs = zip_longest(_lines_of(there), _lines_of(made))
        for line, (stored, given) in enumerate(pairs, start=1):
            if stored != given:
                yield f"summary.csv, line {line}, does not follow from the rows"


def _lines_of(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.reader(file))


def _changed_pages(folder: Path, rows: tuple[ResultRow, ...]) -> Iterator[str]:
    """Yield the pages whose document or gold is another one by now, or is gone."""
    by_page: dict[tuple[str, str, str], list[ResultRow]] = {}
    for row in rows:
        by_page.setdefault(row.run.key, []).append(row)
    inputs = tuple(dict.fromkeys(row.run.input for row in rows))
    for path in read_origin(folder).datasets:
        dataset = read_dataset(path)
        for case in dataset.cases(inputs):
            if case.key in by_page and has_changed(by_page[case.key], case.files):
                yield f"{dataset.name}/{case.key[1]}: the page or its gold is another one by now"
