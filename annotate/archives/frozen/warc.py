"""Content of the records of a frozen page; warcio reads them (ISO 28500)."""

import io
import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import IO, Any
from urllib.parse import urljoin

from warcio.archiveiterator import ArchiveIterator
from warcio.bufferedreaders import ChunkedDataException, DecompressingBufferedReader
from warcio.exceptions import ArchiveLoadFailed
from warcio.recordloader import ArcWarcRecord
from warcio.statusandheaders import StatusAndHeadersParserException

from annotate.archives.frozen.manifest import WARC
from annotate.archives.gzip_records import ALWAYS_UNPACKED, MOST_GROWTH, gzip_records
from annotate.archives.http_body import body_of, fields_of_answer
from annotate.archives.magic import sniffed_kind
from annotate.archives.members import BROKEN, open_member, read_member, reason_of
from engine.bounded_file import Stamp, stamp_of
from engine.errors import InputError
from engine.fetch import MAX_BYTES
from engine.media_types import media_type
from engine.saved import Stored, key_of

logging.getLogger("warcio.recordloader").setLevel(logging.ERROR)  # spaces in addresses are usual

_LARGEST = 512 * 2**20
_MOST_HOPS = 10
_CHUNK = 1 << 20
_LONGEST_LINE = 1 << 16
_LARGEST_RECORD = 2 * MAX_BYTES


DAMAGE = (
    *BROKEN, ArchiveLoadFailed, ChunkedDataException, StatusAndHeadersParserException,
    UnicodeError, KeyError, AttributeError,
    TypeError, IndexError, AssertionError,
)  # fmt: skip
"""What reading a file raises that is no archive, or not all of one."""


@dataclass(frozen=True)
class PackedRecord:
    """Record in a file whose records are compressed one by one; offset and length in bytes."""

    url: str
    digest: str
    offset: int
    length: int

    def answers(self, line: Mapping[str, object]) -> bool:
        """Return whether a line of an index is of this record, see `warc_writing.CdxLine`."""
        fields = line.get("url"), line.get("digest"), line.get("length")
        return fields == (self.url, self.digest, str(self.length))


def records_of(path: Path) -> Iterator[PackedRecord]:
    """Yield the answers in a frozen page, each digest checked; raises `InputError`."""
    try:
        with open_member(path, WARC) as file:
            iterator = iterator_of(file, check_digests="raise")
            end = 0
            for record in iterator:
                read_on(record)
                end = iterator.get_record_offset() + iterator.get_record_length()
                if record.rec_type in ("response", "resource", "revisit"):
                    yield PackedRecord(
                        address_of(record),
                        record.rec_headers.get_header("WARC-Payload-Digest") or "",
                        iterator.get_record_offset(),
                        iterator.get_record_length(),
                    )
            check_end(file, end)
    except DAMAGE as error:
        raise InputError(f"{WARC} in {path} is damaged: {reason_of_error(error)}") from None


class _WithinLimits(DecompressingBufferedReader):  # type: ignore[misc]  # warcio has no types
    """Reads records within limits; raises on damage instead of printing."""

    def __init__(self, stream: IO[bytes], size: int) -> None:
        super().__init__(stream)
        self._most = ALWAYS_UNPACKED + MOST_GROWTH * size

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


def iterator_of(file: IO[bytes], **options: Any) -> ArchiveIterator:  # noqa: ANN401  of warcio
    """Return what iterates over the records of an open file, within limits."""
    start = file.tell()
    size = file.seek(0, io.SEEK_END)
    file.seek(start)
    result = ArchiveIterator(file, arc2warc=True, verify_http=False, **options)
    result.reader = _WithinLimits(file, size)
    result.INC_RECORD = ""
    return result


def read_on(record: ArcWarcRecord) -> None:
    """Read a record to its end; raises `EOFError` if the file has less than its declared length."""
    while record.raw_stream.read(_CHUNK):
        pass
    if getattr(record.raw_stream, "limit", 0) > 0:
        raise EOFError("it ends in the middle of a record")


def check_end(file: IO[bytes], end: int) -> None:
    """Raise `EOFError` if more than blanks follow the last record."""
    file.seek(end)
    if file.read(_CHUNK).strip():
        raise EOFError("it ends in the middle of a record")


def address_of(record: ArcWarcRecord) -> str:
    """Return the address of a record; "" for none."""
    return (record.rec_headers.get_header("WARC-Target-URI") or "").strip("<>")


def answer_of(record: ArcWarcRecord) -> tuple[int, str, str]:
    """Return status, media type and the goal of a redirect; 0 for an answer without a status."""
    head = record.http_headers
    if head is None:
        return 200, record.rec_headers.get_header("Content-Type") or "", ""
    fields = fields_of_answer(head.headers)
    codes = [each for each in head.statusline.split()[:2] if each.isdigit() and len(each) == 3]
    status = int(codes[0]) if codes else 0
    return status, fields.get("content-type", ""), head.get_header("Location") or ""


@dataclass(frozen=True)
class LocatedRecord:
    """Position of an answer in a WARC file or a WACZ, and the data of its head."""

    member: str  # of the WACZ; "" for a WARC file
    offset: int  # in the member, bytes
    status: int  # of the server's answer; 0 where it has none
    kind: str  # media type
    url: str
    location: str = ""  # target of a redirect

    @property
    def is_success(self) -> bool:
        return 200 <= self.status < 300


def find(path: Path, url: str) -> Stored | None:
    """Return what a frozen page has for an address, after redirects; None if that is nothing."""
    try:
        positions = _positions(path, stamp_of(path))
    except InputError:
        return None
    return answer_to(url, positions, lambda place: stored_at(place, open_member(path, WARC)))


@lru_cache(maxsize=4)
def _positions(path: Path, _stamp: Stamp) -> Mapping[str, LocatedRecord]:
    """Return the first answers by `key_of` their addresses, successful ones before others."""
    result: dict[str, LocatedRecord] = {}
    for packed in gzip_records(io.BytesIO(read_member(path, WARC, _LARGEST))):
        with suppress(StopIteration, ValueError, *DAMAGE):
            record = next(iterator_of(io.BytesIO(packed.head + packed.block)))
            if record.rec_type not in ("response", "resource"):
                continue
            url, (status, kind, location) = address_of(record), answer_of(record)
            if not media_type(kind).kind and 200 <= status < 300:
                with suppress(InputError):  # a damaged one answers nothing
                    kind = sniffed_kind(content_of(record))
            place = LocatedRecord(WARC, packed.offset, status, kind, url, location)
            before = result.setdefault(key_of(url), place)
            if place.is_success and not before.is_success:
                result[key_of(url)] = place
    return result


def answer_to(
    url: str, positions: Mapping[str, LocatedRecord], read: Callable[[LocatedRecord], Stored | None]
) -> Stored | None:
    """Return what answers an address, after redirects; None if nothing does, or it is damaged.

    Args:
        url: The address.
        positions: The answers by `key_of` their addresses.
        read: Returns the content of one.
    """
    at = url
    for _ in range(_MOST_HOPS):
        try:
            position = positions.get(key_of(at))
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
        return read(position)
    return None


def stored_at(position: LocatedRecord, opened: AbstractContextManager[IO[bytes]]) -> Stored | None:
    """Return a record's content from a file, all encodings undone; None if damaged or too large."""
    try:
        with opened as file:
            file.seek(position.offset)
            for record in iterator_of(file):
                if (record.length or 0) > _LARGEST_RECORD:
                    return None
                data = content_of(record)
                return Stored(data, position.kind, position.url) if len(data) <= MAX_BYTES else None
    except (InputError, *DAMAGE):
        return None
    return None


def content_of(record: ArcWarcRecord) -> bytes:
    """Return the response body, its encodings undone; `InputError` if damaged or too large."""
    data: bytes = record.raw_stream.read(MAX_BYTES + 1)
    head = record.http_headers
    return data if head is None else body_of(data, fields_of_answer(head.headers))[0]


def reason_of_error(error: BaseException) -> str:
    """Return why a file cannot be read, in words."""
    if isinstance(error, (AttributeError, TypeError, LookupError, AssertionError)):
        return "one of its records is damaged"  # readers' own errors do not help users
    return reason_of(error)
