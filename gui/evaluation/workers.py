"""Worker processes for segmentation: each has one browser, and whatever befalls it costs one page.

The caller hands out pages and gets them back as they are done, in any order.  A worker says after
each step how it went, so that one that dies or hangs takes down only the step it was at: a page
that cannot be rendered, or one method on it; the rest is done by the next worker.  Workers are
replaced before they grow, and end when the caller does.
"""

import logging
import os
import time
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import islice
from multiprocessing import connection, get_context
from multiprocessing.context import SpawnProcess
from pathlib import Path

from algorithms.batch import RunStatus
from algorithms.block_batch import BlockRun
from gui.evaluation.page_work import Message, PageFacts, PageTask, Work, serve

log = logging.getLogger(__name__)

_PAGES_A_PROCESS = 100
_TICK_S = 0.5
_GRACE_S = 2.0
_LOOK_AHEAD = 16
_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


@dataclass(frozen=True)
class PageDone:
    """A page with one run for each setup; without facts it could not be rendered."""

    task: PageTask
    facts: PageFacts | None
    runs: tuple[BlockRun, ...]


def run_in_workers(
    tasks: Iterable[PageTask], work: Work, jobs: int, states: list[str] | None = None
) -> Iterator[PageDone]:
    """Run all setups on all pages in ``jobs`` processes; pages come back as they are done.

    Args:
        tasks: What to do.
        work: How.
        jobs: How many processes.
        states: Is kept up to date with what each worker is at.
    """
    waiting = deque(_Page(task) for task in tasks)
    workers = [_Worker(work) for _ in range(min(jobs, len(waiting)))]
    try:
        while True:
            for worker in workers:
                if worker.page is None and waiting:
                    taken = {w.gold for w in workers if w.page is not None}
                    worker.begin(_next_for(worker, waiting, taken))
            busy = [worker for worker in workers if worker.page is not None]
            if states is not None:
                states[:] = [worker.state for worker in busy]
            if not busy:
                return
            connection.wait([worker.pipe for worker in busy], _TICK_S)
            for worker in busy:
                page = worker.look()
                if page is None:
                    continue
                if page.is_done(work):
                    yield PageDone(page.task, page.facts, tuple(page.runs))
                else:
                    waiting.appendleft(page)
    finally:
        for worker in workers:
            worker.end()
        for worker in workers:
            worker.bury()


def _next_for(worker: "_Worker", waiting: "deque[_Page]", taken: set[Path | None]) -> "_Page":
    """Take the next page, better another variant of the one the worker has just had.

    It has read that one's folder, and compared many of its texts, already.
    """
    ahead = [page.task.gold for page in islice(waiting, _LOOK_AHEAD)]
    first = next((k for k, gold in enumerate(ahead) if gold == worker.gold), None)
    if first is None:
        first = next((k for k, gold in enumerate(ahead) if gold not in taken), 0)
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
    """A page that is being worked on, by one worker after another if need be."""

    task: PageTask
    facts: PageFacts | None = None
    runs: list[BlockRun] = field(default_factory=list)

    def is_done(self, work: Work) -> bool:
        """Whether each setup has its run."""
        return len(self.runs) == len(work.setups)

    def fail(self, work: Work, run: BlockRun, *, is_rest: bool) -> None:
        """Make a run the one of the setup that is next, or of all that are left."""
        missing = len(work.setups) - len(self.runs)
        self.runs += [run] * (missing if is_rest else min(1, missing))


class _Worker:
    """A process and what it is at."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._pages_left = 0
        self._process: SpawnProcess | None = None
        self._pipe: connection.Connection[PageTask, Message] | None = None
        self._since = 0.0
        self._is_rendered = False
        self.page: _Page | None = None
        self.gold: Path | None = None

    @property
    def pipe(self) -> "connection.Connection[PageTask, Message]":
        """Where its answers come from."""
        assert self._pipe is not None
        return self._pipe

    @property
    def state(self) -> str:
        """What it is at, in words."""
        if self.page is None:
            return "idle"
        done = len(self.page.runs)
        setups = self._work.setups
        step = setups[done].method if self._is_rendered and done < len(setups) else "rendering"
        name = self.page.task.document.name
        return f"{step} {name} for {time.monotonic() - self._since:.0f} s"

    def begin(self, page: _Page) -> None:
        """Hand it a page; a new process if there is none."""
        if self._process is None or not self._pages_left or not self._process.is_alive():
            self.end()
            self.bury()
            # Spawned, not forked: Chromium starts only in a process that has none yet.
            context = get_context("spawn")
            self._pipe, theirs = context.Pipe()
            self._process = context.Process(target=serve, args=(theirs, self._work), daemon=True)
            with _one_thread():
                self._process.start()
            theirs.close()
            self._pages_left = _PAGES_A_PROCESS
        self._pages_left -= 1
        self.gold = page.task.gold
        self.page, self._is_rendered, self._since = page, False, time.monotonic()
        try:
            self.pipe.send(replace(page.task, start=len(page.runs)))
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
                if isinstance(message, PageFacts):
                    self.page.facts, self._is_rendered = message, True
                elif isinstance(message, BlockRun):
                    self.page.runs.append(message)
                else:
                    failed = BlockRun(RunStatus.FAILED, message)
                    self.page.fail(self._work, failed, is_rest=True)
        except (EOFError, OSError):
            return self._lost(RunStatus.FAILED, f"took down the process it ran in{self._cause()}")
        if time.monotonic() - self._since > self._work.seconds:
            reason = f"took more than {self._work.seconds:g} s"
            return self._lost(RunStatus.TIMED_OUT, reason)
        return None

    def _over(self) -> _Page | None:
        page, self.page = self.page, None
        return page

    def _lost(self, status: RunStatus, what: str) -> _Page | None:
        assert self.page is not None
        who = "the method" if self._is_rendered else "rendering the page"
        log.warning("%s: %s %s", self.page.task.document.name, who, what)
        failed = BlockRun(status, f"{who} {what}")
        self.page.fail(self._work, failed, is_rest=not self._is_rendered)
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
