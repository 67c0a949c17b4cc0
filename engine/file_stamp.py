"""Whether a file is still the one that was read."""

import os
from pathlib import Path

from engine.errors import convert_os_error

Stamp = tuple[int, int, int, int]
"""When its bytes were changed, in ns, how many there are, which file it is, and when anything of it
was changed, in ns: the first two can be restored, as ``touch -r`` and ``cp -p`` do."""


def stamp_in(state: os.stat_result) -> Stamp:
    """Return the stamp of a file whose state is known."""
    return state.st_mtime_ns, state.st_size, state.st_ino, state.st_ctime_ns


def stamp_of(path: Path) -> Stamp:
    """Return a file's stamp; raises `InputError` where there is none to be read."""
    with convert_os_error(f"read {path}"):
        return stamp_in(path.stat())


def stamp_or_none(path: Path) -> Stamp | None:
    """Return a file's stamp, None where there is none to be read."""
    try:
        return stamp_in(path.stat())
    except (OSError, ValueError):
        return None
