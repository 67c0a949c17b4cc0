"""Versions of methods run on the pages of data sets: each page with what each gave on it."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cached_property

from algorithms.core.batch import Run, RunStatus
from algorithms.measures.choice import main_measure
from algorithms.measures.measure import Measure
from annotate.datasets.case_files import PageFiles
from annotate.datasets.cases import DataSet
from annotate.evaluation.run.plan import Chosen, Plan, plan_of
from annotate.evaluation.run.run_options import EvaluationOptions
from annotate.evaluation.run.run_progress import Eta
from annotate.evaluation.run.runner import Watcher
from annotate.evaluation.run.tasks import CaseTask, Work
from annotate.evaluation.run.workers import run_in_workers
from annotate.evaluation.store.rows import ResultRow
from engine.errors import InputError, PageletError
from engine.page import Page
from engine.source import Source
from engine.web.renderer import renderer_name


@dataclass
class ComparedPage:
    """A page and what each version gave on it.

    Attributes:
        dataset, name: Data set and page.
        files: Its files.
        runs: By the version's key.
        rows: The same as an evaluation writes them.
    """

    dataset: str
    name: str
    files: PageFiles
    runs: dict[str, Run] = field(default_factory=dict)
    rows: list[ResultRow] = field(default_factory=list)

    @property
    def page_type(self) -> str:
        """Page type, in the data set's words; "" if unknown."""
        try:
            return self.files.page_type()
        except PageletError:
            return ""

    def read(self) -> Page:
        """Return the page as it was received, unrendered; raises `PageletError`."""
        document = self.files.document()
        return Page(document.address, Source.of(document.receive()))

    @cached_property
    def guideline(self) -> str:
        """Guideline of its gold, in words; a data set that names none has its own."""
        ref = self.files.guideline()
        return f"that of {self.dataset}" if ref is None else str(ref)

    def has_seen(self, key: str) -> bool:
        """Whether a version learned from the gold of this page."""
        return any(row.run.gold_seen for row in self.rows if row.run.method == key)

    def value(self, key: str, measure: Measure) -> float | None:
        """Return what a version scores; one that fails scores as if it had returned nothing."""
        run = self.runs.get(key)
        if run is None:
            return None
        score = run.scores.get(measure.key) or run.if_empty.get(measure.key)
        return None if score is None else score.value


def plan_for(
    datasets: Sequence[DataSet],
    sides: Sequence[Chosen],
    measure: str | None,
    options: EvaluationOptions,
) -> Plan:
    """Return the plan that runs versions on data sets, texts sent back; raises `InputError`.

    ``measure`` None is the main measure of text.
    """
    measures = measure or main_measure("text").key
    return plan_of(
        tuple(datasets), tuple(sides), replace(options, predictions=True), measures=measures
    )


def check_gold(datasets: Iterable[DataSet], part: str = "") -> None:
    """Raise `InputError` where no page has gold text, before any is run; ``part`` says which."""
    for dataset in datasets:
        for _, forms in dataset.pages:
            if any(map(_may_have_text, forms.values())):
                return
    raise InputError(f"none of these pages has gold text{part}: there is nothing to score by")


def _may_have_text(files: PageFiles) -> bool:
    try:
        return files.text(unrendered) is not None or files.snippets() is not None
    except PageletError:
        return True  # it is found when the page is run


def unrendered() -> Page:
    """Raise `InputError`: no browser is started to learn whether there is gold."""
    raise InputError("the gold is marks on the rendered page")


def run_versions(plan: Plan, watcher: Watcher) -> list[ComparedPage]:
    """Return the pages of a plan with what each method gave, in the plan's order.

    Where the watcher stops it, these are the pages that all methods were run on by then.
    """
    for dataset in plan.datasets:
        for problem in dataset.problems:
            watcher.say(f"{dataset.name}: {problem}")
    renderer = renderer_name()
    pages: dict[tuple[str, str], ComparedPage] = {}
    tasks = []
    for number, (_, case, setups) in enumerate(plan.cases()):
        pages.setdefault(case.key[:2], ComparedPage(*case.key[:2], case.files))
        tasks.append(CaseTask(number, case, setups))
    states: list[str] = []
    eta = Eta(len(tasks), 0, states)
    work = Work(plan.measures.keys, renderer, plan.options)
    with closing(run_in_workers(tasks, work, plan.options.jobs, states)) as done:
        for each in done:
            if watcher.is_stopped():
                break
            if each is not None:
                page = pages[each.task.case.key[:2]]
                methods = (setup.method for setup in each.task.setups)
                page.runs.update(zip(methods, each.runs, strict=True))
                page.rows += each.rows(renderer, plan.measures, plan.options.word_unit)
                eta.step()
            watcher.progressed(eta.state)
    order = {side.entry.key: number for number, side in enumerate(plan.methods)}
    for page in pages.values():
        page.rows.sort(key=lambda row: order[row.run.method])
    return [page for page in pages.values() if order.keys() <= page.runs.keys()]


def input_of(pages: Iterable[ComparedPage], key: str) -> str:
    """Return what a version read on pages: an input, or some with commas."""
    runs = (row.run for page in pages for row in page.rows)
    return ", ".join(dict.fromkeys(run.input for run in runs if run.method == key))


def guidelines_of(pages: Iterable[ComparedPage]) -> tuple[str, ...]:
    """Return by which guidelines the gold of pages was made, each once."""
    return tuple(dict.fromkeys(page.guideline for page in pages))


def mixes_guidelines(names: Sequence[str]) -> str:
    """Return a sentence on a mean over gold of several guidelines, "" where there is but one."""
    if len(names) < 2:
        return ""
    return f"the mean mixes gold of {len(names)} guidelines: {', '.join(names)}"


def rows_in(pages: Sequence[ComparedPage]) -> tuple[ResultRow, ...]:
    """Return the rows of all pages."""
    return tuple(row for page in pages for row in page.rows)


def failures_of(pages: Sequence[ComparedPage], sides: Sequence[Chosen]) -> Mapping[str, str]:
    """Return why each version that failed on every page did so on the first."""
    failed = (RunStatus.FAILED, RunStatus.TIMED_OUT)
    return {
        side.entry.key: pages[0].runs[side.entry.key].reason
        for side in sides
        if pages and all(page.runs[side.entry.key].status in failed for page in pages)
    }
