"""Runs a table of a paper again, by the plan of an evaluation, and writes down what came out."""

import math
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

from algorithms.core.catalogue import has_method, method
from algorithms.method import Method
from algorithms.params import Params
from annotate.datasets.cases import DEFAULT_VARIANTS, VARIANTS, DataSet
from annotate.datasets.readers import read_dataset
from annotate.evaluation.run.plan import Chosen, plan_of
from annotate.evaluation.run.run_options import EvaluationOptions, PageChoice
from annotate.evaluation.run.runner import Watcher, carry_out
from annotate.evaluation.store.rows import COUNTS
from annotate.evaluation.tables.published import (
    COUNTED,
    MeasuredFigures,
    PublishedColumn,
    PublishedRow,
    PublishedTable,
)
from annotate.evaluation.tables.summaries import SetupGroup
from engine.bounded_file import atomic_write
from engine.errors import InputError, convert_os_error
from engine.words import join_words


def rerun(
    table: PublishedTable,
    sources: Sequence[str],
    options: EvaluationOptions,
    watcher: Watcher,
    choice: PageChoice | None = None,
) -> MeasuredFigures:
    """Evaluate the methods of a table on data sets and return its own figures; blocks.

    Raises:
        InputError: Pagelet runs none of its methods, or these are not its data.
    """
    if not table.is_runnable:
        raise InputError(f"{table.id} has no figure that Pagelet computes: {table.data.where}")
    inputs = tuple(table.input.split(",")) if table.input else None
    variants = tuple(each for each in VARIANTS if each in (inputs or ())) or DEFAULT_VARIANTS
    datasets = tuple(read_dataset(source, variants) for source in sources)
    _check(table, datasets)
    if choice is not None:
        datasets = tuple(map(choice.taken_of, datasets))
    rows = _runnable_rows(table, watcher)
    measures = dict.fromkeys(each.measure for each in table.columns if each.measure)
    options = replace(options, word_unit=table.word_unit)
    plan = plan_of(datasets, _methods(rows), options, measures=",".join(measures), inputs=inputs)
    done = carry_out(plan, watcher)
    if not done.is_whole:
        raise InputError("stopped before all pages were done")
    figures = tuple(
        tuple(_figure(row, column, done.groups, datasets) for column in table.columns)
        for row in table.rows
    )
    return MeasuredFigures(
        date.today(),
        _command(table, sources, choice),
        _pages(done.groups),
        _versions(table),
        figures,
    )


def _check(table: PublishedTable, datasets: Sequence[DataSet]) -> None:
    names = [each.name for each in datasets]
    wanted = [*dict.fromkeys(each.data for each in table.columns if each.data)]
    if wanted and not set(wanted) & set(names):
        raise InputError(
            f"{table.id} is of the data sets {join_words(wanted)}, got {join_words(names)}"
        )
    if not wanted and len(datasets) > 1:
        raise InputError(f"{table.id} is of one data set, got {join_words(names)}")
    for each in datasets:
        if table.data.origin and each.origin != table.data.origin:
            raise InputError(f"{table.id} is of {table.data.name}, and {each.name} is not that")


def _runnable_rows(table: PublishedTable, watcher: Watcher) -> tuple[PublishedRow, ...]:
    """Return the rows whose methods are installed; reports the others."""
    named = [row for row in table.rows if row.method]
    missing = [row.method for row in named if not has_method(row.method)]
    how = "pip install pagelet[external]"
    if len(missing) == len(named):
        raise InputError(f"{table.id} needs {join_words(missing)}, not installed here: {how}")
    if missing:
        watcher.say(f"left out, since not installed: {join_words(missing)} ({how})")
    return tuple(row for row in named if row.method not in missing)


def _methods(rows: Sequence[PublishedRow]) -> tuple[Chosen, ...]:
    chosen = {}
    for row in rows:
        entry = method(row.method)
        chosen[row.method, _params(entry, row)] = entry
    return tuple(Chosen(entry, params) for (_, params), entry in chosen.items())


def _params(entry: Method, row: PublishedRow) -> Params:
    try:
        return entry.params.parse(row.values)
    except InputError as error:
        raise InputError(f"{row.label}: {error}") from error


def _figure(
    row: PublishedRow,
    column: PublishedColumn,
    groups: Mapping[str, Sequence[SetupGroup]],
    datasets: Sequence[DataSet],
) -> float:
    """Return one figure; NaN where none was computed."""
    name = column.data or datasets[0].name
    if not (column.measure and name in groups and row.method and has_method(row.method)):
        return math.nan
    params = _params(method(row.method), row)
    group = next(
        (e for e in groups[name] if (e.setup.method, e.setup.params) == (row.method, params)), None
    )
    if group is None:
        return math.nan
    summary = group.summaries.get(column.measure)
    if summary is None:
        return math.nan
    if column.statistic in COUNTED:
        counts = group.counts[column.measure]
        value = dict(zip(COUNTS, counts, strict=True))[column.statistic] if counts else None
    elif column.statistic in ("deviation", "median"):
        value = getattr(summary.values, column.statistic)
    else:
        value = getattr(summary, column.statistic)
    return math.nan if value is None else round(float(value), 4)


def _pages(groups: Mapping[str, Sequence[SetupGroup]]) -> int:
    """Return on how many pages most of its methods were to be scored, over all data sets."""
    return sum(
        max((g.pages(m) for g in mine for m in g.measures), default=0) for mine in groups.values()
    )


def _versions(table: PublishedTable) -> dict[str, str]:
    named = (row.method for row in table.rows if row.method)
    keys = dict.fromkeys(key for key in named if has_method(key))
    return {key: method(key).version for key in keys if method(key).version}


def _command(table: PublishedTable, sources: Sequence[str], choice: PageChoice | None) -> str:
    """Return the typed command, without paths of this machine."""
    name = table.path.name if table.path.parent.name != "museum" else table.id
    words = ["pagelet", "reproduce", name, *(Path(source).name for source in sources)]
    if choice is not None and not choice.is_all:
        for flag, value in (("--limit", choice.limit), ("--sample", choice.sample)):
            words += [] if value is None else [flag, str(value)]
        words += ["--seed", str(choice.seed)] if choice.seed else []
    return shlex.join(words)


def record(table: PublishedTable, measured: MeasuredFigures) -> None:
    """Write the measured figures to the end of a table's file, replacing earlier ones.

    Raises `InputError`.
    """
    with convert_os_error(f"read {table.path}"):
        text = table.path.read_text(encoding="utf-8")
    before = text.partition("\n[measured]\n")[0].rstrip("\n")
    with atomic_write(table.path) as beside:
        beside.write_text(f"{before}\n\n{measured_as_toml(measured)}", encoding="utf-8")


def measured_as_toml(measured: MeasuredFigures) -> str:
    """Return the measured figures as a part of a file."""
    lines = ["[measured]", f"date = {measured.day.isoformat()}"]
    lines += [f"command = {_quoted(measured.command)}", f"pages = {measured.pages}"]
    if measured.versions:
        pairs = ", ".join(f"{_quoted(k)} = {_quoted(v)}" for k, v in measured.versions.items())
        lines.append(f"versions = {{ {pairs} }}")
    figures = ("  [" + ", ".join(map(_digits, line)) + "]," for line in measured.figures)
    return "\n".join([*lines, "figures = [", *figures, "]", ""])


def _digits(value: float) -> str:
    return "nan" if math.isnan(value) else f"{value:.4f}".rstrip("0").ljust(3, "0")


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
