"""Freezes a page into a file, restores it in a fresh process, and adds the result.

The window does so in a separate process, so that it stays responsive.
"""

import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from annotate.archives.frozen import wacz
from annotate.archives.frozen.certificate import Certificate
from annotate.archives.frozen.verifying import verify
from engine.document import Document
from engine.errors import CaptureError, InputError
from engine.processes.worker_process import (
    Handler,
    ProcessLost,
    ProcessTimeout,
    Send,
    WorkerProcess,
)
from engine.web.worker_browser import open_browser


def write_verified(frozen: Any, out: Path, engine: str) -> Certificate:  # noqa: ANN401  a Frozen, Qt
    """Write the file of a frozen page, with its certificate, and return the certificate.

    ``out`` is there once it is whole; whatever happens before, an older file stays as it was.

    Raises:
        InputError: It cannot be written there.
    """
    members = wacz.members_of(frozen, engine, datetime.now(UTC))
    return certify(members, out)


def certify(members: Mapping[str, bytes], out: Path) -> Certificate:
    """Verify what these members make, and write it with the certificate; raises `InputError`."""
    out = out.absolute()
    check_writable(out)
    with tempfile.TemporaryDirectory(prefix="pagelet-") as folder:
        trial = Path(folder) / f"page{wacz.SUFFIX}"
        wacz.write(trial, members, None)
        certificate = verify(trial)
    wacz.write(out, members, certificate)
    return certificate


def check_writable(out: Path) -> None:
    """Raise `InputError` before any work if nothing can be written there."""
    folder = out.parent
    if not folder.is_dir():
        raise InputError(f"cannot write {out}: there is no folder {folder}")
    if out.is_dir():
        raise InputError(f"cannot write {out}: it is a folder")
    if not os.access(folder, os.W_OK):
        raise InputError(f"cannot write {out}: the folder is read-only")


PATIENCE_S = 600.0


@dataclass(frozen=True)
class Way:
    """Network and sandbox settings of a process; see `engine.web.profile.prepare`."""

    online: bool = False
    near: bool = False
    no_sandbox: bool = False


_Task = tuple[Document, Path, tuple[str, ...]]
"""Document to freeze, its target file, and the clicks before."""


def freeze_elsewhere(
    document: Document, out: Path, way: Way, clicks: Sequence[str] = ()
) -> Certificate:
    """Freeze a page into a file; return its certificate.  Raises `PageletError` where it cannot.

    ``clicks`` as of `engine.web.freezing.freeze`.
    """
    check_writable(out)
    with WorkerProcess[_Task, Certificate](_freeze_worker, way) as process:
        try:
            return process.ask((document, out, tuple(clicks)), PATIENCE_S)
        except ProcessTimeout:
            raise CaptureError(f"{document.name} could not be frozen in {PATIENCE_S:g} s") from None
        except ProcessLost as error:
            raise CaptureError(f"freezing the page {error}") from None


@contextmanager
def _freeze_worker(_: Send, way: Way) -> Iterator[Handler]:
    os.environ["QT_QPA_PLATFORM"] = "offscreen"  # the layout is the same on any screen
    with open_browser(online=way.online, near=way.near, no_sandbox=way.no_sandbox) as browser:
        from engine.web.freezing import freeze  # Qt
        from engine.web.renderer import renderer_name

        yield lambda task: write_verified(
            freeze(browser, task[0], clicks=task[2]), task[1], renderer_name()
        )
