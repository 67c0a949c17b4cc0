"""Pictures of a report, drawn in separate processes: one page after the other in each.

The caller may be a window, and a page may take the process down that renders it, or never come to
an end: that costs the pictures of that page only.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from annotate.datasets.cases import Key
from annotate.evaluation.report.pictures import PictureRequest, Pictures
from engine.processes.pool import answers_of
from engine.processes.worker_process import Handler, Send, WorkerProcess
from engine.web.worker_browser import open_browser

_PAGE_S, _PICTURE_S = 60.0, 10.0
"""What rendering a page, and each of its pictures, may take before they are given up."""


@contextmanager
def error_worker(_: Send) -> Iterator[Handler]:
    """Answer an `ErrorRequest` with an `ErrorPicture`, for the window."""
    with open_browser() as browser:
        from gui.pictures.error_drawing import ErrorDrawer  # Qt: after the browser is prepared

        yield ErrorDrawer(browser).draw


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
        requests: What to draw.
        folder: Where; made if it is not there.
        jobs: How many processes.
        no_sandbox: See `engine.web.headless.Browser`.
        on_progress: Called now and then with how many are done; returns whether to go on.

    Raises:
        InputError: The folder cannot be written to.
    """
    pages: dict[Key, list[PictureRequest]] = {}
    for each in requests:
        pages.setdefault(each.key, []).append(each)
    result = Pictures()
    for drawn in answers_of(
        pages.values(),
        jobs,
        lambda: WorkerProcess(_picture_worker, folder, no_sandbox),
        seconds=lambda page: _PAGE_S + _PICTURE_S * len(page),
        lost=lambda page, error: Pictures(
            problems={each.picture_key: f"drawing {error}" for each in page}
        ),
        goes_on=lambda: on_progress(result.count),
    ):
        result.files.update(drawn.files)
        result.problems.update(drawn.problems)
    for each in requests:
        if each.picture_key not in result.files:
            result.problems.setdefault(each.picture_key, "drawing was stopped before")
    return result


@contextmanager
def _picture_worker(_: Send, folder: Path, no_sandbox: bool) -> Iterator[Handler]:
    with open_browser(no_sandbox=no_sandbox) as browser:
        from gui.pictures.page_picture import draw_page  # Qt

        yield lambda request: draw_page(request, folder, browser)
