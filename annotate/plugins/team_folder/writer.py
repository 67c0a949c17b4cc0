"""Writing one's own log: lines are added at its end, on the disk before the next thing is done."""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from annotate.plugins.team_folder.record import LogLine
from engine import bounded_file
from engine.errors import InputError

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_FAR = 1 << 40
"""The byte that is locked on Windows, where a lock keeps others from reading what it is on."""


class LogWriter:
    """The log of one device, open for writing and locked for other programs on this machine."""

    def __init__(self, number: int, path: Path) -> None:
        self._number, self.path = number, path

    @classmethod
    @contextmanager
    def opened(cls, path: Path, head: LogLine) -> Iterator["LogWriter | None"]:
        """Open a log, made if it is not there; None while another program writes to it.

        A last line without an end is cut off: the program was killed while writing it, and no other
        has used it.  `InputError` where the folder cannot be written to, and where the file is a
        link or begins with another line than ``head``: nothing of it is touched then.
        """
        try:
            number = bounded_file.open_plain(path, os.O_RDWR | os.O_CREAT)
        except OSError as error:
            raise _trouble(path, error) from None
        try:
            if not _lock(number):
                yield None
                return
            writer = cls(number, path)
            writer._check(head)
            writer._cut()
            yield writer
        finally:
            with suppress(OSError):
                _unlock(number)
            os.close(number)

    def _check(self, head: LogLine) -> None:
        os.lseek(self._number, 0, os.SEEK_SET)
        begin = os.read(self._number, len(head.line))
        if not head.line.startswith(begin):
            raise InputError(
                f"{self.path} is not the log that this workspace wrote: move it away, and it is "
                "written again"
            )

    def _cut(self) -> None:
        try:
            end = size = os.lseek(self._number, 0, os.SEEK_END)
            last = -1
            while end and last < 0:
                begin = max(0, end - 65536)
                os.lseek(self._number, begin, os.SEEK_SET)
                last = os.read(self._number, end - begin).rfind(b"\n")
                end = begin + last + 1
            if end < size:
                os.ftruncate(self._number, end)
        except OSError as error:
            raise _trouble(self.path, error) from None

    def append(self, records: Sequence[LogLine]) -> None:
        """Add records; `InputError` where they cannot be written whole, and none is added then."""
        data = memoryview(b"".join(record.line for record in records))
        end = os.lseek(self._number, 0, os.SEEK_END)
        try:
            while data:
                data = data[os.write(self._number, data) :]
            os.fsync(self._number)
        except OSError as error:
            with suppress(OSError):
                os.ftruncate(self._number, end)
            raise _trouble(self.path, error) from None


def _trouble(path: Path, error: OSError) -> InputError:
    reason = error.strerror or str(error)
    if path.is_symlink() or reason.startswith("it is "):
        reason += ": move it away, and the log is written again"
    return InputError(f"{path} cannot be written: {reason}")


def _lock(number: int) -> bool:
    """Return whether the lock was acquired, or the file system has no locks."""
    try:
        if sys.platform == "win32":
            os.lseek(number, _FAR, os.SEEK_SET)
            msvcrt.locking(number, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:
        return True
    return True


def _unlock(number: int) -> None:
    if sys.platform == "win32":
        os.lseek(number, _FAR, os.SEEK_SET)
        msvcrt.locking(number, msvcrt.LK_UNLCK, 1)
    else:
        fcntl.flock(number, fcntl.LOCK_UN)
