"""What ``pagelet evaluate`` does: data sets and methods in, two CSV files and a table out.

``scores.csv`` has one row a page, method, input and measure, written as each page is done;
``summary.csv`` one a data set, method, input and measure.  With predictions, the extracted texts
are in ``predictions/DATASET/METHOD--INPUT.json`` for scorers that share no code with Pagelet.
"""

import csv
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

from algorithms.batch import Case, Setup, evaluate
from algorithms.catalogue import METHODS, available, method
from algorithms.measures.named import TextMeasure, text_measures
from algorithms.measures.summary import summarise
from algorithms.method import Method
from annotate.cases import DataSet, TextCase, read_dataset
from annotate.predictions import PackagePage, Predictions, write_package
from engine.errors import CaptureError, InputError
from engine.page import Input, Page
from engine.source import Source
from gui.evaluation.progress import Progress
from gui.evaluation.tables import (
    RENDERED_INPUTS,
    ROW_COLUMNS,
    SUMMARY_COLUMNS,
    Group,
    renderer_name,
    rows_of,
    settings_of,
    size_of,
    summary_row,
    table,
)

if TYPE_CHECKING:
    from engine.web.headless import Browser

VARIANTS = ("repaired",)
"""Inputs that only some data sets have, beside those of every page."""

INPUTS = ("original", "dom", "rendered", *VARIANTS)


@dataclass(frozen=True)
class Plan:
    """What to evaluate, checked before anything runs.

    Attributes:
        datasets: Where the pages are from.
        setups: What runs on each.
        measures: What it is scored by.
        out: The folder to write to.
        predictions: Whether extracted texts are written.
        jobs: Worker processes.
        no_sandbox: See `engine.web.headless.Browser`.
    """

    datasets: tuple[DataSet, ...]
    setups: tuple[Setup, ...]
    measures: tuple[TextMeasure, ...]
    out: Path
    predictions: bool = False
    jobs: int = 1
    no_sandbox: bool = False


def make_plan(
    sources: Sequence[str],
    *,
    methods: str,
    inputs: str,
    measures: str,
    settings: Sequence[str],
    out: Path,
    predictions: bool = False,
    jobs: int = 1,
    no_sandbox: bool = False,
) -> Plan:
    """Return the plan that the words of a command line say; `InputError` where they say none."""
    if jobs < 1:
        raise InputError(f"--jobs is {jobs}, want 1 or more")
    chosen = tuple(dict.fromkeys(name.strip() for name in inputs.split(",")))
    for name in chosen:
        if name not in INPUTS:
            raise InputError(f"--input is {name!r}, want some of {', '.join(INPUTS)}")
    return Plan(
        _distinct([read_dataset(source) for source in sources]),
        _setups(methods, cast("tuple[Input, ...]", chosen), settings),
        text_measures(measures),
        out,
        predictions,
        jobs,
        no_sandbox,
    )


def _distinct(datasets: Sequence[DataSet]) -> tuple[DataSet, ...]:
    names = [dataset.name for dataset in datasets]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"two data sets have the name {name}: evaluate them one by one")
    return tuple(datasets)


def _setups(methods: str, inputs: Sequence[Input], settings: Sequence[str]) -> tuple[Setup, ...]:
    entries, by_group = _entries(methods)
    texts = settings_of(entries, settings)
    if not entries:
        raise InputError(
            "no extractor of another maker is installed (pip install pagelet[external])"
        )
    setups = tuple(
        Setup(key, entry.params.parse(texts.get(key, {})), source)
        for source in inputs
        for key, entry in entries.items()
        # One asked for by name says itself that it does not read this input.
        if source in entry.inputs or source in VARIANTS or key not in by_group
    )
    if not setups:
        raise InputError(f"none of these methods reads the {' or '.join(inputs)} page")
    return setups


def _entries(methods: str) -> tuple[dict[str, Method], set[str]]:
    """Return the methods asked for, and the keys of those a group brought in."""
    extractors = [entry for entry in available() if entry.output == "extraction"]
    own = {entry.key for entry in METHODS}
    groups = {
        "all": extractors,
        "native": [entry for entry in extractors if entry.key in own],
        "external": [entry for entry in extractors if entry.key not in own],
    }
    entries: dict[str, Method] = {}
    by_group: set[str] = set()
    for word in dict.fromkeys(name.strip() for name in methods.split(",")):
        for entry in groups.get(word) or (() if word in groups else (method(word),)):
            if entry.output != "extraction":
                raise InputError(f"{word} is a method of {entry.output}: it gives no text to score")
            entries.setdefault(entry.key, entry)
            if word in groups:
                by_group.add(entry.key)
    return entries, by_group


def run_plan(plan: Plan, say: Callable[[str], None]) -> str:
    """Carry a plan out; return its table."""
    try:
        plan.out.mkdir(parents=True, exist_ok=True)
        rows_file = _opened(plan.out / "scores.csv")
        summary_file = _opened(plan.out / "summary.csv")
    except OSError as error:
        raise InputError(f"cannot write to {plan.out}: {error.strerror or error}") from error
    parts: list[str] = []
    with rows_file, summary_file, ExitStack() as stack:
        browser = _browser(plan, stack)
        rows = csv.DictWriter(rows_file, ROW_COLUMNS, restval="")
        summaries = csv.DictWriter(summary_file, SUMMARY_COLUMNS, restval="")
        rows.writeheader()
        summaries.writeheader()
        for dataset in plan.datasets:
            for problem in dataset.problems:
                say(f"{dataset.name}: {problem}")
            groups = _run_dataset(plan, dataset, browser, rows, rows_file, say)
            found = {
                (group.setup, measure.key): summarise(
                    group.pages[measure.key], is_pooled=measure.is_pooled
                )
                for group in groups
                for measure in plan.measures
            }
            for group in groups:
                for measure in plan.measures:
                    summary = found[group.setup, measure.key]
                    summaries.writerow(summary_row(dataset.name, group, measure, summary))
            summary_file.flush()
            parts.append(table(dataset.name, groups, plan.measures, found))
    parts.append(f"Rows: {plan.out / 'scores.csv'}, summary: {plan.out / 'summary.csv'}")
    return "\n\n".join(parts)


def _opened(path: Path) -> IO[str]:
    # A page may hold what no encoding can say; a row is never lost to that.
    return path.open("w", newline="", encoding="utf-8", errors="backslashreplace")


def _browser(plan: Plan, stack: ExitStack) -> "Browser | None":
    if not any(setup.input in RENDERED_INPUTS for setup in plan.setups):
        return None
    from engine.web.headless import Browser  # Qt

    return stack.enter_context(Browser(no_sandbox=plan.no_sandbox))


def _run_dataset(
    plan: Plan,
    dataset: DataSet,
    browser: "Browser | None",
    rows: "csv.DictWriter[str]",
    file: IO[str],
    say: Callable[[str], None],
) -> list[Group]:
    groups = {setup: Group(setup) for setup in plan.setups}
    predictions: dict[Setup, Predictions] = {}
    pages: list[PackagePage] = []
    keeps_nodes = any(setup.input == "rendered" for setup in plan.setups)
    cases = (_case(dataset.name, each, browser, keeps_nodes) for each in dataset.cases)
    progress = Progress(dataset.name, len(dataset.cases), say)
    keys = [measure.key for measure in plan.measures]
    for case, runs in evaluate(cases, plan.setups, keys, plan.jobs):
        for run in runs:
            size = size_of(case, run.setup.input)
            groups[run.setup].add(run, size, plan.measures)
            rows.writerows(rows_of(case, run, size, keys))
            if plan.predictions and run.text is not None:
                name = f"{run.setup.method}--{run.setup.input}"
                kept = predictions.setdefault(run.setup, Predictions(name))
                kept.output[case.name] = run.text
                kept.seconds[case.name] = run.seconds or 0.0
        file.flush()
        if plan.predictions and not dataset.is_package:
            pages.extend(_package_page(case))
        progress.step()
    folder = plan.out / "predictions"
    for kept in predictions.values():
        kept.write(folder / dataset.name / f"{kept.name}.json")
    if pages:
        write_package(folder / f"{dataset.name}.zip", dataset.name, pages)
    return list(groups.values())


# From data sets to cases -------------------------------------------------------------------


def _case(dataset: str, each: TextCase, browser: "Browser | None", keeps_nodes: bool) -> Case:
    absent = {"repaired": "the data set has no repaired pages"}
    try:
        document = each.document()
        gold = each.gold()
        received = document.receive()
    except InputError as error:
        return Case(dataset, each.name, None, None, problems=dict.fromkeys(INPUTS, str(error)))
    original = Source.from_bytes(received.data, received.charset)
    page = Page(document.address, original, title=document.title)
    problems: dict[str, str] = {}
    renderer = ""
    if browser is not None:
        renderer = renderer_name()
        try:
            page = browser.capture(document)
            if not keeps_nodes:
                page = replace(page, nodes=None)
        except (CaptureError, InputError) as error:
            problems = dict.fromkeys(RENDERED_INPUTS, str(error))
    size = len(received.data)
    return Case(dataset, each.name, page, gold, size, problems, absent, renderer)


def _package_page(case: Case) -> Iterator[PackagePage]:
    if case.page is not None and case.page.original is not None and case.gold is not None:
        original = case.page.original
        about = {"url": case.page.url, "language": "", "encoding": original.encoding}
        yield PackagePage(case.name, original.data, case.gold, about)
