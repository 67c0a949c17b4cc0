"""Directory of a zip, read in parts: the names of 300,000 members are never in memory.

`zipfile` holds an object of half a kilobyte for each member of a zip, in every process that reads
one of them.  Here it gets the zip with a directory of a few members only, copied from the file, so
that it determines names, sizes and damage.
"""

import io
import struct
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from engine import bounded_file

_END = struct.Struct("<4s4H2LH")
_END_64 = struct.Struct("<4sQ2H2L4Q")
_LOCATOR_64 = struct.Struct("<4sLQL")
_SIZE_64 = _END_64.size + _LOCATOR_64.size
_ENTRY = struct.Struct("<4s24x3H12x")
_AT_ONCE = 100
_LARGEST_ENTRY = _ENTRY.size + 3 * 0xFFFF


@dataclass(frozen=True)
class _Directory:
    """Position of the directory of a zip."""

    start: int  # in bytes of the file, as is its size
    size: int
    count: int  # of the declared members
    shift: int  # bytes before the zip in the file


def count_of(package: Path) -> int:
    """Return the number of members in a zip's directory; raises `zipfile.BadZipFile`, `OSError`."""
    with bounded_file.open_bounded(package) as file:
        return _directory(file).count


def entries(package: Path) -> Iterator[tuple[str, int]]:
    """Yield the name of each member and where its entry is, for `open_entry`.

    Raises `zipfile.BadZipFile` where the directory is not what it should be; `zipfile` itself may
    make something of it.
    """
    with bounded_file.open_bounded(package) as file:
        directory = _directory(file)
        for at in _stretches(file, directory):
            end = at[-1]
            with _with_entries(file, directory, at[0], end, len(at) - 1) as part:
                names = [each.filename for each in part.filelist]
            if len(names) != len(at) - 1:
                raise zipfile.BadZipFile("its directory is damaged")
            yield from zip(names, at[:-1], strict=True)


def open_entry(file: IO[bytes], at: int) -> zipfile.ZipFile:
    """Return a zip with the member of this entry alone; `zipfile.BadZipFile` where none is."""
    directory = _directory(file)
    if not directory.start <= at < directory.start + directory.size:
        raise zipfile.BadZipFile("it has no entries")
    file.seek(at)
    end = at + _length(file.read(_ENTRY.size))
    return _with_entries(file, directory, at, end, 1)


def _directory(file: IO[bytes]) -> _Directory:
    file.seek(0, io.SEEK_END)
    whole = file.tell()
    file.seek(max(0, whole - _END.size - 0xFFFF))
    tail = file.read(_END.size + 0xFFFF)
    if tail[-_END.size :].startswith(b"PK\5\6") and tail.endswith(b"\0\0"):
        inside = len(tail) - _END.size
    else:
        inside = tail.rfind(b"PK\5\6")
    if inside < 0 or inside + _END.size > len(tail):
        raise zipfile.BadZipFile("its end is missing")
    _, disk, first, here, count, size, offset, _ = _END.unpack_from(tail, inside)
    end = whole - len(tail) + inside
    large = _large_end(file, end)
    if large is not None:
        count, size, offset = large
        end -= _SIZE_64
    elif disk or first or here != count:
        raise zipfile.BadZipFile("it is in several files")
    if end < size or end - size < offset:
        raise zipfile.BadZipFile("its directory is missing")
    return _Directory(end - size, size, count, end - size - offset)


def _large_end(file: IO[bytes], end: int) -> tuple[int, int, int] | None:
    """Return members, size and offset of a zip beyond 4 GB or 65,535 members; None of others."""
    if end < _SIZE_64:
        return None
    file.seek(end - _SIZE_64)
    data = file.read(_SIZE_64)
    if not data[_END_64.size :].startswith(b"PK\6\7"):
        return None
    mark, _, _, _, disk, first, here, count, size, offset = _END_64.unpack_from(data)
    if mark != b"PK\6\6" or disk or first or here != count:
        raise zipfile.BadZipFile("its end is damaged")
    return count, size, offset


def _stretches(file: IO[bytes], directory: _Directory) -> Iterator[list[int]]:
    """Yield where entries begin, some at a time, with the end of the last one."""
    at, end, result = directory.start, directory.start + directory.size, [directory.start]
    data, base = b"", at
    while at < end:
        if at + _ENTRY.size - base > len(data):
            file.seek(at)
            data, base = file.read(min(_LARGEST_ENTRY, end - at)), at
        at += _length(data[at - base : at - base + _ENTRY.size])
        result.append(at)
        if len(result) > _AT_ONCE:
            yield result
            result = [at]
    if at != end:
        raise zipfile.BadZipFile("its directory is damaged")
    if len(result) > 1:
        yield result


def _length(entry: bytes) -> int:
    """Return how long an entry is, its name and all."""
    if len(entry) != _ENTRY.size or not entry.startswith(b"PK\1\2"):
        raise zipfile.BadZipFile("its directory is damaged")
    _, name, extra, comment = _ENTRY.unpack(entry)
    return _ENTRY.size + int(name) + int(extra) + int(comment)


def _with_entries(
    file: IO[bytes], directory: _Directory, start: int, end: int, count: int
) -> zipfile.ZipFile:
    """Return the zip with a directory of some entries that stand one after the other."""
    file.seek(start)
    data = file.read(end - start)
    offset = directory.start - directory.shift
    large = _END_64.pack(
        b"PK\6\6", _END_64.size - 12, 45, 45, 0, 0, count, count, len(data), offset
    )
    large += _LOCATOR_64.pack(b"PK\6\7", 0, offset + len(data), 1)
    short = _END.pack(b"PK\5\6", 0, 0, count, count, len(data), min(offset, 0xFFFFFFFF), 0)
    return zipfile.ZipFile(_Joined(file, directory.start, data + large + short))


class _Joined(io.RawIOBase):
    """A file up to some byte, and others after it."""

    def __init__(self, file: IO[bytes], size: int, tail: bytes) -> None:
        self._file, self._size, self._tail = file, size, tail
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        whole = self._size + len(self._tail)
        self._at = max(0, offset + {io.SEEK_SET: 0, io.SEEK_CUR: self._at}.get(whence, whole))
        return self._at

    def tell(self) -> int:
        return self._at

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401
        if self._at < self._size:
            self._file.seek(self._at)
            data = self._file.read(min(len(buffer), self._size - self._at))
        else:
            inside = self._at - self._size
            data = self._tail[inside : inside + len(buffer)]
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)
