"""Records of web archives: WARC and ARC files, packed or not, and WACZ packages.

`framing` finds the position of each record, FastWARC parses it; this module decides which records
are pages, and where a reader may begin.  A WACZ is a zip with WARC files in its ``archive``.
"""

import io
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import IO, Any, cast

from annotate.archives.http_body import DISCONNECT, body_of, fields_of_answer
from annotate.archives.magic import HTML_KINDS, sniffed_kind
from annotate.archives.members import BROKEN
from annotate.archives.page_ranges import (
    ArchiveContents,
    ArchivedPage,
    ArchiveReader,
    LeftOut,
    PageRecord,
    RecordRange,
    Resolved,
)
from annotate.plugins.archives.archive_files import (
    archive_kind,
    missing_packages,
    open_archive,
    warc_members,
)
from annotate.plugins.archives.byte_streams import CHUNK
from annotate.plugins.archives.framing import Frame, frames, is_as_digested
from annotate.plugins.archives.revisits import Revisits
from engine.document import IS_BINARY, is_binary
from engine.errors import InputError
from engine.fetch import MAX_BYTES
from engine.media_types import media_type
from engine.xhtml import is_xml_kind

_KEPT = 1 << 20
"""Bytes before the furthest one that was read: all but long records are shorter."""

_PIECE = 1 << 12


def pages(part: RecordRange) -> Iterator[PageRecord]:
    """Yield each record of a range, None for one that is not HTML; raises `InputError`."""
    if part.resolved:
        yield from _of_others(part.resolved)
        return
    count = 0
    with _opened(part.path, part.member) as file:
        for frame in frames(file, part.offset):
            if not frame.is_page_or_unknown:
                continue
            if count == part.count:
                return
            yield _page(frame)
            count += 1


def _of_others(resolved: Iterable[Resolved]) -> Iterator[PageRecord]:
    """Yield the pages that revisits refer to, under the address and date of the revisits."""
    for (path, member), group in groupby(resolved, lambda each: each.place[:2]):
        with _opened(path, member) as file:
            for each in group:
                found = frames(file, each.place.offset)
                frame = next((f for f in found if f.before == each.place.before), None)
                if frame is None:
                    raise InputError(f"{path} has changed since it was looked through")
                page = _page(frame)
                if isinstance(page, ArchivedPage):
                    page = replace(
                        page, address=each.address, record=each.record, date=each.date,
                        offset=each.offset, length=each.length,
                    )  # fmt: skip
                yield page


class RecordRanges:
    """Pass over archives; see `annotate.archives.page_ranges.ArchiveReader`."""

    def __init__(self, most: int, contents: list[ArchiveContents]) -> None:
        self._most, self._contents = most, contents
        self._revisits = Revisits()

    def ranges(self, path: Path, name: str) -> Iterator[RecordRange]:
        add = self._contents.append
        try:
            members = _members(path)
        except InputError as error:
            add(ArchiveContents(name, first_damage=str(error).replace(str(path), name)))
            return
        for missing in missing_packages(path):
            first = f"{missing} does not lie beside it"
            add(ArchiveContents(f"{name}!/{missing}", broken=first, first_damage=first))
        for member in members:
            counted = ArchiveContents(f"{name}!/{member}" if member else name)
            add(counted)
            yield from self._divided(path, member, counted)

    def revisits(self) -> Iterator[RecordRange]:
        """Yield the revisits that `ranges` left out."""
        for counted, path, found in self._revisits.resolved():
            counted.others -= len(found)
            for at in range(0, len(found), self._most):
                part = tuple(found[at : at + self._most])
                yield RecordRange(path, "", 0, len(part), counted.name, part)

    def _divided(self, path: Path, member: str, counted: ArchiveContents) -> Iterator[RecordRange]:
        start, count = 0, 0
        try:
            with _opened(path, member) as file:
                for frame in frames(file):
                    is_page = frame.is_page_or_unknown
                    if is_page and count >= self._most and frame.begins:
                        yield RecordRange(path, member, start, count, counted.name)
                        count = 0
                    _note(counted, frame)
                    self._revisits.note(path, member, frame, counted)
                    start = frame.offset if is_page and not count else start
                    count += is_page
        except InputError as error:
            counted.broken = str(error).replace(str(path), path.name)
        if count and not counted.is_unreadable:
            yield RecordRange(path, member, start, count, counted.name)


def _note(contents: ArchiveContents, frame: Frame) -> None:
    contents.records += 1
    if not frame.is_page_or_unknown:
        contents.others += 1
        contents.kinds[frame.kind] = contents.kinds.get(frame.kind, 0) + 1
    if frame.trouble:
        contents.damaged += 1
        contents.cut += frame.is_cut
        first = f"at byte {frame.offset:,}: {frame.trouble}"
        contents.first_damage = contents.first_damage or first


def _members(path: Path) -> tuple[str, ...]:
    try:
        result = warc_members(path)
    except InputError as error:
        raise InputError(f"cannot read {error}") from None
    if not result:
        raise InputError(f"{path} holds no WARC files")
    return result


@contextmanager
def _opened(path: Path, member: str) -> Iterator[IO[bytes]]:
    try:
        with open_archive(path, member) as file:
            yield cast(IO[bytes], SeekBuffer(file)) if member else file
    except (OSError, zipfile.BadZipFile, KeyError, zlib.error) as error:
        raise InputError(f"cannot read {path}: {error}") from error


def _record(frame: Frame) -> Any:  # noqa: ANN401
    try:
        from fastwarc.warc import ArchiveIterator
    except ImportError:
        raise InputError("web archives need FastWARC: pip install 'pagelet[web]'") from None
    return next(ArchiveIterator(io.BytesIO(frame.record()), parse_http=False, quirks_mode=True))


_KIND = re.compile(r"(application|audio|font|image|message|model|multipart|text|video)/[\w.+-]+")
"""A kind of media, as answers name it."""


def _page(frame: Frame) -> PageRecord:
    empty = ArchivedPage("", "", "", b"", offset=frame.offset, length=frame.length)
    if not frame.head:
        return replace(empty, trouble=f"the record is damaged: {frame.trouble}")
    try:
        record = _record(frame)
        headers = record.headers
    except (OSError, ValueError, StopIteration) as error:
        return replace(empty, trouble=f"the record cannot be read: {str(error)[:80]}")
    address = (headers.get("WARC-Target-URI") or "").strip("<>")
    name = (headers.get("WARC-Record-ID") or "").strip("<>").removeprefix("urn:uuid:")
    page = replace(
        empty,
        address=address,
        record=name,
        date=headers.get("WARC-Date") or "",
        truncated=(headers.get("WARC-Truncated") or "").strip(),
    )
    if frame.trouble and record.is_http and not frame.has_http_head:
        return replace(page, trouble=f"the record is damaged: {frame.trouble}")
    try:
        return _answer(record, page, frame)
    except (InputError, OSError, ValueError) as error:
        return replace(page, trouble=f"the page cannot be unpacked: {str(error)[:120]}")


def _answer(record: Any, page: ArchivedPage, frame: Frame) -> PageRecord:  # noqa: ANN401
    """Return the content of a record with parsed fields."""
    is_http, status = record.is_http, None
    said, fields = record.headers.get("Content-Type") or "", {}
    # WORKAROUND FastWARC 2.0.1: taken apart while it is iterated, a body that is both chunked and
    # packed ends the iteration.
    record.freeze()
    if is_http:
        record.parse_http(auto_decode="none")
        fields = fields_of_answer(record.http_headers)
        said, status = fields.get("content-type", ""), record.http_headers.status_code
    kind, charset = media_type(said)
    charset = charset if is_http else ""
    if not kind and (frame.is_cut or not frame.trouble) and (status is None or 200 <= status < 300):
        kind = _sniffed(frame)
    if kind not in HTML_KINDS:
        is_answer = record.headers.get("WARC-Type") in ("response", "resource")
        if frame.trouble and is_answer and not _KIND.fullmatch(kind):
            # Without a known kind: that line may be damaged, and the record may be a page.
            return replace(page, trouble=f"the record is damaged: {frame.trouble}")
        return None
    if status is not None and not 200 <= status < 300:
        return LeftOut(status)
    if frame.trouble and not frame.is_cut:
        return replace(page, trouble=f"the record is damaged: {frame.trouble}")
    if frame.size > MAX_BYTES:
        return replace(page, trouble=f"the page is larger than {MAX_BYTES // 2**20} MB")
    if not frame.is_cut and is_as_digested(frame.head, frame.block) is False:
        page = replace(page, digest="differs")
    data, cut = record.reader.read(), ""
    if is_http:
        data, cut = body_of(data, fields)
    trouble = f"it {IS_BINARY}" if is_binary(data, charset) else ""
    if frame.is_cut:
        cut = DISCONNECT
        trouble = trouble or ("" if data.strip() else f"the record is damaged: {frame.trouble}")
    page = replace(page, data=data, charset=charset, trouble=trouble, is_xml=is_xml_kind(kind))
    return replace(page, truncated=page.truncated or cut)


def _sniffed(frame: Frame) -> str:
    """Return what an answer is whose head does not name a type."""
    record = _record(frame)
    record.freeze()
    fields: dict[str, str] = {}
    if record.is_http:
        record.parse_http(auto_decode="none")
        fields = fields_of_answer(record.http_headers)
    return sniffed_kind(body_of(record.reader.read(), fields)[0])


class SeekBuffer(io.RawIOBase):
    """Seekable stream of a member of a zip, which keeps the start and the end of the bytes read.

    Readers of records look ahead and return to the start of the next record, and to the first
    bytes for the data that all records share.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._failure: Exception | None = None
        self._head = self._kept = self._ahead(CHUNK)
        self._end = len(self._kept)
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        if whence == io.SEEK_END:
            self._end = self._file.seek(0, io.SEEK_END)
            self._kept = b""
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._end}[whence]
        self._at = start + offset
        return self._at

    def read(self, size: int | None = -1) -> bytes:
        most = CHUNK if size is None or size < 0 else size
        if self._at + most <= len(self._head):
            result = self._head[self._at : self._at + most]
        else:
            result = self._beyond_head(most)
        self._at += len(result)
        return result

    def _beyond_head(self, most: int) -> bytes:
        if not self._end - len(self._kept) <= self._at <= self._end + _KEPT:
            self._end, self._kept, self._failure = self._file.seek(self._at), b"", None
        while (left := self._at + most - self._end) > 0 and (more := self._ahead(left)):
            self._kept += more
            self._end += len(more)
        if self._failure is not None and self._end <= self._at:
            raise self._failure
        start = self._at - (self._end - len(self._kept))
        result = self._kept[start : start + most]
        self._kept = self._kept[-_KEPT:]
        return result

    def _ahead(self, least: int) -> bytes:
        """Read piece by piece: an error is raised only after the data before it was returned."""
        pieces: list[bytes] = []
        left = max(CHUNK, least)
        while left > 0 and self._failure is None:
            try:
                piece = self._file.read(min(_PIECE, left))
            except BROKEN as error:
                self._failure = error
                break
            if not piece:
                break
            pieces.append(piece)
            left -= len(piece)
        return b"".join(pieces)


READER = ArchiveReader(lambda path: bool(archive_kind(path)), RecordRanges, pages)
