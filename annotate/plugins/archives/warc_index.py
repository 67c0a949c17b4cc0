"""Index of the records of a web archive by their addresses; warcio reads them (ISO 28500)."""

import io
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path

from warcio.exceptions import ArchiveLoadFailed
from warcio.recordloader import ArcWarcRecord

from annotate.archives.frozen.warc import (
    DAMAGE,
    LocatedRecord,
    address_of,
    answer_of,
    answer_to,
    check_end,
    content_of,
    iterator_of,
    read_on,
    reason_of_error,
    stored_at,
)
from annotate.archives.magic import HTML_KINDS, sniffed_kind
from annotate.plugins.archives.archive_files import is_arc, opened_for_warcio, warc_members
from annotate.plugins.archives.framing import frames
from engine.account import Account
from engine.bounded_file import Stamp, stamp_of
from engine.errors import InputError
from engine.media_types import media_type
from engine.saved import Stored, key_of
from engine.words import plural

_MOST_RECORDS = 1_000_000


@dataclass(frozen=True)
class IndexedRecord(LocatedRecord):
    """Record of an archive.

    Attributes:
        is_empty: Whether it is HTML without a byte.
    """

    is_empty: bool = False

    @property
    def is_page(self) -> bool:
        """Whether it is HTML, sent as an answer to the request."""
        return self.is_success and _is_html(self.kind) and not self.is_empty

    @property
    def why_no_page(self) -> str:
        """Reason why the record is not a page."""
        if not self.kind and not self.status:
            return "answer without a status"
        if 300 <= self.status < 400:
            return "redirect"
        if self.is_empty:
            return "empty answer"
        return "not HTML" if self.is_success else f"answer with status {self.status}"


def index_of(path: Path) -> "WarcIndex":
    """Return the index of a WARC or WACZ file; one pass, remembered.  Raises `InputError`."""
    return _indexed(path, stamp_of(path))


@lru_cache(maxsize=4)
def _indexed(path: Path, _stamp: Stamp) -> "WarcIndex":
    index = WarcIndex()
    for member in warc_members(path):
        seen: set[int] = set()
        try:
            with opened_for_warcio(path, member) as file:
                iterator = iterator_of(file)
                end, first = 0, -1
                for record in iterator:
                    if index.account.found + len(index.waiting) > _MOST_RECORDS:
                        raise InputError(f"{path} has more than {_MOST_RECORDS:,} records")
                    if record.length is None:  # warcio would read on to the end of the file
                        raise ArchiveLoadFailed("a record has no Content-Length")
                    index.take(record, member, iterator.get_record_offset)
                    seen.add(iterator.get_record_offset())
                    read_on(record)
                    end = iterator.get_record_offset() + iterator.get_record_length()
                    if iterator.err_count and first < 0:  # what follows a record is no blank line
                        first = iterator.get_record_offset()
                if iterator.err_count:
                    records = plural(iterator.err_count, "record")
                    index.problems.append(
                        f"{member or path.name}: {records} longer than the Content-Length, the "
                        f"first at byte {first:,}: the end of the page is missing"
                    )
                if not seen:  # packed data that cannot be unpacked ends without an error
                    raise ArchiveLoadFailed("no record begins here")
                if not is_arc(path, member, _stamp):  # warcio has no length for ARC
                    check_end(file, end)
        except (InputError, *DAMAGE) as error:
            index.problems.append(
                f"{member or path.name} cannot be read to its end: {reason_of_error(error)}"
            )
            with suppress(InputError, *DAMAGE):
                _go_on(path, member, index, seen)
    index.resolve()
    return index


def _go_on(path: Path, member: str, index: "WarcIndex", seen: set[int]) -> None:
    """Note the records behind damage, at which warcio stops."""
    with opened_for_warcio(path, member) as file:
        for frame in frames(file):
            if frame.offset in seen:
                continue
            if frame.trouble or not frame.begins:
                index.account.pass_over("damaged")
                continue
            try:
                record = next(iterator_of(io.BytesIO(frame.record())))
                index.take(record, member, partial(int, frame.offset))
            except (StopIteration, *DAMAGE):
                index.account.pass_over("damaged")


class WarcIndex:
    """Index from addresses to records, with the problems of the file.

    Attributes:
        positions: By `key_of` an address.
        problems: In words.
        account: Of all records; pages are taken.
        parts_of_pages: Keys of HTML that a page requested, as a frame or by a script.
        waiting: Revisits and conversions that `resolve` has not seen yet.
    """

    def __init__(self) -> None:
        self.positions: dict[str, IndexedRecord] = {}
        self.problems: list[str] = []
        self.account = Account("record")
        self.parts_of_pages: set[str] = set()
        self.waiting: list[tuple[str, IndexedRecord, Mapping[str, str]]] = []
        self._by_digest: dict[str, IndexedRecord] = {}
        self._by_id: dict[str, IndexedRecord] = {}

    def take(self, record: ArcWarcRecord, member: str, offset: Callable[[], int]) -> None:
        """Note a record; ``offset`` tells where it is, and reads to its end for it."""
        kind = record.rec_type or "unnamed"
        url = address_of(record)
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
        except ValueError:  # it cannot be requested
            self.account.pass_over("without an address", url)
            return
        status, media, location = answer_of(record)
        if kind in ("revisit", "conversion"):
            names = ("WARC-Payload-Digest", "WARC-Refers-To-Target-URI", "WARC-Refers-To")
            about = {
                name: (record.rec_headers.get_header(name) or "").strip("<>") for name in names
            }
            place = IndexedRecord(member, offset(), status, media, url, location)
            self.waiting.append((kind, place, about))
            return
        is_empty = False
        if not media_type(media).kind and 200 <= status < 300:
            media = ""
            with suppress(InputError):
                media = sniffed_kind(content_of(record))
        elif _is_html(media):
            is_empty = not record.raw_stream.read(1)
        result = IndexedRecord(member, offset(), status, media, url, location, is_empty)
        if not url.lower().startswith(("http:", "https:")) and not result.is_page:
            self.account.pass_over("not from the web", url)
            return
        digest = record.rec_headers.get_header("WARC-Payload-Digest")
        if digest:
            self._by_digest.setdefault(digest, result)
        name = (record.rec_headers.get_header("WARC-Record-ID") or "").strip("<>")
        if name:
            self._by_id.setdefault(name, result)
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
            original = self._by_id.get(about["WARC-Refers-To"])
            original = original or self._by_digest.get(about["WARC-Payload-Digest"])
            if original is None:
                with suppress(ValueError):
                    original = self.positions.get(key_of(about["WARC-Refers-To-Target-URI"]))
            if original is None or (not about["WARC-Refers-To-Target-URI"] and original is before):
                self.account.pass_over("revisit of a record that is not in the file", place.url)
                continue
            self._place(key, replace(original, url=place.url))
        self.waiting.clear()  # the index is remembered, and nothing asks for these again
        self._by_digest.clear()
        self._by_id.clear()

    def _place(self, key: str, result: IndexedRecord) -> None:
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
    return media_type(kind).kind in HTML_KINDS


def find(path: Path, url: str) -> Stored | None:
    """Return what answers an address, after redirects; None if nothing does, or it is damaged."""
    return answer_to(url, index_of(path).positions, partial(read, path))


def read(path: Path, position: LocatedRecord) -> Stored | None:
    """Return the content of a record, all encodings undone; None if it is damaged or too large."""
    return stored_at(position, opened_for_warcio(path, position.member))
