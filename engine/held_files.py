"""Files that this process holds under POSIX locks, and the one way to read a file that may be one.

Closing any descriptor of a file drops all locks that the process has on it, whichever descriptor
they were taken through (``fcntl(2)``; "How To Corrupt An SQLite Database File", section 2.2).  So
code that keeps a database open registers it here, and code that reads a file named by a user or a
page checks here first.  SQLite's own connections know of each other and need not ask.
"""

import errno
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from engine import bounded_file

FileIdentity = tuple[int, int]
"""Device and inode: what tells a file from another of the same path."""

_lock = threading.RLock()
_held: Counter[FileIdentity] = Counter()


def identity(path: str | Path) -> FileIdentity | None:
    """Return the identity of a file, as opposed to others at its path; None if there is none."""
    try:
        stat = Path(path).stat()
    except (OSError, ValueError):
        return None
    return stat.st_dev, stat.st_ino


def hold(path: str | Path) -> FileIdentity | None:
    """Note that a database is open; return the argument of `release`."""
    with _lock:
        which = identity(path)
        if which is not None:
            _held[which] += 1
        return which


def release(which: FileIdentity | None) -> None:
    """Note that it is closed; of several connections the last one counts."""
    with _lock:
        if which is not None:
            _held[which] -= 1
            if _held[which] <= 0:
                del _held[which]


def is_held(path: str | Path) -> bool:
    """Return whether this process has a file open as a database."""
    with _lock:
        return bool(_held) and identity(path) in _held


@contextmanager
def unheld(path: Path) -> Iterator[None]:
    """Keep other threads from holding a file in this block; `OSError` (EBUSY) if it is held."""
    with _lock:
        if is_held(path):
            raise OSError(errno.EBUSY, "it is the workspace that is open", str(path))
        yield


@contextmanager
def open_held(path: Path) -> Iterator[BinaryIO]:
    """Open a file to read its bytes; raises as `unheld`, until it is closed again."""
    with unheld(path), bounded_file.open_bounded(path) as file:
        yield file
