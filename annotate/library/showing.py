"""The window, opened from a script or notebook."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from annotate.library.pages import MethodRun, OpenPage
from engine.errors import InputError


def show(page: OpenPage | MethodRun | str | Path) -> "subprocess.Popen[bytes]":
    """Open the window on a page, in a process of its own, and return that process.

    Raises:
        InputError: There is no screen.
    """
    if not _has_display():
        raise InputError("there is no screen to open a window on")
    shown = page.page if isinstance(page, MethodRun) else page
    address = _address(shown) if isinstance(shown, OpenPage) else str(shown)
    return subprocess.Popen([sys.executable, "-P", "-m", "gui.cli.main", "open", address])


def _address(page: OpenPage) -> str:
    document = page.document
    if document.data is None:
        return document.address
    folder = Path(tempfile.mkdtemp(prefix="pagelet-"))
    path = folder / "page.html"
    path.write_bytes(document.data)
    return str(path)


def _has_display() -> bool:
    if sys.platform in ("win32", "darwin"):
        return True
    return any(os.environ.get(k) for k in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))
