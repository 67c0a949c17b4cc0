"""What was opened last in a workspace, and whether the window ended with it.

A page may end the whole process, whatever is done against it.  Opened by itself at each start, it
would do so each time; so what a window did not close is offered, and not opened, the next time.
"""

from contextlib import suppress
from pathlib import Path
from typing import Any

from annotate.datasets.cases import VARIANTS, Variant
from annotate.workspace.workspace import Workspace, path_of
from engine.errors import PageletError

OPENED = "opened"
"""The workspace's setting: ``{"path", "variant", "is_open"}``; `is_open` until it is closed."""


def note_open(workspace: Workspace, path: Path, variant: Variant) -> None:
    """Store the path being opened; raises `WorkspaceError`."""
    known = {"path": str(path), "variant": variant, "is_open": True}
    workspace.set_setting(OPENED, known)


def note_closed(workspace: Workspace) -> None:
    """Store that it was closed as windows are; one that cannot be written to stays as it is."""
    if stored := _stored(workspace):
        with suppress(PageletError):
            workspace.set_setting(OPENED, {**stored, "is_open": False})


def has_ended(workspace: Workspace) -> bool:
    """Return whether the last page was never closed because the window crashed."""
    return _stored(workspace).get("is_open") is True


def last_opened(workspace: Workspace) -> tuple[Path, Variant] | None:
    """Return the last opened path of a workspace, and its variant; None if it is gone.

    One of an older version knows its last page alone: then that is the folder of the page.
    """
    stored = _stored(workspace)
    if stored:
        path = Path(stored["path"])
        variant: Variant = next((v for v in VARIANTS if v == stored.get("variant")), "html")
        with suppress(OSError, ValueError):  # a text no path can be
            if path.is_absolute() and path.exists():
                return path, variant
    page = Path(path_of(workspace.last_page))
    return (page.parent, "html") if page.is_absolute() and page.is_file() else None


def gone_path(workspace: Workspace) -> str:
    """Return the path that was opened last in a workspace if it is gone, else ""."""
    path = str(_stored(workspace).get("path", ""))
    with suppress(OSError, ValueError):
        return "" if not path or Path(path).exists() else path
    return path


def _stored(workspace: Workspace) -> dict[str, Any]:
    try:
        stored = workspace.setting(OPENED)
    except PageletError:
        return {}
    is_whole = isinstance(stored, dict) and isinstance(stored.get("path"), str)
    return stored if is_whole else {}
