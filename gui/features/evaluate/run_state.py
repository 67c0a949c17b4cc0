"""Progress of an evaluation, in pages and words, and its plan."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from algorithms.core.batch import measures_of
from algorithms.core.catalogue import method
from annotate.datasets.case_files import PageFiles
from annotate.datasets.cases import Key
from annotate.datasets.site_pages import Siblings
from annotate.evaluation.run.open_pages import dataset_of
from annotate.evaluation.run.plan import Chosen, Plan
from annotate.evaluation.run.run_options import EvaluationOptions
from annotate.evaluation.run.run_progress import RunProgress
from annotate.evaluation.tables.axes import Column, ListedPage
from annotate.workspace.workspace import Workspace
from engine.document import Document
from engine.words import plural
from gui.core.background_run import BackgroundWork, jobs


@dataclass(frozen=True)
class Request:
    """Request for an evaluation.

    Attributes:
        pages: Rows of the table.
        columns: Methods as they are set up.
        left_out: Pages and methods of these that need not be run.
    """

    pages: tuple[int, ...]
    columns: tuple[Column, ...]
    left_out: frozenset[tuple[int, Column]] = frozenset()

    @property
    def inputs(self) -> int:
        """Largest number of inputs read per page."""
        return len({column.input for column in self.columns})

    def inputs_of(self, page: int) -> int:
        """Return the number of inputs read of one page."""
        return len({c.input for c in self.columns if (page, c) not in self.left_out})


Evaluate = Callable[[Request], BackgroundWork]
"""Prepares the work on the window's thread; raises `PageletError` on failure."""


@dataclass
class RunState:
    """State of one evaluation.

    Attributes:
        request: Request that is evaluated.
        notes: Messages on single pages.
        state: Its progress in pages, each with all its inputs; None until known.
        words: Its outcome; "" before the end.
        needed: Number of inputs read, by name of page, where not all are.
    """

    request: Request
    notes: list[str] = field(default_factory=list)
    state: RunProgress | None = None
    words: str = ""
    needed: Mapping[str, int] = field(default_factory=dict)
    _began: float = field(default_factory=time.monotonic)
    _inputs: dict[str, int] = field(default_factory=dict)

    def add(self, key: Key) -> None:
        """Add a page finished in one of its inputs; they come in any order."""
        self._inputs[key[1]] = self._inputs.get(key[1], 0) + 1

    @property
    def done(self) -> int:
        """Number of pages finished in all inputs."""
        every = self.request.inputs
        return sum(n >= self.needed.get(name, every) for name, n in self._inputs.items())

    def progress(self, state: RunProgress) -> float:
        """Update the progress; return the finished share, 0 to 1."""
        speed, total = state.pages_per_s / self.request.inputs, len(self.request.pages)
        self.state = replace(state, done=self.done, total=total, pages_per_s=speed)
        return state.done / state.total if state.total else 0.0  # inputs are the finer count

    def end(self, problem: str, *, was_stopped: bool) -> None:
        """Set how the evaluation ended."""
        pages = plural(self.done, "page")
        if problem:
            self.notes.append(problem)
            self.words = f"Interrupted after {pages}"
        elif was_stopped:
            self.words = f"Stopped after {pages}"
        else:
            self.words = f"{pages} in {duration(time.monotonic() - self._began)}"


def duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


def progress_words(state: RunProgress) -> str:
    """Return the progress of an evaluation in words."""
    words = [f"{state.done} of {state.total} pages"]
    if state.pages_per_s > 0:
        words.append(f"{state.pages_per_s:.1f} pages/s")
    if state.seconds_left is not None and state.done < state.total:
        words.append(f"{duration(state.seconds_left)} left")
    return "  ·  ".join(words)


def plan_of(
    request: Request,
    pages: Sequence[ListedPage],
    documents: Sequence[Document],
    workspace: Workspace,
    given: Mapping[str, PageFiles],
) -> Plan:
    """Return the plan of an evaluation; reads the workspace, so on the window's thread.

    ``given`` gives by page key the location of gold that comes with a page.
    """
    named = [(pages[row].name, documents[row]) for row in request.pages]
    of_sites = any(method(column.method).reads_site for column in request.columns)
    known = Siblings(documents, given) if of_sites else None
    dataset = dataset_of(
        pages[0].dataset, named, workspace, given, known.of if known else lambda _document: ()
    )
    return Plan(
        (dataset,),
        tuple(map(_chosen, request.columns)),
        measures_of("all,predicted"),
        options=EvaluationOptions(jobs=jobs(len(named))),
        left_out=frozenset((pages[row].name, column.method) for row, column in request.left_out),
    )


def _chosen(column: Column) -> Chosen:
    entry = method(column.method)
    return Chosen(entry, entry.params(**column.values), input=column.input)
