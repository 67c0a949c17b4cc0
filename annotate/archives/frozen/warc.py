"""Which WARC record answers an address, and what it holds; warcio reads them (ISO 28500)."""

import io
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import IO, Any
from urllib.parse import urljoin

from warcio.archiveiterator import ArchiveIterator
from warcio.bufferedreaders import (
    ChunkedDataException,
    ChunkedDataReader,
    DecompressingBufferedReader,
)
from warcio.exceptions import ArchiveLoadFailed
from warcio.recordloader import ArcWarcRecord

from annotate.archives.members import BROKEN, member_names, open_member, reason_of
from engine.errors import InputError
from engine.fetch import MAX_BYTES
from engine.file_stamp import Stamp, stamp_of
from engine.saved import Stored, key_of

_MOST_HOPS = 10
_MOST_RECORDS = 1_000_000
_MOST_MEMBERS = 1_000
"""WARC files in a WACZ; crawlers write one for each gigabyte."""
_CHUNK = 1 << 20
_LONGEST_LINE = 1 << 16
_LARGEST_RECORD = 2 * MAX_BYTES
_ALWAYS_UNPACKED = 1 << 27
_MOST_GROWTH = 100
"""Bytes that an archive may unpack to for each of its own; pages take some five."""

DAMAGE = (
    *BROKEN, ArchiveLoadFailed, ChunkedDataException, UnicodeError, KeyError, AttributeError,
    TypeError, IndexError, AssertionError,
)  # fmt: skip
"""What reading a file raises that is no archive, or not all of one."""


@dataclass(frozen=True)
class PackedRecord:
    """A record as it lies in a file whose records are packed one by one.

    Attributes:
        url, digest: As its head has them.
        offset, length: Of the packed record, in bytes.
    """

    url: str
    digest: str
    offset: int
    length: int

    def answers(self, line: Mapping[str, object]) -> bool:
        """Return whether a line of an index is of this record, see `warc_writing.CdxLine`."""
        fields = line.get("url"), line.get("digest"), line.get("length")
        return fields == (self.url, self.digest, str(self.length))


def records_of(path: Path, member: str) -> Iterator[PackedRecord]:
    """Yield what was sent, record by record, each digest checked.  Raises `InputError`."""
    where = f"{member or path.name} in {path}"
    try:
        with opened(path, member) as file:
            iterator = _iterator(file, check_digests="raise")
            end = 0
            for record in iterator:
                _read_on(record)
                end = iterator.get_record_offset() + iterator.get_record_length()
                if record.rec_type in ("response", "resource", "revisit"):
                    head = record.rec_headers
                    yield PackedRecord(
                        (head.get_header("WARC-Target-URI") or "").strip("<>"),
                        head.get_header("WARC-Payload-Digest") or "",
                        iterator.get_record_offset(),
                        iterator.get_record_length(),
                    )
            _check_end(file, end)
    except DAMAGE as error:
        raise InputError(f"{where} is damaged: {reason_of_error(error)}") from None


class _WithinLimits(DecompressingBufferedReader):  # type: ignore[misc]  # warcio has no types
    """Reads records within limits; what is damaged is raised, not printed."""

    def __init__(self, stream: IO[bytes], size: int) -> None:
        super().__init__(stream)
        self._most = _ALWAYS_UNPACKED + _MOST_GROWTH * size

    def _process_read(self, data: bytes) -> None:
        super()._process_read(data)
        if self.num_read > self._most:
            raise ArchiveLoadFailed("it unpacks to more than any archive of its size")

    def _decompress(self, data: bytes) -> bytes:
        if self.decompressor and data and self.num_block_read:
            return bytes(self.decompressor.decompress(data))
        return bytes(super()._decompress(data))

    def readline(self, length: int | None = None) -> bytes:
        line = bytes(super().readline(min(length or _LONGEST_LINE, _LONGEST_LINE)))
        if len(line) >= _LONGEST_LINE:
            raise ArchiveLoadFailed(f"one of its lines is longer than {_LONGEST_LINE:,} bytes")
        return line


def _iterator(file: IO[bytes], **options: Any) -> ArchiveIterator:  # noqa: ANN401  of warcio
    start = file.tell()
    size = file.seek(0, io.SEEK_END)
    file.seek(start)
    result = ArchiveIterator(file, **options)
    result.reader = _WithinLimits(file, size)
    result.INC_RECORD = ""
    return result


def _read_on(record: ArcWarcRecord) -> None:
    """Read a record to its end; raises `EOFError` where the file has less of it than it says."""
    while record.raw_stream.read(_CHUNK):
        pass
    if getattr(record.raw_stream, "limit", 0) > 0:
        raise EOFError("it ends in the middle of a record")


def _check_end(file: IO[bytes], end: int) -> None:
    file.seek(end)
    if file.read(_CHUNK).strip():
        raise EOFError("it ends in the middle of a record")


@dataclass(frozen=True)
class LocatedRecord:
    """Where a record is: member of a WACZ ("" for a WARC file), and its place in that."""

    member: str
    offset: int
    status: int
    kind: str
    url: str
    location: str = ""


@dataclass(frozen=True)
class WarcIndex:
    """Which record answers an address, and what is wrong with the file."""

    positions: dict[str, LocatedRecord]
    problems: tuple[str, ...]


def index_of(path: Path) -> WarcIndex:
    """Return the index of a WARC or WACZ file; one pass, remembered.  Raises `InputError`."""
    return _indexed(path, stamp_of(path))


@lru_cache(maxsize=4)
def _indexed(path: Path, _stamp: Stamp) -> WarcIndex:
    positions: dict[str, LocatedRecord] = {}
    problems: list[str] = []
    count = 0
    for member in warc_members(path):
        try:
            with opened(path, member) as file:
                iterator = _iterator(file)
                end = 0
                for record in iterator:
                    count += 1
                    if count > _MOST_RECORDS:
                        raise InputError(f"{path} has more than {_MOST_RECORDS:,} records")
                    _take(record, member, iterator.get_record_offset(), positions)
                    _read_on(record)
                    end = iterator.get_record_offset() + iterator.get_record_length()
                _check_end(file, end)
        except (InputError, *DAMAGE) as error:
            problems.append(
                f"{member or path.name} cannot be read to its end: {reason_of_error(error)}"
            )
    return WarcIndex(positions, tuple(problems))


def _take(
    record: ArcWarcRecord, member: str, offset: int, positions: dict[str, LocatedRecord]
) -> None:
    kind = record.rec_type
    url = (record.rec_headers.get_header("WARC-Target-URI") or "").strip("<>")
    if kind not in ("response", "resource", "revisit") or not url.lower().startswith(
        ("http:", "https:")
    ):
        return
    status, location = 200, ""
    if record.http_headers is not None:
        code = record.http_headers.get_statuscode()
        status = int(code) if code.isdigit() else 0
        location = record.http_headers.get_header("Location") or ""
    if kind == "revisit":
        original = record.rec_headers.get_header("WARC-Refers-To-Target-URI") or ""
        location, status = (original, 301) if original and original != url else ("", 0)
    result = LocatedRecord(member, offset, status, _kind_of(record), url, location)
    try:
        key = key_of(url)
    except ValueError:  # nothing can ask for it
        return
    before = positions.get(key)
    if before is None or (before.status != 200 and result.status == 200):
        positions[key] = result


def _kind_of(record: ArcWarcRecord) -> str:
    headers = record.rec_headers if record.http_headers is None else record.http_headers
    return headers.get_header("Content-Type") or ""


def find(path: Path, index: WarcIndex, url: str) -> Stored | None:
    """Return what answers an address, after redirects; None if nothing does, or it is damaged."""
    at = url
    for _ in range(_MOST_HOPS):
        try:
            position = index.positions.get(key_of(at))
        except ValueError:
            return None
        if position is None:
            return None
        if position.location and 300 <= position.status < 400:
            with suppress(ValueError):  # goes round until the hops are used up, as it leads nowhere
                at = urljoin(position.url, position.location)
            continue
        if position.status >= 400 or not position.status:
            return None
        return read(path, position)
    return None


def read(path: Path, position: LocatedRecord) -> Stored | None:
    """Return what a record holds, all encodings undone; None if it is damaged or too large."""
    try:
        with opened(path, position.member) as file:
            file.seek(position.offset)
            for record in _iterator(file):
                if (record.length or 0) > _LARGEST_RECORD:
                    return None
                data = _content(record)
                return Stored(data, position.kind, position.url) if len(data) <= MAX_BYTES else None
    except (InputError, *DAMAGE):
        return None
    return None


def _content(record: ArcWarcRecord) -> bytes:
    """Return what was sent, its encodings undone; `MAX_BYTES` and one more at most."""
    head = record.http_headers
    stream = record.raw_stream
    if head is not None and (head.get_header("Transfer-Encoding") or "").lower() == "chunked":
        stream = ChunkedDataReader(stream)
    data: bytes = stream.read(MAX_BYTES + 1)
    kind = "" if head is None else (head.get_header("Content-Encoding") or "").strip().lower()
    return unpacked(data, kind, MAX_BYTES + 1)


def unpacked(data: bytes, encoding: str, most: int) -> bytes:
    """Return a body without its content encoding, ``most`` bytes of it.

    As it is where it is in another encoding, or in none in spite of its head.  Never more than
    ``most`` are in memory: a few bytes of Brotli unpack to gigabytes.
    """
    if encoding in ("gzip", "x-gzip", "deflate"):
        for bits in (47, -15):  # gzip or zlib by its head; some servers send bare deflate
            with suppress(zlib.error):
                return zlib.decompressobj(wbits=bits).decompress(data, most)
    if encoding == "br":
        with suppress(ImportError, TypeError):  # not installed, or too old to have a limit
            import brotli

            with suppress(brotli.error):
                reader = brotli.Decompressor()
                return bytes(reader.process(data, output_buffer_limit=most)[:most])
    return data


def warc_members(path: Path) -> tuple[str, ...]:
    """Return the WARC files in a WACZ; of a WARC file ("",)."""
    if not path.name.lower().endswith((".wacz", ".zip")):
        return ("",)
    ends = (".warc", ".warc.gz")
    result = tuple(sorted(name for name in member_names(path) if name.lower().endswith(ends)))
    check_count(path, len(result))
    return result


def check_count(path: Path, count: int) -> None:
    """Raise `InputError` where a WACZ holds more WARC files than are read."""
    if count > _MOST_MEMBERS:
        raise InputError(
            f"{path} holds {count:,} WARC files, more than {_MOST_MEMBERS:,}: "
            "unpack it, and name the folder"
        )


@contextmanager
def opened(path: Path, member: str) -> Iterator[IO[Any]]:
    """Open a WARC file, or one in a WACZ; of that what is damaged is an `InputError`."""
    if not member:
        with path.open("rb") as file:
            yield file
        return
    with open_member(path, member) as packed:
        yield packed


def reason_of_error(error: BaseException) -> str:
    """Return why a file cannot be read, in words."""
    return reason_of(error)
