"""Files that come to an end: read whole, never waited for, known to be unchanged, replaced whole.

A name that was typed, or found in a folder, may lead to a pipe without a writer, to a device that
gives bytes for ever, or to a sparse file of terabytes.
"""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Protocol

from engine.errors import convert_os_error

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


@contextmanager
def atomic_write(path: Path, *, hidden: bool = False) -> Iterator[Path]:
    """Yield the path of a file beside ``path``, which replaces it once it is written.

    ``hidden`` prefixes its name with an underscore, which readers of folders of data leave out.

    Whatever is raised meanwhile, ``path`` stays as it was and nothing is left beside it; an
    `OSError` becomes an `InputError`.
    """
    before = "_" if hidden else ""
    beside = path.with_name(f"{before}{path.name}.{os.getpid()}.part")
    try:
        with convert_os_error(f"write {path}"):
            yield beside
            beside.replace(path)
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
