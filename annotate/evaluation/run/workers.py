"""Worker processes: each has one browser, and a failure of it costs one step of one page.

The caller hands out cases and gets them back as they are done, in any order.  A worker reports
each step before it begins, so that one that dies or hangs loses only that step: rendering a page,
or one method on it; the next worker does the rest.  Workers are replaced before they grow, and
end when the caller does.
"""

import logging
import time
from collections import deque
from collections.abc import Generator, Iterable
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from multiprocessing import connection
from typing import Any

from algorithms.core.batch import Run, RunStatus
from annotate.evaluation.run.page_work import page_worker
from annotate.evaluation.run.tasks import (
    READING,
    RENDERING,
    STARTING,
    CaseTask,
    PageDone,
    PageFacts,
    Work,
)
from engine.processes.pool import Blame
from engine.processes.worker_process import TICK_S, ProcessLost, ProcessTimeout, WorkerProcess

log = logging.getLogger(__name__)

_PAGES_A_PROCESS = 2000
_RENDERED_A_PROCESS = 100
_AHEAD = 16
_START_S = 120.0
"""What a process may take to come up, however little a step may."""

_SitePath = tuple[str, ...]
"""Data set and page."""


def run_in_workers(
    tasks: Iterable[CaseTask], work: Work, jobs: int, states: list[str] | None = None
) -> Generator[PageDone | None]:
    """Run tasks in ``jobs`` processes; yield them as they are done.

    Args:
        tasks: The tasks.
        work: Settings of the work.
        jobs: Number of processes.
        states: Is kept up to date with what each worker is at.

    Yields:
        None now and then while nothing is done, so that the caller can stop.
    """
    coming = map(_PageAtWork, tasks)
    waiting = deque(islice(coming, max(jobs, _AHEAD)))
    workers = [_PageWorker(work) for _ in range(min(jobs, len(waiting)))]
    reported = time.monotonic()
    try:
        while True:
            for worker in workers:
                if worker.page is None and waiting:
                    taken = {w.site_path for w in workers if w.page is not None}
                    worker.begin(_next_for(worker, waiting, taken))
                    waiting.extend(islice(coming, max(0, _AHEAD - len(waiting))))
            busy = [worker for worker in workers if worker.page is not None]
            if states is not None:
                states[:] = [worker.state for worker in busy]
            if not busy:
                return
            connection.wait([worker.pipe for worker in busy], TICK_S)
            if time.monotonic() - reported > TICK_S:
                reported = time.monotonic()
                yield None
            for worker in busy:
                page = worker.poll()
                if page is not None and page.is_done:
                    yield PageDone.of(page.task, page.facts, page.runs)
                elif page is not None:
                    waiting.appendleft(page)
    finally:
        for worker in workers:
            worker.close()
        for worker in workers:
            worker.end()


def _next_for(
    worker: "_PageWorker", waiting: "deque[_PageAtWork]", taken: set[_SitePath | None]
) -> "_PageAtWork":
    """Take the next page, better another input of the one the worker has just had.

    It has read that one's folder, and compared many of its texts, already.
    """
    ahead = [page.site_path for page in islice(waiting, _AHEAD)]
    others = (k for k, position in enumerate(ahead) if position not in taken)
    same = (k for k, position in enumerate(ahead) if position == worker.site_path)
    page = waiting[next(chain(same, others), 0)]
    waiting.remove(page)
    return page


@dataclass(eq=False)
class _PageAtWork:
    """A case that is being worked on, by one worker after another if need be."""

    task: CaseTask
    facts: PageFacts | None = None
    runs: list[Run] = field(default_factory=list)
    unrendered: Run | None = None
    blame: Blame = field(default_factory=Blame)

    @property
    def is_done(self) -> bool:
        return len(self.runs) == len(self.task.setups)

    @property
    def site_path(self) -> _SitePath:
        """Data set and page, without the input."""
        return self.task.case.key[:2]

    @property
    def rest(self) -> CaseTask:
        return replace(self.task, start=len(self.runs), unrendered=self.unrendered)

    def lose(self, step: str, error: ProcessLost) -> None:
        """Note that a worker was lost at a step."""
        at = None if step == STARTING else (len(self.runs), step)
        if self.is_done or self.blame.is_spared(at, error):
            return
        is_late = isinstance(error, ProcessTimeout)
        status = RunStatus.TIMED_OUT if is_late else RunStatus.FAILED
        if step == RENDERING:
            self.unrendered = Run(status, f"rendering the page {error}")
        elif step in (STARTING, READING):
            # The other methods of its kind would read the same, and be lost at it one by one.
            lost = Run(status, f"reading the page and its gold {error}")
            kind = self._kind
            while not self.is_done and self._kind == kind:
                self.runs.append(lost)
        else:
            self.runs.append(Run(status, f"the method {error}"))

    @property
    def _kind(self) -> tuple[bool, str]:
        """Output and input of the next method."""
        setup = self.task.setups[len(self.runs)]
        return setup.is_extractor, setup.input


class _PageWorker:
    def __init__(self, work: Work) -> None:
        self._work = work
        self._process: WorkerProcess[CaseTask, None] = WorkerProcess(
            page_worker, work, most=_PAGES_A_PROCESS
        )
        self._step = STARTING
        self._rendered = 0  # memory that browsers keep grows with the pages they draw
        self.page: _PageAtWork | None = None
        self.site_path: _SitePath | None = None

    @property
    def pipe(self) -> "connection.Connection[Any, Any]":
        return self._process.pipe

    @property
    def state(self) -> str:
        """Current step, for people."""
        if self.page is None:
            return "idle"
        seconds = self._process.seconds
        since = f" for {seconds:.0f} s" if seconds >= 1 else ""
        return f"{self._step} {self.page.task.case.key[1]}{since}"

    def begin(self, page: _PageAtWork) -> None:
        self.site_path = page.site_path
        self.page, self._step = page, STARTING
        if self._rendered >= _RENDERED_A_PROCESS:
            self._process.end(waits=True)
            self._rendered = 0
        self._process.hand(page.rest)

    def poll(self) -> _PageAtWork | None:
        """Receive its messages; return its page if it no longer works on it."""
        assert self.page is not None
        limit = max(self._work.options.seconds, _START_S if self._step == STARTING else 0.0)
        try:
            for is_answer, message in self._process.messages(limit):
                if is_answer:
                    return self._over()
                if isinstance(message, str):
                    self._step = message
                    self._rendered += message == RENDERING
                elif isinstance(message, PageFacts):
                    self.page.facts = message
                else:
                    self.page.runs.append(message)
                    self._step = READING
        except ProcessLost as error:
            level = logging.DEBUG if self._step == STARTING else logging.WARNING
            log.log(level, "%s: %s %s", self.page.task.case.key[1], self._step, error)
            self.page.lose(self._step, error)
            return self._over()
        return None

    def _over(self) -> _PageAtWork | None:
        page, self.page = self.page, None
        return page

    def close(self) -> None:
        self._process.close()

    def end(self) -> None:
        self._process.end(waits=self.page is None)
