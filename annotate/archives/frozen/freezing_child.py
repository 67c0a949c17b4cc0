"""A page frozen in a process of its own: the window goes on meanwhile."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from annotate.archives.frozen.capturing import check_writable, write_verified
from annotate.archives.frozen.certificate import Certificate
from engine.document import Document
from engine.errors import CaptureError, PageletError
from engine.processes.child import Child, settle_in

PATIENCE_S = 600.0


@dataclass(frozen=True)
class Way:
    """How a process may reach pages; see `engine.web.profile.prepare`."""

    online: bool = False
    near: bool = False
    no_sandbox: bool = False


@dataclass(frozen=True)
class _FreezeTask:
    """What is frozen into which file, and what is clicked before."""

    document: Document
    out: str
    way: Way
    clicks: tuple[str, ...]


def freeze_elsewhere(
    document: Document, out: Path, way: Way, clicks: Sequence[str] = ()
) -> Certificate:
    """Freeze a page into a file; return its certificate.  Raises `PageletError` where it cannot.

    ``clicks`` as of `engine.web.freezing.freeze`.
    """
    check_writable(out)
    child = Child(_serve, _FreezeTask(document, str(out), way, tuple(clicks)))
    try:
        if not child.pipe.poll(PATIENCE_S):
            raise CaptureError(f"{document.name} could not be frozen in {PATIENCE_S:g} s")
        answer = child.pipe.recv()
    except (EOFError, OSError) as error:
        raise CaptureError("the process that froze the page has died") from error
    finally:
        child.kill()
        child.join()
    if isinstance(answer, str):
        raise CaptureError(answer)
    return Certificate.from_json(answer)


def _serve(pipe: "Connection[Any, Any]", task: _FreezeTask) -> None:
    settle_in(pipe)
    os.environ["QT_QPA_PLATFORM"] = "offscreen"  # a page is laid out alike on any screen
    from engine.web.qt_log import silence_qt_log  # says where there is no Qt

    # isort: split
    from engine.web.freezing import freeze
    from engine.web.headless import Browser
    from engine.web.renderer import renderer_name

    silence_qt_log()
    try:
        way = task.way
        with Browser(online=way.online, near=way.near, no_sandbox=way.no_sandbox) as browser:
            frozen = freeze(browser, task.document, clicks=task.clicks)
            pipe.send(write_verified(frozen, Path(task.out), renderer_name()).as_json())
    except PageletError as error:
        pipe.send(str(error))
