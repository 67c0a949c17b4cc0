"""Who opens which file of a folder, as the kernel says it (``inotify(7)``); Linux only."""

import ctypes
import os
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

IN_OPEN, IN_ISDIR, IN_NONBLOCK = 0x20, 0x40000000, 0o4000
_HEAD = struct.Struct("iIII")


class OpenedFiles:
    """Names of the files of a folder that were opened, by anyone, since it is watched."""

    def __init__(self, watch: int) -> None:
        self._watch = watch
        self._names: list[str] = []

    @property
    def names(self) -> list[str]:
        """In order; one that was opened twice stands twice."""
        while True:
            try:
                data = os.read(self._watch, 65536)
            except BlockingIOError:
                return list(self._names)
            at = 0
            while at < len(data):
                _, mask, _, size = _HEAD.unpack_from(data, at)
                at += _HEAD.size
                name = data[at : at + size].rstrip(b"\0").decode()
                at += size
                if not mask & IN_ISDIR and name:
                    self._names.append(name)


@contextmanager
def watched(folder: Path) -> Iterator[OpenedFiles]:
    """Watch a folder's files."""
    libc = ctypes.CDLL(None, use_errno=True)
    watch = libc.inotify_init1(IN_NONBLOCK)
    assert watch >= 0
    try:
        assert libc.inotify_add_watch(watch, bytes(folder), IN_OPEN) >= 0
        yield OpenedFiles(watch)
    finally:
        os.close(watch)
