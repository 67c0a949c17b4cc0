"""Reading the logs of a team folder, as far as they have arrived.

Whatever copies the folder from machine to machine may bring files in any order, in parts, with
holes in them, set back to older ones, or twice: as ``… (conflicted copy …)``, ``… (1)`` or
``….sync-conflict-…``.  So a name tells nothing here.  A log is known by its first record, all files
that begin with it are copies of it, and what counts are the records that follow each other from
that first one, in whichever of the copies.  Others wait until what comes before them is there.
"""

import hashlib
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from annotate.team.folder.record import FORMAT, Record, check, read
from engine import bounded_file
from engine.errors import InputError
from engine.words import plural

ENDING = ".pagelet-log"

MOST_BYTES = 1 << 30
"""Of one file; a longer one is not read."""

_PARTS = (".tmp", ".part", ".partial", ".filepart", ".crdownload", ".pagelet-log~")
"""Ends of names under which programs write what they have not got whole yet."""


@dataclass
class LogFile:
    """One file, as far as it was read.

    Attributes:
        path: Its own.
        records: Those in it that are whole, by their hash.
        first: Hash of its first record, "" while that is not there.
        is_cut: Whether its last line has no end yet.
        broken: Lines that are no records.
        problem: Why it cannot be read, "" if it can.
    """

    path: Path
    records: dict[str, Record] = field(default_factory=dict)
    first: str = ""
    is_cut: bool = False
    broken: int = 0
    problem: str = ""
    _seen: tuple[int, int, int] = (0, 0, 0)
    _good_end: int = 0  # behind the last line before which all are records
    _last: tuple[int, bytes] = (0, b"")  # where that line begins, and its digest

    def poll(self) -> tuple[list[Record], bool]:
        """Return the records that are new, and whether some that were read are gone."""
        try:
            stat = self.path.stat()
            now = stat.st_size, stat.st_mtime_ns, stat.st_ino
            if now == self._seen and not self.problem:
                return [], False
            if stat.st_size > MOST_BYTES:
                raise OSError(0, f"it is larger than {MOST_BYTES >> 20} MB")
            begin = self._last[0]
            data = self._read(begin)
            if self._is_other(data):
                before, self.records = self.records, {}
                begin, self.first, self._good_end, self._last = 0, "", 0, (0, b"")
                data = self._read(0)
                new = self._take(data, 0)
                self._seen, self.problem = now, ""
                return new, bool(before.keys() - self.records.keys())
            new = self._take(data[self._good_end - begin :], self._good_end)
        except OSError as error:
            self.problem = error.strerror or str(error)
            return [], False
        self._seen, self.problem = now, ""
        return new, False

    def _read(self, begin: int) -> bytes:
        with bounded_file.opened(self.path) as file:
            file.seek(begin)
            return file.read(MOST_BYTES + 1 - begin)

    def _is_other(self, data: bytes) -> bool:
        """Return whether the last line that was read is not where it was."""
        size = self._good_end - self._last[0]
        return len(data) < size or (size > 0 and _digest(data[:size]) != self._last[1])

    def _take(self, data: bytes, at: int) -> list[Record]:
        """Take in lines from a position on; what is behind the first bad one is read again."""
        new, self.broken, is_good = [], 0, True
        *lines, rest = data.split(b"\n")
        self.is_cut = bool(rest)
        for line in lines:
            record = read(line)
            end = at + len(line) + 1
            if record is None:
                is_good = False
                self.broken += bool(line.strip())
            elif record.hash not in self.records:
                self.records[record.hash] = record
                new.append(record)
            if is_good:
                self._good_end, self._last = end, (at, _digest(line + b"\n"))
            at = end
            if record is not None and record.number == 0 and not self.first:
                self.first = record.hash
        return new


def _digest(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


@dataclass
class Log:
    """All that is there of one log, in all its copies.

    Attributes:
        head: Its first record.
        files: Where it is read from, the one it is written to first.
        records: Those that follow each other from the first on, by hash.
        waiting: Those whose predecessor is not there, by the hash of that, and by their own.
        following: Hash → how many records come directly behind it; two where the log was forked.
    """

    head: Record
    files: list[LogFile] = field(default_factory=list)
    records: dict[str, Record] = field(default_factory=dict)
    waiting: dict[str, dict[str, Record]] = field(default_factory=dict)
    following: dict[str, int] = field(default_factory=dict)

    def add(self, record: Record) -> list[Record]:
        """Add a record; return what can be used now: it, and those that waited for it."""
        if record.hash in self.records:
            return []
        if record.before not in self.records and record is not self.head:
            self.waiting.setdefault(record.before, {})[record.hash] = record
            return []
        ready = [record]
        for each in ready:
            self.records[each.hash] = each
            if each.before:
                self.following[each.before] = self.following.get(each.before, 0) + 1
            ready += self.waiting.pop(each.hash, {}).values()
        return ready

    @property
    def uid(self) -> str:
        return str(self.head.body["uid"])

    @property
    def host(self) -> str:
        return str(self.head.body["host"])

    @property
    def name(self) -> str:
        """What its file is called."""
        return str(self.head.body["name"])

    @property
    def ends(self) -> list[Record]:
        """The records that nothing follows; several where it was forked."""
        return [each for each in self.records.values() if each.hash not in self.following]

    def closure(self, hashes: Iterable[str]) -> Iterator[Record]:
        """Yield records and all before them."""
        seen: set[str] = set()
        for end in hashes:
            key = end
            while key in self.records and key not in seen:
                seen.add(key)
                yield self.records[key]
                key = self.records[key].before


class Logs:
    """The logs of one folder; `poll` reads what has come since.

    Attributes:
        notes: A sentence on each file that is not whole, or is one too many.
        copies: How many of them are of the latter.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.notes: list[str] = []
        self.copies = 0
        self.by_head: dict[str, Log] = {}
        self._files: dict[str, LogFile] = {}

    def poll(self) -> tuple[list[Record], bool]:
        """Return the records that can be used now and could not before.

        And whether some are gone, since a file was deleted or set back: then all that are there
        are returned.  Raises `InputError` where the folder cannot be read.
        """
        names = self._names()
        is_less = any(name not in names and file.records for name, file in self._files.items())
        self._files = {name: self._files.get(name) or LogFile(self.folder / name) for name in names}
        fresh: list[tuple[LogFile, list[Record]]] = []
        for file in self._files.values():
            new, is_gone = file.poll()
            is_less |= is_gone
            fresh.append((file, new))
        if is_less:
            self.by_head = {}
            fresh = [(file, list(file.records.values())) for file in self._files.values()]
        ready = [record for file, new in fresh for record in self._sorted_in(file, new)]
        self.notes = self._said()
        return ready, is_less

    def _names(self) -> list[str]:
        try:
            with os.scandir(self.folder) as entries:
                return sorted(each.name for each in entries if is_log(each.name))
        except OSError as error:
            raise InputError(
                f"the team folder {self.folder} cannot be read: {error.strerror or error}"
            ) from None

    def _sorted_in(self, file: LogFile, new: list[Record]) -> list[Record]:
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
        if head is None or head.kind != "log":
            return None
        try:
            check(head)
        except InputError:
            return None
        if head.body["format"] > FORMAT:
            return None
        return self.by_head.setdefault(head.hash, Log(head))

    # what is to be known ---------------------------------------------------------------------
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
            copies = list(self._said_of_copies(log))
            self.copies += len(copies)
            result += copies
        return result

    def _said_of_file(self, file: LogFile) -> Iterator[str]:
        name = file.path.name
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

    @staticmethod
    def _said_of_copies(log: Log) -> Iterator[str]:
        main = [file for file in log.files if file.path.name == log.name]
        known = set(main[0].records) if main else set()
        for file in log.files:
            if file.path.name == log.name:
                continue
            more = len(file.records.keys() - known)
            known |= file.records.keys()
            gain = f"{plural(more, 'change')} in it" if more else "nothing new in it"
            what = "a conflicted copy of" if main else "here instead of"
            used = " (used)" if more else ": it can be deleted"
            yield f"{file.path.name} is {what} {log.name}, with {gain}{used}"


def is_log(name: str) -> bool:
    """Return whether a file is a log, or a copy that somebody's program made of one."""
    return ENDING in name and not name.startswith((".", "~")) and not name.endswith(_PARTS)
