"""Many methods on many pages, without a screen: cases in, runs out, nothing lost on the way.

A run is one method with its parameters on one input of one page.  Whatever happens to it is its
status: ok, empty (it found nothing), failed or timed out with the reason, skipped with the reason.
A page that cannot be read or rendered, and a method that takes its process down, cost themselves
only.

Time is that of the method alone on a document of its own, reading the document into tokens and tree
included and shared with no other method, so that it can be set beside what others take for parsing
and extracting.
"""

import logging
import signal
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from multiprocessing import get_context
from typing import Any

import numpy as np

from algorithms.catalogue import method
from algorithms.evaluation import Outcome, Status, attempt
from algorithms.measures.named import Comparison, GoldText, TextMeasure, text_measures
from algorithms.measures.prf import Score
from algorithms.method import Method
from algorithms.params import Params
from algorithms.results import Extraction
from engine.archive import pack, unpack
from engine.page import Input, Page
from engine.source import Source

log = logging.getLogger(__name__)

Value = bool | int | float | str

_TASKS_A_PROCESS = 200
"""Pages after which a worker process is replaced, lest it grow."""


class RunStatus(StrEnum):
    """How a run ended."""

    OK = "ok"
    EMPTY = "empty"
    FAILED = "failed"
    TIMED_OUT = "timed out"
    SKIPPED = "skipped"


@dataclass(frozen=True)
class Setup:
    """What is run on every page: a method, its parameters, and which input it reads."""

    method: str
    params: Params
    input: Input

    @cached_property
    def entry(self) -> Method:
        """The method."""
        return method(self.method)

    def __getstate__(self) -> tuple[str, Mapping[str, Value], Input]:
        # Parameter classes of methods found at run time cannot be pickled by name.
        return self.method, self.params.as_dict(), self.input

    def __setstate__(self, state: tuple[str, Mapping[str, Value], Input]) -> None:
        key, values, source = state
        object.__setattr__(self, "method", key)
        object.__setattr__(self, "input", source)
        object.__setattr__(self, "params", method(key).params(**values))


@dataclass(frozen=True, eq=False)
class Case:
    """A page with its gold.

    Attributes:
        dataset, name: Where it is from, and what it is called there.
        page: Nothing on it needs to be computed yet; None if it could not be read.
        gold: Its main content as a text; None if nobody marked it.
        size: Bytes of the document as received.
        problems: Input → why the page could not be had in this form: a failure.
        absent: Input → why nobody could have it in this form: a reason to skip it.
        renderer: What rendered it, with version; "" if nothing did.
    """

    dataset: str
    name: str
    page: Page | None
    gold: str | None
    size: int = 0
    problems: Mapping[str, str] = field(default_factory=dict)
    absent: Mapping[str, str] = field(default_factory=dict)
    renderer: str = ""

    def __getstate__(self) -> dict[str, Any]:
        # Rendered nodes travel as they are stored: their columns hold views that do not pickle.
        page = self.page
        is_rendered = page is not None and page.nodes is not None
        return {**self.__dict__, "page": pack(page) if page and is_rendered else page}

    def __setstate__(self, state: dict[str, Any]) -> None:
        page = state["page"]
        self.__dict__.update(state, page=unpack(page) if isinstance(page, bytes) else page)


@dataclass(frozen=True)
class Run:
    """One method on one input of one page.

    Attributes:
        setup: What was run.
        status: How it ended.
        reason: Why, where it is neither ok nor empty.
        seconds: None where it did not run.
        text: What it extracted; None where it gave nothing to score.
        unmapped: Words of the text that are not in the document, of methods of other makers.
        scores: Measure → score; without those that were not computed.
        if_missing: Measure → what an empty extraction would have scored, where there is gold.
    """

    setup: Setup
    status: RunStatus
    reason: str = ""
    seconds: float | None = None
    text: str | None = None
    unmapped: int = 0
    scores: Mapping[str, Score] = field(default_factory=dict)
    if_missing: Mapping[str, Score] = field(default_factory=dict)


Done = tuple[Case, list[Run]]


def evaluate(
    cases: Iterable[Case], setups: Sequence[Setup], measures: Sequence[str], jobs: int = 1
) -> Iterator[Done]:
    """Run every setup on every case and score it; cases come back in their order.

    Args:
        cases: Taken as they are needed, about two for each job ahead.
        setups: What to run.
        measures: Keys of text measures.
        jobs: Worker processes; 1 runs here.
    """
    if jobs <= 1:
        for case in cases:
            yield case, run_case(case, setups, measures)
        return
    yield from _in_processes(cases, setups, measures, jobs)


def run_case(case: Case, setups: Sequence[Setup], measures: Sequence[str]) -> list[Run]:
    """Run every setup on one case and score what it gives."""
    chosen = text_measures(",".join(measures)) if measures else ()
    golds: dict[Input, GoldText] = {}
    runs = []
    for setup in setups:
        reason = _why_not(case, setup)
        if reason:
            runs.append(reason)
            continue
        assert case.page is not None
        assert case.gold is not None
        if setup.input not in golds:
            golds[setup.input] = GoldText(case.gold, _source(case.page, setup.input))
        outcome = attempt(setup.entry, _fresh(case.page), setup.params, setup.input)
        runs.append(_scored(setup, outcome, golds[setup.input], chosen))
    return runs


def _why_not(case: Case, setup: Setup) -> Run | None:
    """Return a run that did not take place; None where nothing stands against it."""
    if setup.input in case.absent:
        return Run(setup, RunStatus.SKIPPED, case.absent[setup.input])
    if setup.input not in setup.entry.inputs:
        return Run(setup, RunStatus.SKIPPED, f"the method does not read the {setup.input} page")
    problem = case.problems.get(setup.input)
    if case.page is None or problem:
        return Run(setup, RunStatus.FAILED, problem or "the page cannot be read")
    if case.gold is None:
        return Run(setup, RunStatus.SKIPPED, "the page has no gold text")
    return None


def _source(page: Page, name: Input) -> Source | None:
    return page.original if name == "original" else page.dom


def _fresh(page: Page) -> Page:
    """Return the page with nothing computed yet."""
    original, dom, nodes = page.original, page.dom, page.nodes
    return replace(
        page,
        original=original and Source(original.html, original.data, original.encoding),
        dom=dom and Source(dom.html, dom.data, dom.encoding),
        nodes=nodes and replace(nodes),
    )


def _scored(setup: Setup, outcome: Outcome, gold: GoldText, measures: Sequence[TextMeasure]) -> Run:
    if not isinstance(outcome.result, Extraction):
        status = RunStatus.TIMED_OUT if outcome.timed_out else RunStatus.FAILED
        nothing = Extraction(gold.extraction.source, np.zeros((0, 2), dtype=np.int32), "")
        empty = Comparison(nothing, gold)
        missing = {measure.key: measure.score(empty) for measure in measures}
        reason = outcome.error or "it gave no extraction"
        return Run(setup, status, reason, outcome.seconds, if_missing=missing)
    pair = Comparison(outcome.result, gold)
    return Run(
        setup,
        RunStatus.EMPTY if outcome.status is Status.EMPTY else RunStatus.OK,
        seconds=outcome.seconds,
        text=outcome.result.text,
        unmapped=outcome.result.unmapped,
        scores={measure.key: measure.score(pair) for measure in measures},
    )


# Worker processes --------------------------------------------------------------------------


def _in_processes(
    cases: Iterable[Case], setups: Sequence[Setup], measures: Sequence[str], jobs: int
) -> Iterator[Done]:
    waiting: deque[tuple[Case, Future[list[Run]]]] = deque()
    rest = iter(cases)
    pool = _pool(jobs)
    try:
        while True:
            while len(waiting) < 2 * jobs and (case := next(rest, None)) is not None:
                waiting.append((case, pool.submit(run_case, case, setups, measures)))
            if not waiting:
                return
            case, future = waiting.popleft()
            try:
                runs = future.result()
            except BrokenProcessPool:
                # One of those under way took its process down: find out which, one at a time.
                pool.shutdown(wait=False, cancel_futures=True)
                pool = _pool(jobs)
                yield case, _one_by_one(case, setups, measures)
                for other, _ in waiting:
                    yield other, _one_by_one(other, setups, measures)
                waiting.clear()
            else:
                yield case, runs
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _one_by_one(case: Case, setups: Sequence[Setup], measures: Sequence[str]) -> list[Run]:
    """Run each setup in a process that it may take down."""
    runs: list[Run] = []
    pool = _pool(1)
    for setup in setups:
        try:
            runs += pool.submit(run_case, case, (setup,), measures).result()
        except BrokenProcessPool:
            reason = "the method took the process down that it ran in"
            log.warning("%s on %s: %s", setup.method, case.name, reason)
            runs.append(Run(setup, RunStatus.FAILED, reason))
            pool.shutdown(wait=False)
            pool = _pool(1)
    pool.shutdown(wait=False)
    return runs


def _pool(jobs: int) -> ProcessPoolExecutor:
    # Spawned, not forked: the caller may have threads and a browser.
    return ProcessPoolExecutor(
        jobs,
        mp_context=get_context("spawn"),
        initializer=_begin,
        max_tasks_per_child=_TASKS_A_PROCESS,
    )


def _begin() -> None:
    """Leave Ctrl-C to the caller."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
