"""Pictures of a report, drawn in processes of their own: one page after the other in each.

The caller may be a window, and a page may take the process down that renders it, or never come to
an end: that costs the pictures of that page only.
"""

from collections import deque
from collections.abc import Callable, Sequence
from multiprocessing import connection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from annotate.datasets.cases import Key
from annotate.evaluation.pictures import Pictures, WantedPicture
from engine.errors import InputError
from engine.processes.supervisor import TICK_S, ProcessLost, WorkerProcess
from engine.web.serving import OrderHandler, answer_with_browser

if TYPE_CHECKING:
    from engine.web.headless import Browser

_PAGE_S, _PICTURE_S = 60.0, 10.0
"""What rendering a page, and each of its pictures, may take before they are given up."""

_DrawerAnswer = Pictures | InputError
_PageOrder = Sequence[WantedPicture]


def draw_pictures(
    wanted: Sequence[WantedPicture],
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
    pages: dict[Key, list[WantedPicture]] = {}
    for each in wanted:
        pages.setdefault(each.key, []).append(each)
    waiting: deque[_PageOrder] = deque(pages.values())
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
            connection.wait([drawer.pipe for drawer in busy], TICK_S)
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
        self._process: WorkerProcess[_PageOrder, _DrawerAnswer] = WorkerProcess(
            _serve, folder, no_sandbox
        )
        self.page: _PageOrder | None = None

    @property
    def pipe(self) -> "connection.Connection[Any, Any]":
        """Where its answers come from."""
        return self._process.pipe

    def begin(self, page: _PageOrder) -> None:
        self.page = page
        self._process.hand(page)

    def look(self, found: Pictures) -> None:
        """Take in what it has drawn; raises `InputError` if it cannot write."""
        assert self.page is not None
        try:
            for answer in self._process.answers():
                if isinstance(answer, InputError):
                    raise answer
                found.files.update(answer.files)
                found.problems.update(answer.problems)
                self.page = None
                return
        except ProcessLost:
            self._lose(found, "drawing took down the process it ran in")
            return
        if excess := self._process.excess:
            self._lose(found, f"drawing {excess}")
            return
        limit = _PAGE_S + _PICTURE_S * len(self.page)
        if self._process.seconds > limit:
            self._lose(found, f"drawing took more than {limit:g} s")

    def _lose(self, found: Pictures, why: str) -> None:
        assert self.page is not None
        found.problems.update({each.place: why for each in self.page})
        self._process.end(waits=False)
        self.page = None

    def end(self) -> None:
        """See to it that the process has ended."""
        self._process.end(waits=self.page is None)


def _serve(
    pipe: "connection.Connection[_DrawerAnswer, _PageOrder]",
    folder: Path,
    no_sandbox: bool,
) -> None:
    """Draw pages until the pipe closes; the body of a process."""

    def prepare(browser: "Browser") -> OrderHandler:
        from gui.pictures.page_picture import draw_page  # Qt

        def answer(wanted: _PageOrder) -> _DrawerAnswer:
            try:
                return draw_page(wanted, folder, browser)
            except InputError as error:
                return error

        return answer

    answer_with_browser(pipe, prepare, no_sandbox=no_sandbox)
