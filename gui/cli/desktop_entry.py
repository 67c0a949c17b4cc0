"""Pagelet in the desktop's menu: entry, icon and MIME types in the user's own folders."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import resources
from engine.errors import InputError
from engine.whole_file import atomic_write

_FILES = {
    "applications/pagelet.desktop": "desktop/pagelet.desktop",
    "icons/hicolor/scalable/apps/pagelet.svg": "desktop/pagelet.svg",
    "mime/packages/pagelet.xml": "desktop/pagelet.xml",
}
"""Where each goes below the folder of data (XDG Base Directory), and what it is."""

_UPDATES = (("update-mime-database", "mime"), ("update-desktop-database", "applications"))
"""Programs that have the desktop notice, each with the folder it is told; not needed by all."""


def data_folder() -> Path:
    """Return the user's folder of data, as desktops look it up."""
    given = os.environ.get("XDG_DATA_HOME")
    return Path(given) if given else Path.home() / ".local" / "share"


def install(folder: Path, command: str) -> Iterator[Path]:
    """Write entry, icon and MIME types, yield each; raises `InputError`.

    Args:
        folder: See `data_folder`.
        command: The whole path of what the entry starts.
    """
    for target, name in _FILES.items():
        path = folder / target
        text = resources.read_text(name)
        if name.endswith(".desktop"):
            text = text.replace("Exec=pagelet ", f"Exec={quoted(command)} ", 1)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"cannot write to {path.parent}: {error.strerror or error}") from error
        with atomic_write(path) as beside:
            beside.write_text(text, encoding="utf-8")
        yield path
    _update(folder)


def remove(folder: Path) -> Iterator[Path]:
    """Take away what `install` wrote, yield each; raises `InputError`."""
    for target in _FILES:
        path = folder / target
        try:
            path.unlink()
        except FileNotFoundError:
            continue
        except OSError as error:
            raise InputError(f"cannot remove {path}: {error.strerror or error}") from error
        yield path
    _update(folder)


def command_path() -> str:
    """Return the whole path of the pagelet command that runs; raises `InputError`."""
    own = Path(sys.argv[0])
    if own.stem == "pagelet" and own.is_file():
        return str(own.absolute())
    beside = shutil.which("pagelet", path=str(Path(sys.executable).parent))
    result = beside or shutil.which("pagelet")
    if result is None:
        raise InputError("the pagelet command is missing: install Pagelet first")
    return str(Path(result).absolute())


def quoted(command: str) -> str:
    """Return a path as ``Exec`` takes it (Desktop Entry Specification, "The Exec key")."""
    for sign in ("\\", '"', "`", "$"):
        command = command.replace(sign, f"\\{sign}")
    # The value is a string of a desktop file, too, where each backslash is written twice.
    written = command.replace("\\", "\\\\").replace("%", "%%")
    return f'"{written}"'


def _update(folder: Path) -> None:
    for program, below in _UPDATES:
        path = shutil.which(program)
        if path is not None and (folder / below).is_dir():
            subprocess.run([path, str(folder / below)], capture_output=True, check=False)
