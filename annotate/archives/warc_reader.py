"""WARC files: where each record is, and what is in it (formats.md#warc).

Source: ISO 28500, WARC 1.0 and 1.1.

A file is plain or gzip; usually each record is compressed on its own, so that a place in the file
is enough to read it again.  Reading the places costs one pass over the file.
"""

import io
import re
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from engine import bounded_file
from engine.errors import InputError
from engine.fetch import MAX_BYTES

SUFFIXES = (".warc", ".warc.gz")

_GZIP = b"\x1f\x8b"
_CHUNK = 1 << 20
_LONGEST_LINE = 1 << 16
_LARGEST_MEMBER = 1 << 30
"""Bytes that one compressed member may unpack to."""

_CHARSET = re.compile(r"""charset\s*=\s*["']?([\w:.-]+)""", re.IGNORECASE)


@dataclass(frozen=True)
class RecordPosition:
    """Where the block of a record is.

    Attributes:
        path: The file.
        member: Where the compressed member starts that holds it; -1 in a plain file.
        start, length: Of the block, in bytes of the member unpacked, or of the plain file.
    """

    path: Path
    member: int
    start: int
    length: int

    def read(self) -> bytes:
        """Return the block; raises `InputError`."""
        if self.length > MAX_BYTES:
            raise InputError(f"a record of {self.path} is larger than {MAX_BYTES // 2**20} MB")
        try:
            with bounded_file.opened(self.path) as file:
                if self.member < 0:
                    file.seek(self.start)
                    block = file.read(self.length)
                else:
                    file.seek(self.member)
                    data, _ = _member(file, self.path, self.start + self.length)
                    block = data[self.start : self.start + self.length]
        except OSError as error:
            raise InputError(f"cannot read {self.path}: {error.strerror or error}") from error
        if len(block) < self.length:
            raise InputError(f"{self.path} ends within a record")
        return block


@dataclass(frozen=True)
class Record:
    """One record.

    Attributes:
        headers: Its named fields, names lower case, values without white space at their ends.
        place: Where its block is.
    """

    headers: Mapping[str, str]
    place: RecordPosition

    @property
    def type(self) -> str:
        """``resource``, ``conversion``, ``response`` ..."""
        return self.headers.get("warc-type", "").lower()

    @property
    def id(self) -> str:
        """The record's id without brackets and ``urn:uuid:``."""
        return bare_id(self.headers.get("warc-record-id", ""))

    @property
    def address(self) -> str:
        return self.headers.get("warc-target-uri", "").strip("<>")

    @property
    def charset(self) -> str:
        """The charset its content type names, "" if none."""
        found = _CHARSET.search(self.headers.get("content-type", ""))
        return found[1] if found else ""


def bare_id(record_id: str) -> str:
    """Return a record's id as in ``<urn:uuid:...>`` without what is around it."""
    return record_id.strip().strip("<>").removeprefix("urn:uuid:")


def records(path: Path, problems: list[str], start: int = 0) -> Iterator[Record]:
    """Yield the records of a file in order.

    ``problems`` gets a sentence if the file ends too early or goes on with what is not a record.
    ``start`` is where a record starts, in a file whose records are packed each by itself.
    """
    try:
        with bounded_file.opened(path) as file:
            if file.read(2) != _GZIP:
                size = file.seek(0, io.SEEK_END)
                file.seek(0)
                yield from _records_in(file, path, -1, size, problems)
                return
            at = start
            while True:
                file.seek(at)
                head = file.read(2)
                if not head.strip(b"\0\r\n"):
                    return
                if head != _GZIP:
                    problems.append(f"{path.name} goes on at byte {at} with what is not a record")
                    return
                file.seek(at)
                try:
                    data, size = _member(file, path, _LARGEST_MEMBER)
                except InputError as error:
                    problems.append(str(error))
                    return
                yield from _records_in(io.BytesIO(data), path, at, len(data), problems)
                at += size
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error


def end_of_whole_records(path: Path) -> int:
    """Return where a file whose records are packed each by itself ends, but for a broken last one.

    Raises `InputError` if it cannot be read.
    """
    at = 0
    try:
        with bounded_file.opened(path) as file:
            while True:
                file.seek(at)
                try:
                    data, size = _member(file, path, _LARGEST_MEMBER)
                except InputError:
                    return at
                problems: list[str] = []
                for _ in _records_in(io.BytesIO(data), path, at, len(data), problems):
                    pass
                if problems:
                    return at
                at += size
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error


def _member(file: BinaryIO, path: Path, most: int) -> tuple[bytes, int]:
    """Unpack up to ``most`` bytes of the member the file stands at: they, and its packed size."""
    unpack = zlib.decompressobj(wbits=31)
    pieces: list[bytes] = []
    unpacked = packed = 0
    while not unpack.eof and unpacked < most:
        chunk = file.read(_CHUNK)
        if not chunk:
            raise InputError(f"{path.name} ends within a record")
        packed += len(chunk)
        try:
            piece = unpack.decompress(chunk, most - unpacked)
        except zlib.error as error:
            raise InputError(f"cannot unpack {path.name}: {error}") from None
        pieces.append(piece)
        unpacked += len(piece)
    if not unpack.eof and most == _LARGEST_MEMBER:
        raise InputError(f"{path.name} has a record that unpacks to more than 1 GB")
    return b"".join(pieces), packed - len(unpack.unused_data)


def _records_in(
    stream: BinaryIO, path: Path, member: int, size: int, problems: list[str]
) -> Iterator[Record]:
    while line := stream.readline(_LONGEST_LINE):
        if not line.strip():
            continue
        if not line.startswith(b"WARC/"):
            problems.append(f"{path.name} goes on with what is not a record: {line[:40]!r}")
            return
        headers = _headers(stream)
        length = headers.get("content-length", "")
        start = stream.tell()
        if not length.isdecimal() or start + int(length) > size:
            problems.append(f"{path.name} ends within a record")
            return
        yield Record(headers, RecordPosition(path, member, start, int(length)))
        stream.seek(start + int(length))


def _headers(stream: BinaryIO) -> dict[str, str]:
    headers: dict[str, str] = {}
    name = ""
    while (line := stream.readline(_LONGEST_LINE)).strip():
        text = line.decode("utf-8", "replace")
        if text[0] in " \t" and name:  # a field may go on in the next line
            headers[name] += f" {text.strip()}"
            continue
        name, _, value = text.partition(":")
        name = name.strip().lower()
        headers.setdefault(name, value.strip())
    return headers
