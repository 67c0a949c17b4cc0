"""Files that come to an end: read whole, and never waited for.

A name that was typed, or found in a folder, may lead to a pipe without a writer, to a
device that gives bytes for ever, or to a sparse file of terabytes.
"""

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO, Protocol

MOST_BYTES = 256 * 2**20
"""Longest file that is read in one piece, unless the reader of its format sets another limit."""

_PIECE = 2**20

_GIVEN = ("/dev/fd/", "/dev/stdin", "/proc/self/fd/")
"""What a shell hands over, as in ``<(command)``: somebody writes to that."""


class Readable(Protocol):
    """What bytes are read from."""

    def read(self, size: int, /) -> bytes:
        """Return up to so many bytes; none at the end."""


def open_bounded(path: Path) -> BinaryIO:
    """Open a file to read its bytes; raises `OSError` for anything else, and never blocks."""
    number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        kind = os.fstat(number).st_mode
        if stat.S_ISDIR(kind):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        is_given = stat.S_ISFIFO(kind) and str(path).startswith(_GIVEN)
        if not stat.S_ISREG(kind) and not is_given:
            what = "a pipe" if stat.S_ISFIFO(kind) else "a device"
            raise OSError(errno.EINVAL, f"it is {what}, not a file", str(path))
        os.set_blocking(number, True)
        return os.fdopen(number, "rb")
    except BaseException:
        os.close(number)
        raise


def read_at_most(file: Readable, most: int) -> bytes:
    """Return up to so many bytes of a file, of which only those there are take memory."""
    parts = []
    while most > 0 and (part := file.read(min(most, _PIECE))):
        parts.append(part)
        most -= len(part)
    return b"".join(parts)


def open_plain(path: Path, flags: int) -> int:
    """Open a plain file that has this name alone; return its number; raises `OSError`.

    A link, symbolic or hard, in a folder that others write to leads to where somebody else has
    chosen: such a file is neither read nor written.
    """
    waits = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    if path.is_symlink():
        raise OSError(errno.ELOOP, "it is a link to another file", str(path))
    number = os.open(path, flags | waits | getattr(os, "O_NOFOLLOW", 0), 0o666)
    try:
        there = os.fstat(number)
        if not stat.S_ISREG(there.st_mode):
            raise OSError(errno.EINVAL, "it is not a plain file", str(path))
        if not os.path.samestat(there, path.lstat()) or there.st_nlink > 1:
            raise OSError(errno.ELOOP, "it is a link to another file", str(path))
    except BaseException:
        os.close(number)
        raise
    return number


def check(path: Path) -> None:
    """Raise `OSError` where a path leads to a pipe or a device; for libraries that open files."""
    if path.exists() and not path.is_file() and not path.is_dir():
        raise OSError(errno.EINVAL, "it is not a file", str(path))


def read_bytes(path: Path, most: int = MOST_BYTES) -> bytes:
    """Return the content of a file; raises `OSError` where it is longer, or cannot be read."""
    with open_bounded(path) as file:
        size = os.fstat(file.fileno()).st_size
        data = b"" if size > most else file.read(most + 1)
    if size > most or len(data) > most:
        limit = f"{most / 2**20:,.0f} MB"
        raise OSError(errno.EFBIG, f"it is larger than {limit}", str(path))
    return data


def read_text(path: Path, errors: str = "strict", most: int = MOST_BYTES) -> str:
    """Return a text in UTF-8, its lines ended by \\n; raises as `read_bytes`, or `ValueError`."""
    text = read_bytes(path, most).decode("utf-8", errors)
    return text.replace("\r\n", "\n").replace("\r", "\n")
