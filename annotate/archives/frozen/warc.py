"""Index and content of the WARC records of addresses; warcio reads them (ISO 28500)."""

import io
import logging
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
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
from warcio.statusandheaders import StatusAndHeadersParserException

from annotate.archives.members import BROKEN, reason_of
from annotate.archives.warc.archive_files import (
    ALWAYS_UNPACKED,
    MOST_GROWTH,
    is_arc,
    opened,
    opened_for_warcio,
    warc_members,
)
from annotate.archives.warc.framing import frames
from annotate.archives.warc.http_body import HTML_KINDS, sniffed_kind
from engine.account import Account
from engine.errors import InputError
from engine.fetch import MAX_BYTES
from engine.file_stamp import Stamp, stamp_of
from engine.saved import Stored, key_of

logging.getLogger("warcio.recordloader").setLevel(logging.ERROR)  # spaces in addresses are usual

_MOST_HOPS = 10
_MOST_RECORDS = 1_000_000
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
    """Record in a file whose records are compressed one by one.

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
    """Yield the responses, record by record, each digest checked. Raises `InputError`."""
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


def _iterator(file: IO[bytes], **options: Any) -> ArchiveIterator:  # noqa: ANN401  of warcio
    start = file.tell()
    size = file.seek(0, io.SEEK_END)
    file.seek(start)
    result = ArchiveIterator(file, arc2warc=True, verify_http=False, **options)
    result.reader = _WithinLimits(file, size)
    result.INC_RECORD = ""
    return result


def _read_on(record: ArcWarcRecord) -> None:
    """Read a record to its end; raises `EOFError` if the file has less than its declared length."""
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
    """Position of a record: member of a WACZ ("" for a WARC file), and its place in that."""

    member: str
    offset: int
    status: int
    kind: str
    url: str
    location: str = ""
    is_empty: bool = False

    @property
    def is_page(self) -> bool:
        """Whether it is HTML, sent as an answer to the request."""
        return 200 <= self.status < 300 and _is_html(self.kind) and not self.is_empty

    @property
    def why_no_page(self) -> str:
        """Reason why the record is not a page."""
        if not self.kind and not self.status:
            return "answer without a status"
        if 300 <= self.status < 400:
            return "redirect"
        if self.is_empty:
            return "empty answer"
        return "not HTML" if 200 <= self.status < 300 else f"answer with status {self.status}"


@dataclass(frozen=True)
class WarcIndex:
    """Index from addresses to records, with the problems of the file.

    Attributes:
        positions: By `key_of` an address.
        problems: In words.
        account: Of all records; pages are taken.
        parts_of_pages: Keys of HTML that a page requested, as a frame or by a script.
    """

    positions: dict[str, LocatedRecord]
    problems: tuple[str, ...]
    account: Account = field(default_factory=lambda: Account("record"))
    parts_of_pages: frozenset[str] = frozenset()


def index_of(path: Path) -> WarcIndex:
    """Return the index of a WARC or WACZ file; one pass, remembered.  Raises `InputError`."""
    return _indexed(path, stamp_of(path))


@lru_cache(maxsize=4)
def _indexed(path: Path, _stamp: Stamp) -> WarcIndex:
    index = _Indexing()
    problems: list[str] = []
    for member in warc_members(path):
        seen: set[int] = set()
        try:
            with opened_for_warcio(path, member) as file:
                iterator = _iterator(file)
                end = 0
                for record in iterator:
                    if index.account.found + len(index.waiting) > _MOST_RECORDS:
                        raise InputError(f"{path} has more than {_MOST_RECORDS:,} records")
                    if record.length is None:  # warcio would read on to the end of the file
                        raise ArchiveLoadFailed("a record has no Content-Length")
                    index.take(record, member, iterator.get_record_offset)
                    seen.add(iterator.get_record_offset())
                    _read_on(record)
                    end = iterator.get_record_offset() + iterator.get_record_length()
                if not seen:  # packed data that cannot be unpacked ends without an error
                    raise ArchiveLoadFailed("no record begins here")
                if not is_arc(path, member, _stamp):  # of ARC warcio does not tell the length
                    _check_end(file, end)
        except (InputError, *DAMAGE) as error:
            problems.append(
                f"{member or path.name} cannot be read to its end: {reason_of_error(error)}"
            )
            with suppress(InputError, *DAMAGE):
                _go_on(path, member, index, seen)
    index.resolve()
    return WarcIndex(
        index.positions, tuple(problems), index.account, frozenset(index.parts_of_pages)
    )


def _go_on(path: Path, member: str, index: "_Indexing", seen: set[int]) -> None:
    """Note the records behind damage, at which warcio stops."""
    with opened_for_warcio(path, member) as file:
        for frame in frames(file):
            if frame.offset in seen:
                continue
            if frame.trouble or not frame.begins:
                index.account.pass_over("damaged")
                continue
            try:
                record = next(_iterator(io.BytesIO(frame.record())))
                index.take(record, member, partial(int, frame.offset))
            except (StopIteration, *DAMAGE):
                index.account.pass_over("damaged")


class _Indexing:
    """Collects the positions of records and counts how each is used."""

    def __init__(self) -> None:
        self.positions: dict[str, LocatedRecord] = {}
        self.account = Account("record")
        self.parts_of_pages: set[str] = set()
        self.waiting: list[tuple[str, LocatedRecord, Mapping[str, str]]] = []
        self._by_digest: dict[str, LocatedRecord] = {}

    def take(self, record: ArcWarcRecord, member: str, offset: Callable[[], int]) -> None:
        """Note a record; ``offset`` tells where it is, and reads to its end for it."""
        kind = record.rec_type or "unnamed"
        url = (record.rec_headers.get_header("WARC-Target-URI") or "").strip("<>")
        if kind == "request" and record.http_headers is not None:
            goal = record.http_headers.get_header("Sec-Fetch-Dest") or "document"
            if goal.strip().lower() != "document":
                with suppress(ValueError):
                    self.parts_of_pages.add(key_of(url))
        if kind not in ("response", "resource", "revisit", "conversion"):
            self.account.pass_over(f"{kind}, not an answer", url)
            return
        try:
            key = key_of(url)
        except ValueError:  # nothing can ask for it
            self.account.pass_over("without an address", url)
            return
        status, location = 200, ""
        if record.http_headers is not None:
            words = record.http_headers.statusline.split()
            codes = [each for each in words[:2] if each.isdigit() and len(each) == 3]
            status = int(codes[0]) if codes else 0
            location = record.http_headers.get_header("Location") or ""
        media = _kind_of(record)
        if kind in ("revisit", "conversion"):
            names = ("WARC-Payload-Digest", "WARC-Refers-To-Target-URI")
            about = {name: record.rec_headers.get_header(name) or "" for name in names}
            place = LocatedRecord(member, offset(), status, media, url, location)
            self.waiting.append((kind, place, about))
            return
        is_empty = False
        if not media.strip() and 200 <= status < 300:
            media = sniffed_kind(_content(record))
        elif _is_html(media):
            is_empty = not record.raw_stream.read(1)
        result = LocatedRecord(member, offset(), status, media, url, location, is_empty)
        if not url.lower().startswith(("http:", "https:")) and not result.is_page:
            self.account.pass_over("not from the web", url)
            return
        digest = record.rec_headers.get_header("WARC-Payload-Digest")
        if digest:
            self._by_digest.setdefault(digest, result)
        self._place(key, result)

    def resolve(self) -> None:
        """Resolve revisits and conversions, once all files have been read."""
        for kind, place, about in self.waiting:
            key = key_of(place.url)
            if kind == "conversion":
                if place.is_page and key not in self.positions:
                    self._place(key, place)
                else:
                    self.account.pass_over("conversion of another record", place.url)
                continue
            before = self.positions.get(key)
            if before is not None and 200 <= before.status < 300:
                self.account.pass_over("revisit of a record that is there", place.url)
                continue
            original = self._by_digest.get(about["WARC-Payload-Digest"])
            if original is None:
                with suppress(ValueError):
                    original = self.positions.get(key_of(about["WARC-Refers-To-Target-URI"]))
            if original is None or (not about["WARC-Refers-To-Target-URI"] and original is before):
                self.account.pass_over("revisit of a record that is not in the file", place.url)
                continue
            self._place(key, replace(original, url=place.url))

    def _place(self, key: str, result: LocatedRecord) -> None:
        before = self.positions.get(key)
        is_better = before is None or before.is_empty or not 200 <= before.status < 300
        if before is None or (is_better and 200 <= result.status < 300 and not result.is_empty):
            self.positions[key] = result
        elif before.is_page and result.is_page:
            self.account.pass_over("captured again", result.url)
            return
        if result.is_page:
            self.account.take()
        else:
            self.account.pass_over(result.why_no_page, result.url)


def _is_html(kind: str) -> bool:
    return kind.partition(";")[0].strip().lower() in HTML_KINDS


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
    """Return the content of a record, all encodings undone; None if it is damaged or too large."""
    try:
        with opened_for_warcio(path, position.member) as file:
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
    """Return the response body, its encodings undone; `MAX_BYTES` and one more at most."""
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


def reason_of_error(error: BaseException) -> str:
    """Return why a file cannot be read, in words."""
    if isinstance(error, (AttributeError, TypeError, LookupError, AssertionError)):
        return "one of its records is damaged"  # readers' own errors do not help users
    return reason_of(error)
