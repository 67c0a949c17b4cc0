"""A disk whose power can be cut: what SQLite writes and syncs, and what may be left of it.

SQLite reaches files through a table of functions, its VFS.  `Disk` puts a table in front of the
system's own that notes every write, truncation, sync and removal before it is done.  After a cut
what was synced is there; of what was written since, anything may be there or not, the last write
in part (https://www.sqlite.org/atomiccommit.html, section 2).
"""

import _sqlite3
import ctypes
import random
from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int, c_int64, c_void_p
from dataclasses import dataclass, field
from pathlib import Path

SECTOR = 512

_KEPT: list[object] = []
"""What files that nobody closed still call."""

# Names are addresses: SQLite keeps the one it hands to xOpen.
OPEN = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_int, c_void_p)
DELETE = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int)
WRITE = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int64)
TRUNCATE = CFUNCTYPE(c_int, c_void_p, c_int64)
SYNC = CFUNCTYPE(c_int, c_void_p, c_int)


class Vfs(Structure):
    """``sqlite3_vfs``; what stands behind xDelete is carried along unread."""

    _fields_ = (
        ("iVersion", c_int), ("szOsFile", c_int), ("mxPathname", c_int), ("pNext", c_void_p),
        ("zName", c_char_p), ("pAppData", c_void_p), ("xOpen", OPEN), ("xDelete", DELETE),
        ("others", c_void_p * 14),
    )  # fmt: skip


class Methods(Structure):
    """``sqlite3_io_methods``: what a kind of file can do."""

    _fields_ = (
        ("iVersion", c_int), ("xClose", c_void_p), ("xRead", c_void_p), ("xWrite", WRITE),
        ("xTruncate", TRUNCATE), ("xSync", SYNC), ("others", c_void_p * 13),
    )  # fmt: skip


@dataclass(frozen=True)
class Event:
    """One thing that was done to a file: a write of ``data``, or to ``end`` it, or a sync."""

    path: str
    what: str  # write, truncate, delete, sync; or said: what the program promised, in ``path``
    offset: int = 0
    data: bytes = b""


@dataclass
class Disk:
    """What was done to the files of SQLite, in order."""

    events: list[Event] = field(default_factory=list)

    def say(self, promise: str) -> None:
        """Note that the program has promised something by now."""
        self.events.append(Event(promise, "said"))

    def left(
        self, count: int, dice: random.Random | None, *, torn: bool = False
    ) -> dict[str, bytes]:
        """Return the files after a cut behind the first ``count`` events.

        Args:
            count: How many events came to be.
            dice: Which of what was not synced is there; None for nothing of it.
            torn: Whether all of it is, but only the first sectors of the last write.
        """
        durable: dict[str, bytes] = {}
        waiting: dict[str, list[Event]] = {}
        done = [event for event in self.events[:count] if event.what != "said"]
        for event in done:
            if event.what == "sync":
                _apply(durable, waiting.pop(event.path, []))
            elif event.what == "delete":  # SQLite has the folder synced
                waiting.pop(event.path, None)
                durable.pop(event.path, None)
            else:
                waiting.setdefault(event.path, []).append(event)
        for events in waiting.values():
            if torn:
                if events[-1] is done[-1] and events[-1].data:
                    last = events[-1]
                    half = len(last.data) // 2 // SECTOR * SECTOR
                    events[-1] = Event(last.path, "write", last.offset, last.data[:half])
                _apply(durable, events)
            elif dice is not None:
                _apply(durable, [event for event in events if dice.random() < 0.5])
        return durable


def _name(address: int) -> str:
    return Path(ctypes.string_at(address).decode()).name


def _apply(files: dict[str, bytes], events: list[Event]) -> None:
    for event in events:
        before = files.get(event.path, b"")
        if event.what == "truncate":
            files[event.path] = before[: event.offset].ljust(event.offset, b"\0")
        elif event.data:
            head = before[: event.offset].ljust(event.offset, b"\0")
            files[event.path] = head + event.data + before[event.offset + len(event.data) :]


@contextmanager
def recorded() -> Iterator[Disk]:
    """Note what SQLite does to files in a block.  `AttributeError` where it cannot be reached."""
    library = ctypes.CDLL(_sqlite3.__file__)  # finds SQLite in it, or in what it is linked with
    library.sqlite3_vfs_find.restype = POINTER(Vfs)
    library.sqlite3_vfs_find.argtypes = [c_char_p]
    system = library.sqlite3_vfs_find(None).contents
    disk, paths = Disk(), {}

    def note(address: int, what: str, offset: int = 0, data: bytes = b"") -> None:
        disk.events.append(Event(paths[address], what, offset, data))

    def methods_of(real: Methods) -> Methods:
        mine = Methods.from_buffer_copy(real)

        @WRITE
        def write(file: int, data: int, size: int, offset: int) -> int:
            note(file, "write", offset, ctypes.string_at(data, size))
            return int(real.xWrite(file, data, size, offset))

        @TRUNCATE
        def truncate(file: int, size: int) -> int:
            note(file, "truncate", size)
            return int(real.xTruncate(file, size))

        @SYNC
        def sync(file: int, flags: int) -> int:
            status = int(real.xSync(file, flags))
            note(file, "sync")
            return status

        mine.xWrite, mine.xTruncate, mine.xSync = write, truncate, sync
        _KEPT.append((mine, write, truncate, sync))
        return mine

    @OPEN
    def open_(vfs: int, name: int | None, file: int, flags: int, out: int) -> int:
        status = int(system.xOpen(vfs, name, file, flags, out))
        table = c_void_p.from_address(file)  # a file begins with what it can do
        if status == 0 and name and table.value:
            paths[file] = _name(name)
            mine = methods_of(Methods.from_address(table.value))
            table.value = ctypes.addressof(mine)
        return status

    @DELETE
    def delete(vfs: int, name: int, syncs: int) -> int:
        status = int(system.xDelete(vfs, name, syncs))
        disk.events.append(Event(_name(name), "delete"))
        return status

    mine = Vfs.from_buffer_copy(system)
    mine.zName, mine.xOpen, mine.xDelete = b"recorded", open_, delete
    _KEPT.append((mine, open_, delete))
    library.sqlite3_vfs_register(ctypes.byref(mine), 1)
    try:
        yield disk
    finally:
        library.sqlite3_vfs_unregister(ctypes.byref(mine))
        library.sqlite3_vfs_register(ctypes.byref(system), 1)
