"""Pictures of a report, drawn in processes of their own: one page after the other in each.

The caller may be a window, and a page may take the process down that renders it, or never come to
an end: that costs the pictures of that page only.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import connection
from pathlib import Path
from typing import Any

from annotate.datasets.cases import Key
from annotate.evaluation.pictures import PictureRequest, Pictures
from engine.processes.worker_process import TICK_S, Handler, ProcessLost, Send, WorkerProcess
from engine.web.worker_browser import open_browser

_PAGE_S, _PICTURE_S = 60.0, 10.0
"""What rendering a page, and each of its pictures, may take before they are given up."""

_PageOrder = Sequence[PictureRequest]


def draw_pictures(
    requests: Sequence[PictureRequest],
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
    pages: dict[Key, list[PictureRequest]] = {}
    for each in requests:
        pages.setdefault(each.key, []).append(each)
    waiting: deque[_PageOrder] = deque(pages.values())
    drawers = [_Drawer(folder, no_sandbox=no_sandbox) for _ in range(min(jobs, len(waiting)))]
    result = Pictures()
    try:
        while on_progress(result.count):
            for drawer in drawers:
                if drawer.page is None and waiting:
                    drawer.begin(waiting.popleft())
            busy = [drawer for drawer in drawers if drawer.page is not None]
            if not busy:
                break
            connection.wait([drawer.pipe for drawer in busy], TICK_S)
            for drawer in busy:
                drawer.collect(result)
    finally:
        for drawer in drawers:
            drawer.end()
    for each in requests:
        if each.picture_key not in result.files:
            result.problems.setdefault(each.picture_key, "drawing was stopped before")
    return result


class _Drawer:
    """A process that draws, and what it is at."""

    def __init__(self, folder: Path, *, no_sandbox: bool) -> None:
        self._process: WorkerProcess[_PageOrder, Pictures] = WorkerProcess(
            _picture_worker, folder, no_sandbox
        )
        self.page: _PageOrder | None = None

    @property
    def pipe(self) -> "connection.Connection[Any, Any]":
        """Where its answers come from."""
        return self._process.pipe

    def begin(self, page: _PageOrder) -> None:
        self.page = page
        self._process.hand(page)

    def collect(self, pictures: Pictures) -> None:
        """Take in what it has drawn; raises `InputError` if it cannot write."""
        page = self.page
        assert page is not None
        try:
            for _, answer in self._process.messages(_PAGE_S + _PICTURE_S * len(page)):
                pictures.files.update(answer.files)
                pictures.problems.update(answer.problems)
                self.page = None
                return
        except ProcessLost as error:
            pictures.problems.update({each.picture_key: f"drawing {error}" for each in page})
            self.page = None

    def end(self) -> None:
        """See to it that the process has ended."""
        self._process.end(waits=self.page is None)


@contextmanager
def _picture_worker(_: Send, folder: Path, no_sandbox: bool) -> Iterator[Handler]:
    with open_browser(no_sandbox=no_sandbox) as browser:
        from gui.pictures.page_picture import draw_page  # Qt

        yield lambda request: draw_page(request, folder, browser)
