"""Runs a plan and writes its results.

The folder of the plan gets ``scores.csv`` (one row a page, method, input and measure, as each page
is done), ``summary.csv`` (one a data set, method, input and measure), both again as
``scores.sqlite``, with predictions the results, and the report.
"""

import logging
from collections.abc import Sequence
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import Protocol

from algorithms.core.batch import Setup
from annotate.datasets.cases import TEXT, Key
from annotate.evaluation.report.pictures import Draw
from annotate.evaluation.report.result_files import Evaluated, facts_of, write_results
from annotate.evaluation.run.plan import Plan
from annotate.evaluation.run.reporting import make_report
from annotate.evaluation.run.run_progress import Eta, RunProgress
from annotate.evaluation.run.tasks import CaseTask, PageDone, Work, has_changed
from annotate.evaluation.run.workers import run_in_workers
from annotate.evaluation.store.predictions import Predicted
from annotate.evaluation.store.rows import ResultRow, parameters_of, version_of
from annotate.evaluation.store.run_store import PlannedRuns, RunStore
from annotate.evaluation.tables.result_table import Results
from annotate.evaluation.tables.summaries import SetupGroup
from engine.errors import InputError, convert_os_error
from engine.interrupts import defer_interrupts
from engine.page_cache import default_folder, tidy
from engine.web.renderer import renderer_name
from engine.words import plural


class Watcher(Protocol):
    """Follows a run, from the thread that carries it out."""

    def say(self, line: str) -> None:
        """Something a user should know."""

    def progressed(self, state: RunProgress) -> None:
        """Receive the progress, from time to time and whenever a page is done."""

    def page_done(self, key: Key, rows: Sequence[ResultRow]) -> None: ...

    def is_stopped(self) -> bool:
        """Whether to stop; finished pages are kept."""


def carry_out(plan: Plan, watcher: Watcher, draw: Draw | None = None) -> Evaluated:
    """Carry a plan out; blocks, while worker processes do the work.

    Args:
        plan: The plan.
        watcher: Receives the progress, and can stop the run.
        draw: Draws the pictures of the report; without it the report has none.

    Raises:
        InputError: The folder cannot be written to, or holds another evaluation.
        KeyboardInterrupt: Ctrl-C; the pages that are done are kept.
    """
    for dataset in plan.datasets:
        for problem in dataset.problems:
            watcher.say(f"{dataset.name}: {problem}")
    kinds_of = cache(partial(_kinds, plan))  # most pages have the same
    kinds = PlannedRuns(lambda: ((case.key, kinds_of(setups)) for _, case, setups in plan.cases()))
    path = None if plan.options.out is None else plan.options.out / "scores.csv"
    if path is not None and not plan.options.resumes:
        _put_aside(path, watcher)
    with RunStore(path, kinds, resumes=plan.options.resumes) as store:
        predicted = None
        if plan.options.predictions and plan.options.out is not None:
            predicted = Predicted(plan.options.out / "predictions")
            predicted.begin(kinds, resumes=plan.options.resumes)
        where = f" in {path}, and --resume goes on with the others" if path else " done"
        try:
            is_whole = _run(plan, len(kinds), store, predicted, watcher)
        except (KeyboardInterrupt, InputError):
            watcher.say(f"stopped; {store.done} of {len(kinds)} pages are{where}")
            raise
        if not is_whole:
            watcher.say(f"stopped; {store.done} of {len(kinds)} pages are{where}")
            return _evaluated(plan, store, is_whole=False)
        try:
            return _finish(plan, store, predicted, watcher, draw)
        except (KeyboardInterrupt, InputError):
            if path is not None:
                watcher.say(f"stopped; all rows are in {path}, and --resume writes the rest")
            raise


def _put_aside(path: Path, watcher: Watcher) -> None:
    """Keep the rows of an earlier run, which may have taken hours, from being written over."""
    before = path.with_name(f"{path.stem}.before{path.suffix}")
    with convert_os_error(f"write to {path.parent}"):
        if not path.is_file():
            return
        with path.open("rb") as file:
            has_rows = len(list(islice(file, 2))) > 1
        if has_rows:
            path.replace(before)
            watcher.say(f"the earlier rows of {path} are now in {before}")


def _finish(
    plan: Plan, store: RunStore, predicted: Predicted | None, watcher: Watcher, draw: Draw | None
) -> Evaluated:
    """Write the final files when all pages are done."""
    store.finish()
    if predicted is not None:
        predicted.finish(
            {
                dataset.name: {name: files[""] for name, files in dataset.pages}
                for dataset in plan.datasets
                if TEXT in dataset.golds and not dataset.is_package
            }
        )
    result = _evaluated(plan, store)
    if plan.options.out is not None:
        write_results(plan.options.out, store.lines(), result.groups)
        if plan.options.report != "none":
            watcher.say("Writing the report")
            make_report(plan, result.results, draw, watcher.say, watcher.is_stopped)
    return result


def _evaluated(plan: Plan, store: RunStore, *, is_whole: bool = True) -> Evaluated:
    facts = facts_of(plan.datasets)
    return Evaluated.of(store, facts, partial(_groups, plan), is_whole=is_whole)


def _kinds(plan: Plan, setups: Sequence[Setup]) -> frozenset[tuple[str, str, str, str]]:
    return frozenset(
        (setup.method, version_of(setup), parameters_of(setup), measure.key)
        for setup in setups
        for measure in plan.measures.of(setup.entry)
    )


def _run(
    plan: Plan, total: int, store: RunStore, predicted: Predicted | None, watcher: Watcher
) -> bool:
    """Run the remaining tasks; return whether all is done then."""
    with defer_interrupts():
        renderer = renderer_name()
    _drop_older(store, renderer, plan, watcher)
    done = store.done if predicted is None else sum(map(store.has, predicted.pages))
    # Made as workers come to them: 100,000 pages and their gold are no small list.  None is done
    # before it was made, unless that was in an earlier run.
    todo = (
        CaseTask(number, case, setups)
        for number, (_, case, setups) in enumerate(plan.cases())
        if not (store.has(case.key) and (predicted is None or case.key in predicted.pages))
    )
    is_verbose = logging.getLogger().isEnabledFor(logging.DEBUG)
    work = Work(plan.measures.keys, renderer, plan.options, is_verbose=is_verbose)
    states: list[str] = []
    eta = Eta(total, done, states)
    watcher.progressed(eta.state)
    pages = run_in_workers(todo, work, plan.options.jobs, states)
    try:
        for page in pages:
            if watcher.is_stopped():
                return False
            if page is not None:
                _keep(page, plan, renderer, store, predicted, watcher)
                eta.step()
            watcher.progressed(eta.state)
    finally:
        pages.close()
        if plan.options.cache == default_folder():  # a folder that was named is the user's own
            tidy(plan.options.cache)
    return True


def _drop_older(store: RunStore, renderer: str, plan: Plan, watcher: Watcher) -> None:
    """Forget pages of a resumed run that were drawn or counted otherwise, or changed since.

    Otherwise is by another browser engine, with other fonts, or by another unit of words; a page is
    changed, too, where its gold is.
    """
    if others := store.drop_others("word_unit", plan.options.word_unit):
        watcher.say(f"{plural(others, 'page')} scored with another word unit: run again")
    if older := store.drop_others("renderer", renderer):
        watcher.say(f"{plural(older, 'page')} rendered by another version: run again")
    if not plan.options.resumes or not store.done:
        return
    changed = [
        case.key
        for _, case, _ in plan.cases()
        if store.has(case.key) and has_changed(store.rows_of(case.key), case.files)
    ]
    if changed:
        store.drop(changed)
        watcher.say(f"{plural(len(changed), 'page')} changed since, or the gold: run again")


def _keep(
    page: PageDone,
    plan: Plan,
    renderer: str,
    store: RunStore,
    predicted: Predicted | None,
    watcher: Watcher,
) -> None:
    case, setups = page.task.case, page.task.setups
    for note in page.notes:
        watcher.say(note)
    if predicted is not None:
        gold = None if page.facts is None else page.facts.gold_text
        predicted.add(case.key, setups, page.runs, gold)
    rows = page.rows(renderer, plan.measures, plan.options.word_unit)
    store.add(case.key, rows)
    watcher.page_done(case.key, rows)


def _groups(plan: Plan, results: Results) -> dict[str, list[SetupGroup]]:
    groups: dict[str, list[SetupGroup]] = {dataset.name: [] for dataset in plan.datasets}
    made = set()
    for dataset, case, setups in plan.cases():
        for setup in setups:
            kind = dataset.name, case.input, setup.method, parameters_of(setup)
            if kind not in made:
                made.add(kind)
                measures = plan.measures.of(setup.entry)
                group = SetupGroup(setup, case.input, results, dataset.name, measures)
                groups[dataset.name].append(group)
    return groups
