"""Reading the logs of a team folder, as far as they have arrived.

Whatever copies the folder from machine to machine may bring files in any order, in parts, with
holes in them, set back to older ones, or twice: as ``… (conflicted copy …)``, ``… (1)`` or
``….sync-conflict-…``.  So a name tells nothing here.  A log is known by its first record, all files
that begin with it are copies of it, and what counts are the records that follow each other from
that first one, in whichever of the copies.  Others wait until their predecessors are there.

Only plain files with one name are read, small ones first, within the limit of memory.
"""

import hashlib
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from annotate.marks.records import writable
from annotate.plugins.team_folder.record import (
    ENDING,
    FORMAT,
    LONGEST,
    LogLine,
    is_valid,
    one_line,
    read,
)
from engine import bounded_file
from engine.errors import InputError
from engine.words import plural

MOST_BYTES = 256 * 2**20
"""Of one file; a longer one is not read."""

MOST_OF_ALL = 512 * 2**20
"""Bytes of all files of a folder; the largest are not read where they have more."""

MOST_LINES = 300_000
"""Most bytes read of one file."""

_AT_ONCE = 1 << 20

_PARTS = (".tmp", ".part", ".partial", ".filepart", ".crdownload", ".pagelet-log~")
"""Name endings of incomplete downloads and copies."""


@dataclass
class LogFile:
    """File of a log, as far as it was read.

    Attributes:
        path: Its own.
        records: Its complete records, by their hash.
        first: Hash of its first record, "" while that is not there.
        is_cut: Whether its last line has no end yet.
        broken: Lines that are no records.
        problem: Why it cannot be read, "" if it can.
    """

    path: Path
    records: dict[str, LogLine] = field(default_factory=dict)
    first: str = ""
    is_cut: bool = False
    broken: int = 0
    problem: str = ""
    _seen: tuple[int, int, int] = (0, 0, 0)
    _good_end: int = 0  # behind the last line before which all are records
    _last: tuple[int, bytes] = (0, b"")  # start of that line, and its digest

    @property
    def name(self) -> str:
        """File name for messages."""
        return one_line(writable(self.path.name))

    @property
    def size(self) -> int:
        """Bytes of the file when it was read last."""
        return self._seen[0]

    def look(self) -> bool:
        """Return whether the file is another one than when it was read."""
        try:
            stat = self.path.lstat()
        except OSError as error:
            self.problem = error.strerror or str(error)
            return False
        before, self._seen = self._seen, (stat.st_size, stat.st_mtime_ns, stat.st_ino)
        return before != self._seen or bool(self.problem)

    @property
    def last_written(self) -> float:
        """Modification time, seconds since 1970."""
        return self._seen[1] / 1e9

    def poll(self) -> tuple[list[LogLine], bool]:
        """Return the new records, and whether some records that were read are missing."""
        try:
            if self._seen[0] > MOST_BYTES:
                raise OSError(0, f"it is larger than {MOST_BYTES >> 20} MB")
            with os.fdopen(bounded_file.open_plain(self.path, os.O_RDONLY), "rb") as file:
                self.problem = ""
                begin, digest = self._last
                size = self._good_end - begin
                file.seek(begin)
                if size <= 0 or hashlib.sha256(file.read(size)).digest() == digest:
                    return self._take(file, self._good_end), False
                before, self.records = self.records, {}
                self.first, self._good_end, self._last = "", 0, (0, b"")
                file.seek(0)
                new = self._take(file, 0)
                return new, bool(before.keys() - self.records.keys())
        except OSError as error:
            self.problem = error.strerror or str(error)
            return [], False

    def _take(self, file: BinaryIO, at: int) -> list[LogLine]:
        """Read lines from a position on; lines after the first bad one are read again."""
        new, self.broken, is_good, self.is_cut = [], 0, True, False
        for line, size in _lines(file):
            if len(self.records) >= MOST_LINES:
                self.problem = f"it has more than {MOST_LINES} lines; what is behind is not read"
                break
            if not line.endswith(b"\n"):
                self.is_cut = size == len(line)
                self.broken += not self.is_cut
                break
            record = read(line[:-1]) if size == len(line) else None
            if record is None:
                is_good = False
                self.broken += bool(line.strip())
            elif record.hash not in self.records:
                self.records[record.hash] = record
                new.append(record)
            if is_good:
                self._good_end, self._last = at + size, (at, hashlib.sha256(line).digest())
            at += size
            if record is not None and record.number == 0 and not self.first:
                self.first = record.hash
        return new


def _lines(file: BinaryIO) -> Iterator[tuple[bytes, int]]:
    """Yield lines with their ends, and their length: more than the returned bytes, if too long."""
    while line := file.readline(LONGEST + 1):
        size, part = len(line), line
        while not part.endswith(b"\n") and (part := file.readline(_AT_ONCE)):
            size += len(part)
        yield (line if size == len(line) else b"?\n" if part else b"?"), size


@dataclass
class Log:
    """Log with all its copies.

    Attributes:
        head: Its first record.
        files: Its files, the written one first.
        records: The unbroken sequence of records from the first on, by hash.
        waiting: Records without their predecessor, by its hash, and by their own.
        following: Hash → how many records come directly behind it; two where the log was forked.
    """

    head: LogLine
    files: list[LogFile] = field(default_factory=list)
    records: dict[str, LogLine] = field(default_factory=dict)
    waiting: dict[str, dict[str, LogLine]] = field(default_factory=dict)
    following: dict[str, int] = field(default_factory=dict)
    astray: dict[str, int] = field(default_factory=dict)  # hash → line of what cannot follow

    def add(self, record: LogLine) -> list[LogLine]:
        """Add a record; return what can be used now: it, and those that waited for it."""
        if record.hash in self.records or record.hash in self.astray:
            return []
        if record.before not in self.records and record is not self.head:
            self.waiting.setdefault(record.before, {})[record.hash] = record
            return []
        ready: list[LogLine] = []
        open_ = [record]
        for each in open_:
            before = self.records.get(each.before)
            if before is not None:
                if each.number != before.number + 1 or each.clock <= before.clock:
                    self.astray[each.hash] = each.number + 1
                    continue
                self.following[each.before] = self.following.get(each.before, 0) + 1
            self.records[each.hash] = each
            ready.append(each)
            open_ += self.waiting.pop(each.hash, {}).values()
        return ready

    @property
    def uid(self) -> str:
        return str(self.head.body["uid"])

    @property
    def host(self) -> str:
        return str(self.head.body["host"])

    @property
    def name(self) -> str:
        """File name according to the log's head; for messages, not to be used as a path."""
        return str(self.head.body["name"])

    @property
    def shown(self) -> str:
        """Name of its actual file."""
        return self.files[0].name if self.files else self.name

    @property
    def last_written(self) -> float:
        """Latest modification time of its files, seconds since 1970."""
        return max((file.last_written for file in self.files), default=0.0)

    @property
    def ends(self) -> list[LogLine]:
        """The records that nothing follows; several where it was forked."""
        return [each for each in self.records.values() if each.hash not in self.following]

    @property
    def last(self) -> LogLine:
        """The record with the highest number."""
        return max(self.records.values(), key=lambda each: (each.number, each.hash))

    def waits_for(self, record: str) -> bool:
        """Return whether a record is in the log, but not its predecessor."""
        return any(record in each for each in self.waiting.values())

    def closure(self, hashes: Iterable[str]) -> Iterator[LogLine]:
        """Yield records and all before them."""
        seen: set[str] = set()
        for end in hashes:
            key = end
            while key in self.records and key not in seen:
                seen.add(key)
                yield self.records[key]
                key = self.records[key].before


class Logs:
    """The logs of one folder; `poll` reads new records.

    Attributes:
        notes: A sentence on each file that is not whole, or is one too many.
        copies: Number of them on copies.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.notes: list[str] = []
        self.copies = 0
        self.by_head: dict[str, Log] = {}
        self._files: dict[str, LogFile] = {}

    def poll(self) -> tuple[list[LogLine], bool]:
        """Return the records that can be used now and could not before.

        And whether some are gone, since a file was deleted or set back: then all that are there
        are returned.  Raises `InputError` where the folder cannot be read.
        """
        names = self._names()
        is_less = any(name not in names and file.records for name, file in self._files.items())
        self._files = {name: self._files.get(name) or LogFile(self.folder / name) for name in names}
        fresh: list[tuple[LogFile, list[LogLine]]] = []
        changed = {name for name, file in self._files.items() if file.look()}
        total = 0
        for name, file in sorted(self._files.items(), key=lambda each: (each[1].size, each[0])):
            total += file.size
            if name not in changed:
                continue
            if total > MOST_OF_ALL and file.size <= MOST_BYTES:
                limit = MOST_OF_ALL >> 20
                file.problem = f"the logs of this folder together are larger than {limit} MB"
                continue
            new, is_gone = file.poll()
            is_less |= is_gone
            fresh.append((file, new))
        if is_less:
            self.by_head = {}
            fresh = [(file, list(file.records.values())) for file in self._files.values()]
        ready = [record for file, new in fresh for record in self._sorted_in(file, new)]
        self.notes = self._said()
        return ready, is_less

    def is_unreadable(self, name: str) -> bool:
        """Return whether a file of this name exists, but is not readable."""
        return any(file.name == name and file.problem for file in self._files.values())

    def _names(self) -> list[str]:
        try:
            with os.scandir(self.folder) as entries:
                return sorted(each.name for each in entries if is_log(each.name))
        except OSError as error:
            raise InputError(
                f"the team folder {self.folder} cannot be read: {error.strerror or error}"
            ) from None

    def _sorted_in(self, file: LogFile, new: list[LogLine]) -> list[LogLine]:
        log = self._log_of(file)
        if log is None:
            return []
        if file not in log.files:
            log.files.append(file)
            log.files.sort(key=lambda each: (each.path.name != log.name, each.path.name))
            new = list(file.records.values())
        return [ready for record in new for ready in log.add(record)]

    def _log_of(self, file: LogFile) -> Log | None:
        head = file.records.get(file.first)
        if head is None or head.kind != "log" or head.before:
            return None
        if not is_valid(head) or head.body["format"] > FORMAT:
            return None
        return self.by_head.setdefault(head.hash, Log(head))

    # queries ---------------------------------------------------------------------------------
    def _said(self) -> list[str]:
        """Return a sentence on each file that is not whole, or is one too many."""
        result = [note for file in self._files.values() for note in self._said_of_file(file)]
        self.copies = 0
        for log in self.by_head.values():
            if log.waiting:
                count = sum(map(len, log.waiting.values()))
                result.append(
                    f"{log.name}: what comes before the last {plural(count, 'change')} has not "
                    "arrived yet"
                )
            for line in sorted(log.astray.values())[:1]:
                result.append(f"{log.name}, line {line}: it cannot follow the line before it")
            copies = list(self._said_of_copies(log))
            self.copies += len(copies)
            result += copies
        return result

    def _said_of_file(self, file: LogFile) -> Iterator[str]:
        name = file.name
        if file.problem:
            yield f"{name} cannot be read: {file.problem}"
        elif file.first == "":
            yield f"{name} has not arrived yet: its first line is missing"
        elif self._log_of(file) is None:
            yield f"{name} is of a newer Pagelet, or of no Pagelet: it is left alone"
        elif file.broken:
            yield f"{name} has {plural(file.broken, 'line')} that cannot be read: a part is missing"
        elif file.is_cut:
            yield f"{name}: its last line has not arrived whole yet"

    def _said_of_copies(self, log: Log) -> Iterator[str]:
        main = [file for file in log.files if file.path.name == log.name]
        known = set(main[0].records) if main else set()
        for file in log.files:
            if file.path.name == log.name:
                continue
            if not main and log.name in self._files:
                yield f"{file.name} says that it is {log.name}, which is another log"
                continue
            more = len(file.records.keys() - known)
            known |= file.records.keys()
            gain = f"{plural(more, 'change')} in it" if more else "nothing new in it"
            what = "a conflicted copy of" if main else "here instead of"
            used = " (used)" if more else ": it can be deleted"
            yield f"{file.name} is {what} {log.name}, with {gain}{used}"


def is_log(name: str) -> bool:
    """Return whether a file is a log, or a copy of one made by another program."""
    return ENDING in name and not name.startswith((".", "~")) and not name.endswith(_PARTS)
