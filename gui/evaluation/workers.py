"""Worker processes: each has one browser, and whatever befalls it costs one step of one page.

The caller hands out cases and gets them back as they are done, in any order.  A worker says before
each step what it is at, so that one that dies or hangs takes down only that: rendering a page, or
one method on it; the rest is done by the next worker.  Workers are replaced before they grow, and
end when the caller does.
"""

import logging
import os
import time
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import islice
from multiprocessing import connection, get_context
from multiprocessing.context import SpawnProcess

from algorithms.batch import Run, RunStatus
from gui.ctrl_c import kept_from_children
from gui.evaluation.page_work import (
    READING,
    RENDERING,
    STARTING,
    Message,
    PageFacts,
    Step,
    Task,
    Work,
    serve,
)

log = logging.getLogger(__name__)

_PAGES_A_PROCESS = 100
_TICK_S = 0.3
_GRACE_S = 2.0
_LOOK_AHEAD = 16
_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
_FALSE_STARTS = 2
_START_S = 120.0
"""What a process may take to come up, however little a step may."""

_Place = tuple[str, ...]
"""Data set and page."""


@dataclass(frozen=True)
class PageDone:
    """A case with one run for each setup; without facts its document could not be read."""

    task: Task
    facts: PageFacts | None
    runs: tuple[Run, ...]


def run_in_workers(
    tasks: Iterable[Task], work: Work, jobs: int, states: list[str] | None = None
) -> Generator[PageDone | None]:
    """Run tasks in ``jobs`` processes; they come back as they are done.

    Args:
        tasks: What to do.
        work: How.
        jobs: How many processes.
        states: Is kept up to date with what each worker is at.

    Yields:
        None now and then while nothing is done, so that the caller can stop.
    """
    waiting = deque(_Page(task) for task in tasks)
    workers = [_Worker(work) for _ in range(min(jobs, len(waiting)))]
    told = time.monotonic()
    try:
        while True:
            for worker in workers:
                if worker.page is None and waiting:
                    taken = {w.place for w in workers if w.page is not None}
                    worker.begin(_next_for(worker, waiting, taken))
            busy = [worker for worker in workers if worker.page is not None]
            if states is not None:
                states[:] = [worker.state for worker in busy]
            if not busy:
                return
            connection.wait([worker.pipe for worker in busy], _TICK_S)
            if time.monotonic() - told > _TICK_S:
                told = time.monotonic()
                yield None
            for worker in busy:
                page = worker.look()
                if page is None:
                    continue
                if page.is_done:
                    yield PageDone(page.task, page.facts, tuple(page.runs))
                else:
                    waiting.appendleft(page)
    finally:
        for worker in workers:
            worker.end()
        for worker in workers:
            worker.bury()


def _next_for(worker: "_Worker", waiting: "deque[_Page]", taken: set[_Place | None]) -> "_Page":
    """Take the next page, better another input of the one the worker has just had.

    It has read that one's folder, and compared many of its texts, already.
    """
    ahead = [page.place for page in islice(waiting, _LOOK_AHEAD)]
    first = next((k for k, place in enumerate(ahead) if place == worker.place), None)
    if first is None:
        first = next((k for k, place in enumerate(ahead) if place not in taken), 0)
    page = waiting[first]
    del waiting[first]
    return page


@contextmanager
def _one_thread() -> Iterator[None]:
    """Make processes that are started meanwhile multiply matrices in one thread each.

    There are as many workers as the user wants processors to be busy.
    """
    before = {name: os.environ.get(name) for name in _THREADS}
    os.environ.update(dict.fromkeys(_THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@dataclass(eq=False)
class _Page:
    """A case that is being worked on, by one worker after another if need be."""

    task: Task
    facts: PageFacts | None = None
    runs: list[Run] = field(default_factory=list)
    unrendered: Run | None = None
    false_starts: int = 0

    @property
    def is_done(self) -> bool:
        """Whether each setup has its run."""
        return len(self.runs) == len(self.task.setups)

    @property
    def place(self) -> _Place:
        """Which page it is, whatever the input."""
        return self.task.case.key[:2]

    @property
    def rest(self) -> Task:
        """What is still to be done."""
        return replace(self.task, start=len(self.runs), unrendered=self.unrendered)

    def lose(self, step: Step, status: RunStatus, what: str) -> None:
        """Note that a worker was lost at a step."""
        if self.is_done:
            return
        if step == STARTING and self.false_starts < _FALSE_STARTS:
            self.false_starts += 1  # it died before it looked at the page
        elif step == RENDERING:
            self.unrendered = Run(status, f"rendering the page {what}")
        elif step in (STARTING, READING):
            # The other methods of its kind would read the same, and be lost at it one by one.
            lost = Run(status, f"reading the page and its gold {what}")
            kind = self._kind
            while not self.is_done and self._kind == kind:
                self.runs.append(lost)
        else:
            self.runs.append(Run(status, f"the method {what}"))

    @property
    def _kind(self) -> tuple[bool, str]:
        """What the next method gives, of which form of the page."""
        setup = self.task.setups[len(self.runs)]
        return setup.is_extractor, setup.input


class _Worker:
    """A process and what it is at."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._pages_left = 0
        self._process: SpawnProcess | None = None
        self._pipe: connection.Connection[Task, Message] | None = None
        self._since = 0.0
        self._step = STARTING
        self.page: _Page | None = None
        self.place: _Place | None = None

    @property
    def pipe(self) -> "connection.Connection[Task, Message]":
        """Where its answers come from."""
        assert self._pipe is not None
        return self._pipe

    @property
    def state(self) -> str:
        """What it is at, in words."""
        if self.page is None:
            return "idle"
        seconds = time.monotonic() - self._since
        since = f" for {seconds:.0f} s" if seconds >= 1 else ""
        return f"{self._step.what} {self.page.task.case.key[1]}{since}"

    def begin(self, page: _Page) -> None:
        """Hand it a page; a new process if there is none."""
        if self._process is None or not self._pages_left or not self._process.is_alive():
            self.end()
            self.bury()
            # Spawned, not forked: Chromium starts only in a process that has none yet.
            context = get_context("spawn")
            self._pipe, theirs = context.Pipe()
            self._process = context.Process(target=serve, args=(theirs, self._work), daemon=True)
            with _one_thread(), kept_from_children():
                self._process.start()
            theirs.close()
            self._pages_left = _PAGES_A_PROCESS
        self._pages_left -= 1
        self.place = page.place
        self.page, self._step, self._since = page, STARTING, time.monotonic()
        try:
            self.pipe.send(page.rest)
        except BrokenPipeError:
            log.debug("a worker ended before it was given a page")  # look() will see it

    def look(self) -> _Page | None:
        """Take in what it has said; return its page if it no longer works on it."""
        assert self.page is not None
        try:
            while self.pipe.poll():
                message = self.pipe.recv()
                self._since = time.monotonic()
                if message is None:
                    return self._over()
                if isinstance(message, Step):
                    self._step = message
                elif isinstance(message, PageFacts):
                    self.page.facts = message
                else:
                    self.page.runs.append(message)
                    self._step = READING
        except (EOFError, OSError):
            return self._lost(RunStatus.FAILED, f"took down the process it ran in{self._cause()}")
        limit = max(self._work.seconds, _START_S if self._step == STARTING else 0.0)
        if time.monotonic() - self._since > limit:
            reason = f"took more than {limit:g} s"
            return self._lost(RunStatus.TIMED_OUT, reason)
        return None

    def _over(self) -> _Page | None:
        page, self.page = self.page, None
        return page

    def _lost(self, status: RunStatus, what: str) -> _Page | None:
        assert self.page is not None
        level = logging.DEBUG if self._step == STARTING else logging.WARNING
        log.log(level, "%s: %s %s", self.page.task.case.key[1], self._step.what, what)
        self.page.lose(self._step, status, what)
        self.bury()
        return self._over()

    def _cause(self) -> str:
        if self._process is None:
            return ""
        self._process.join(_GRACE_S)
        code = self._process.exitcode
        return "" if code is None else f" (signal {-code})" if code < 0 else f" (status {code})"

    def end(self) -> None:
        """Ask it to end."""
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None

    def bury(self) -> None:
        """See to it that it has ended."""
        self.end()
        if self._process is not None:
            if self.page is None:
                self._process.join(_GRACE_S)  # it takes its browser down in good order
            if self._process.is_alive():
                self._process.kill()
            self._process.join()
            self._process = None
