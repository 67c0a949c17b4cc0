"""The files that SQLite uses beside a database: ``-journal``, ``-wal`` and ``-shm``.

Whoever may put a file beside a workspace could, through SQLite, overwrite the workspace, delete a
file that a rollback journal names, or make it wait for ever.  So they are checked before SQLite
reads them.  Formats: https://www.sqlite.org/fileformat.html, sections 3 and 4.
"""

import os
import stat
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from engine.errors import WorkspaceError

JOURNAL, LOG = "-journal", "-wal"
ENDINGS = (JOURNAL, LOG, "-shm")

APPLICATION = int.from_bytes(b"PGLT", "big")
"""``PRAGMA application_id`` of a workspace."""

_MAGIC = bytes.fromhex("d9d505f920a163d7")
_WAL_MAGICS = (0x377F0682, 0x377F0683)
_ALL_RECORDS = 0xFFFFFFFF  # as many as the file holds
_HEADER = struct.Struct(">8s5I")


class NotItsOwn(Exception):
    """A journal or log that is not used, with the reason as a clause."""


def name_side_file(path: Path, ending: str) -> Path:
    """Return the name that SQLite gives a file beside a database: behind all links."""
    return Path(os.path.realpath(path) + ending)


def check_plain(path: Path, beside: str | Path) -> os.stat_result | None:
    """Return the file status of a side file; None if there is none.

    `WorkspaceError` for other files than plain ones of one name: a pipe would block, and a link
    leads to a file elsewhere.
    """
    try:
        about = os.lstat(beside)
    except OSError:  # then SQLite cannot open it either
        return None
    if not stat.S_ISREG(about.st_mode) or about.st_nlink > 1:
        raise WorkspaceError(
            f"{path} cannot be opened: {Path(beside).name} beside it is {_kind(about)}, not a plain"
            " file; move it away"
        )
    return about


def _kind(about: os.stat_result) -> str:
    if stat.S_ISREG(about.st_mode):
        return "a file with a second name (a hard link)"
    for is_kind, kind in ((stat.S_ISLNK, "a link"), (stat.S_ISDIR, "a folder"),
                          (stat.S_ISFIFO, "a pipe")):  # fmt: skip
        if is_kind(about.st_mode):
            return kind
    return "a device or socket"


def check_all_plain(path: Path) -> None:
    """Raise `WorkspaceError` if one of the files beside a database is no plain file."""
    base = os.path.realpath(path)
    for ending in ENDINGS:
        check_plain(path, base + ending)


class Watch:
    """Inspects the side files of an open database; some 10 µs a look, as each save takes one."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.journal = name_side_file(path, JOURNAL)
        self._journal, self._log = str(self.journal), str(name_side_file(path, LOG))

    def is_quiet(self) -> bool:
        """Return whether SQLite would use no side file, as between two saves.

        Raises as `check_plain`.
        """
        try:
            os.lstat(self._log)
        except OSError:
            return is_ended(self._journal) or check_plain(self.path, self.journal) is None
        check_all_plain(self.path)
        return False


def is_quiet(path: Path) -> bool:
    """Return whether SQLite would use no side file of a database; see `Watch`."""
    check_all_plain(path)
    return Watch(path).is_quiet()


def is_ended(journal: str | Path) -> bool:
    """Whether a journal is missing or, as after each save, begins with 0 and names no other file.

    Other files than plain ones count as not ended.
    """
    try:
        about = os.lstat(journal)
    except OSError:
        return True
    if not stat.S_ISREG(about.st_mode) or about.st_nlink > 1:
        return False
    try:
        number = os.open(journal, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    except OSError:
        return not os.path.lexists(journal)
    try:
        first, end = os.read(number, 1), max(0, about.st_size - len(_MAGIC))
        os.lseek(number, end, os.SEEK_SET)
        return first in (b"", b"\0") and os.read(number, len(_MAGIC)) != _MAGIC
    finally:
        os.close(number)


def names_another_file(journal: BinaryIO) -> bool:
    """Return whether a journal names a super-journal, which SQLite would delete.

    SQLite reads that name whenever it takes a transaction back.  Pagelet never writes one.
    """
    size = journal.seek(0, os.SEEK_END)
    journal.seek(max(0, size - len(_MAGIC)))
    return journal.read() == _MAGIC


@dataclass(frozen=True)
class DatabaseHeader:
    """Header of a database file.

    Attributes:
        page_size: Bytes.
        pages: Number of its pages, by its length.
        counter: Of the transactions that changed it.
        has_log: Whether it is written to through a write-ahead log, as by Pagelet 0.2.
    """

    page_size: int
    pages: int
    counter: int
    has_log: bool


def read_header(database: BinaryIO) -> DatabaseHeader | None:
    """Return the header of a database; None for anything else."""
    size = database.seek(0, os.SEEK_END)
    database.seek(0)
    head = database.read(100)
    page_size = int.from_bytes(head[16:18], "big")
    page_size = 65536 if page_size == 1 else page_size
    if len(head) < 100 or not head.startswith(b"SQLite format 3\0") or page_size < 512:
        return None
    return DatabaseHeader(page_size, size // page_size, _number(head, 24), head[19] == 2)


def _number(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 4], "big")


def check_journal(journal: BinaryIO, database: BinaryIO) -> bool:
    """Check that a rollback journal may be that of a database's last transaction.

    Return whether a file that is whole needs nothing of it: all pages that it would restore were
    written over, so the transaction was ended, or it lacks the first page, which each transaction
    of Pagelet changes.  Raises `NotItsOwn`.
    """
    if names_another_file(journal):
        raise NotItsOwn("it names another file, which would be deleted")
    size = journal.seek(0, os.SEEK_END)
    journal.seek(0)
    head = journal.read(_HEADER.size)
    if len(head) < _HEADER.size or not head.startswith(_MAGIC):
        raise NotItsOwn("it is no journal of SQLite")
    _, _, _, pages, sector, page_size = _HEADER.unpack(head)
    there = read_header(database)
    _check_length(size, _MOST_BYTES + 2 * database.seek(0, os.SEEK_END))
    if pages == 0:
        if there is not None and there.counter > 1:
            raise NotItsOwn("it is of a new workspace, and this one is not new")
    elif there is None or page_size != there.page_size:
        raise NotItsOwn("it belongs to another file: its pages have another size")
    if sector not in _POWERS or (page_size not in _POWERS and pages):
        raise NotItsOwn("it is damaged")
    images = _images(journal, size, sector, page_size)
    if pages > (there.pages if there else 0) + len(images):
        raise NotItsOwn("it belongs to a file of another length")
    if 1 in images:
        assert there is not None
        _check_first_page(_page(journal, images[1], page_size), pages, there.counter)
    return 1 not in images or all(
        _page(journal, at, page_size) != _page(database, (number - 1) * page_size, page_size)
        for number, at in images.items()
    )


def _check_length(size: int, most: int) -> None:
    if size > most:
        raise NotItsOwn(f"it has {size / 1e9:.1f} GB, too much for this file")


_MOST_BYTES, _MOST_LOG_BYTES = 2**28, 2**30
"""A journal has each page once; behind that something may be left of a longer one."""

_MOST_SEGMENTS = 10_000

_POWERS = frozenset(2**k for k in range(5, 17))


def _page(file: BinaryIO, at: int, size: int) -> bytes:
    file.seek(at)
    return file.read(size)


def _images(journal: BinaryIO, size: int, sector: int, page_size: int) -> dict[int, int]:
    """Return page number → offset of its content, as SQLite reads it; `NotItsOwn` for damage."""
    result: dict[int, int] = {}
    at, each, segments = 0, page_size + 8, 0
    while at + sector <= size:
        segments += 1
        if segments > _MOST_SEGMENTS:
            raise NotItsOwn("it is damaged")
        magic, count, salt, *_ = _HEADER.unpack(_page(journal, at, _HEADER.size))
        if magic != _MAGIC:
            break
        at += sector
        if count == _ALL_RECORDS:
            count = (size - at) // each
        if at + count * each > size:
            raise NotItsOwn("it is cut short")
        for _ in range(count):
            record = _page(journal, at, each)
            number, content = _number(record, 0), record[4:-4]
            checksum = (salt + sum(content[page_size - 200 : 0 : -200])) & 0xFFFFFFFF
            if checksum != _number(record, each - 4) or number == 0:
                raise NotItsOwn("it is damaged")
            result.setdefault(number, at + 4)
            at += each
        at = -(-at // sector) * sector
    return result


def _check_first_page(page: bytes, pages: int, counter: int) -> None:
    """Check the first page as it was before a transaction against the database's counter."""
    if _number(page, 68) != APPLICATION:
        raise NotItsOwn("it belongs to another file")
    was = _number(page, 24)
    if _number(page, 92) == was and _number(page, 28) not in (0, pages):
        raise NotItsOwn("it belongs to a file of another length")
    if counter not in (was, (was + 1) & 0xFFFFFFFF):
        later = "it is of a later state of the workspace"
        raise NotItsOwn("the workspace was saved since" if counter > was else later)


def check_log(log: BinaryIO, database: BinaryIO) -> None:
    """Check that a write-ahead log may be that of a database; raises `NotItsOwn`."""
    there = read_header(database)
    if there is None or not there.has_log:
        raise NotItsOwn("the workspace has no write-ahead log")
    size = log.seek(0, os.SEEK_END)
    _check_length(size, _MOST_LOG_BYTES + 10 * there.pages * there.page_size)
    head = _page(log, 0, 32)
    if len(head) < 32:
        return  # SQLite takes nothing from it
    if _number(head, 0) not in _WAL_MAGICS:
        raise NotItsOwn("it is no log of SQLite")
    if _number(head, 8) != there.page_size:
        raise NotItsOwn("it belongs to another file: its pages have another size")
    each = there.page_size + 24
    most = there.pages + (size - 32) // each
    for at in range(32, size - each + 1, each):
        frame = _page(log, at, 24 + 100)
        if frame[8:16] != head[16:24]:
            break  # from before the last checkpoint
        if max(_number(frame, 0), _number(frame, 4)) > most:
            raise NotItsOwn("it belongs to a file of another length")
        if _number(frame, 0) == 1 and _number(frame, 24 + 68) != APPLICATION:
            raise NotItsOwn("it belongs to another file")
