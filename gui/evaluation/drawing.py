"""Pictures of a report, drawn in processes of their own: one page after the other in each.

The caller may be a window, and a page may take the process down that renders it, or never come to
an end: that costs the pictures of that page only.
"""

import logging
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from multiprocessing import connection, get_context
from multiprocessing.context import SpawnProcess
from pathlib import Path

from algorithms.batch import Setup
from annotate.casefiles import PageFiles
from annotate.cases import Key
from engine.errors import InputError
from gui.ctrl_c import kept_from_children
from gui.evaluation.page_work import end_with_parent

_PAGE_S, _PICTURE_S = 60.0, 10.0
"""What rendering a page, and each of its pictures, may take before they are given up."""
_TICK_S = 0.3
_GRACE_S = 2.0

Place = tuple[Key, str]
"""A page, and the label of the setup."""


@dataclass(frozen=True)
class Wanted:
    """A picture to draw; it travels to the process that draws it."""

    key: Key
    label: str
    files: PageFiles
    setup: Setup
    says: str
    why_not: str

    @property
    def place(self) -> Place:
        """What the report knows it by."""
        return self.key, self.label


@dataclass
class Pictures:
    """What came of drawing.

    Attributes:
        files: Where each picture is.
        problems: Why there is none.
    """

    files: dict[Place, Path] = field(default_factory=dict)
    problems: dict[Place, str] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """How many are done with, one way or the other."""
        return len(self.files) + len(self.problems)


_Answer = tuple[Mapping[Place, Path], Mapping[Place, str]] | InputError
_Page = Sequence[Wanted]


def draw_pictures(
    wanted: Sequence[Wanted],
    folder: Path,
    jobs: int,
    *,
    no_sandbox: bool = False,
    on_progress: Callable[[int], bool] = lambda _: True,
) -> Pictures:
    """Draw pictures in ``jobs`` processes, those of a page in the same one.

    Args:
        wanted: What to draw.
        folder: Where; made if it is not there.
        jobs: How many processes.
        no_sandbox: See `engine.web.headless.Browser`.
        on_progress: Is told now and then how many are done, and returns whether to go on.

    Raises:
        InputError: The folder cannot be written to.
    """
    pages: dict[Key, list[Wanted]] = {}
    for each in wanted:
        pages.setdefault(each.key, []).append(each)
    waiting: deque[_Page] = deque(pages.values())
    drawers = [_Drawer(folder, no_sandbox=no_sandbox) for _ in range(min(jobs, len(waiting)))]
    found = Pictures()
    try:
        while on_progress(found.count):
            for drawer in drawers:
                if drawer.page is None and waiting:
                    drawer.begin(waiting.popleft())
            busy = [drawer for drawer in drawers if drawer.page is not None]
            if not busy:
                break
            connection.wait([drawer.pipe for drawer in busy], _TICK_S)
            for drawer in busy:
                drawer.look(found)
    finally:
        for drawer in drawers:
            drawer.end()
    for each in wanted:
        if each.place not in found.files:
            found.problems.setdefault(each.place, "drawing was stopped before")
    return found


class _Drawer:
    """A process that draws, and what it is at."""

    def __init__(self, folder: Path, *, no_sandbox: bool) -> None:
        self._folder, self._no_sandbox = folder, no_sandbox
        self._process: SpawnProcess | None = None
        self._pipe: connection.Connection[_Page, _Answer] | None = None
        self._since = 0.0
        self.page: _Page | None = None

    @property
    def pipe(self) -> "connection.Connection[_Page, _Answer]":
        """Where its answers come from."""
        assert self._pipe is not None
        return self._pipe

    def begin(self, page: _Page) -> None:
        """Hand it a page; a new process if there is none."""
        if self._process is None:
            # Spawned, not forked: Chromium starts only in a process that has none yet.
            context = get_context("spawn")
            self._pipe, theirs = context.Pipe()
            words = theirs, self._folder, self._no_sandbox
            self._process = context.Process(target=_serve, args=words, daemon=True)
            with kept_from_children():
                self._process.start()
            theirs.close()
        self.page, self._since = page, time.monotonic()
        try:
            self.pipe.send(page)
        except OSError:
            logging.getLogger(__name__).debug("a process ended before it was given a page")

    def look(self, found: Pictures) -> None:
        """Take in what it has drawn; raises `InputError` if it cannot write."""
        assert self.page is not None
        try:
            answer = self.pipe.recv() if self.pipe.poll() else None
        except (EOFError, OSError):
            self._lose(found, "drawing took down the process it ran in")
            return
        limit = _PAGE_S + _PICTURE_S * len(self.page)
        if isinstance(answer, InputError):
            raise answer
        if answer is not None:
            found.files.update(answer[0])
            found.problems.update(answer[1])
            self.page = None
        elif time.monotonic() - self._since > limit:
            self._lose(found, f"drawing took more than {limit:g} s")

    def _lose(self, found: Pictures, why: str) -> None:
        assert self.page is not None
        found.problems.update({each.place: why for each in self.page})
        self.end()
        self.page = None

    def end(self) -> None:
        """See to it that the process has ended."""
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None
        if self._process is not None:
            if self.page is None:
                self._process.join(_GRACE_S)  # it takes its browser down in good order
            if self._process.is_alive():
                self._process.kill()
            self._process.join()
            self._process = None


def _serve(
    pipe: "connection.Connection[_Answer, _Page]",
    folder: Path,
    no_sandbox: bool,
) -> None:
    """Draw pages until the pipe closes; the body of a process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the caller's to answer
    threading.Thread(target=end_with_parent, daemon=True).start()
    logging.basicConfig(level=logging.CRITICAL)  # what goes wrong is told in the report
    from engine.web import noise  # Qt
    from engine.web.headless import Browser
    from gui.evaluation.report.pictures import Subject, draw_worst

    noise.install()
    with Browser(no_sandbox=no_sandbox) as browser:
        try:
            while True:
                subjects = [
                    Subject(
                        each.key,
                        each.label,
                        each.files.document,
                        each.files.marks,
                        each.setup.entry,
                        each.setup.params,
                        each.setup.input,
                        each.says,
                        each.why_not,
                    )
                    for each in pipe.recv()
                ]
                try:
                    drawn = draw_worst(subjects, folder, browser)
                except InputError as error:
                    pipe.send(error)
                else:
                    pipe.send((drawn.pictures, drawn.problems))
        except (EOFError, BrokenPipeError):
            return
