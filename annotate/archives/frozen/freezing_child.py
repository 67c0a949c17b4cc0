"""Freezing of a page in a separate process, so that the window stays responsive."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from annotate.archives.frozen.capturing import check_writable, write_verified
from annotate.archives.frozen.certificate import Certificate
from engine.document import Document
from engine.errors import CaptureError
from engine.processes.worker_process import (
    Handler,
    ProcessLost,
    ProcessTimeout,
    Send,
    WorkerProcess,
)
from engine.web.worker_browser import open_browser

PATIENCE_S = 600.0


@dataclass(frozen=True)
class Way:
    """Network and sandbox settings of a process; see `engine.web.profile.prepare`."""

    online: bool = False
    near: bool = False
    no_sandbox: bool = False


@dataclass(frozen=True)
class _FreezeTask:
    """Document to freeze, its target file, and the clicks before."""

    document: Document
    out: Path
    way: Way
    clicks: tuple[str, ...]


def freeze_elsewhere(
    document: Document, out: Path, way: Way, clicks: Sequence[str] = ()
) -> Certificate:
    """Freeze a page into a file; return its certificate.  Raises `PageletError` where it cannot.

    ``clicks`` as of `engine.web.freezing.freeze`.
    """
    check_writable(out)
    task = _FreezeTask(document, out, way, tuple(clicks))
    with WorkerProcess[_FreezeTask, Certificate](_freeze_worker) as process:
        try:
            return process.ask(task, PATIENCE_S)
        except ProcessTimeout:
            raise CaptureError(f"{document.name} could not be frozen in {PATIENCE_S:g} s") from None
        except ProcessLost as error:
            raise CaptureError(f"freezing the page {error}") from None


@contextmanager
def _freeze_worker(_: Send) -> Iterator[Handler]:
    os.environ["QT_QPA_PLATFORM"] = "offscreen"  # the layout is the same on any screen
    yield _freeze


def _freeze(task: _FreezeTask) -> Certificate:
    way = task.way
    with open_browser(online=way.online, near=way.near, no_sandbox=way.no_sandbox) as browser:
        from engine.web.freezing import freeze  # Qt
        from engine.web.renderer import renderer_name

        frozen = freeze(browser, task.document, clicks=task.clicks)
        return write_verified(frozen, task.out, renderer_name())
