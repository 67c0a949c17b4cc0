"""Pages of web archives: WARC files, packed or not, WACZ packages, folders of pages.

`framing` finds the position of each record, FastWARC parses it; this module decides which records
are pages, and where a reader may begin.  A WACZ is a zip with WARC files in its ``archive``.
"""

import io
import os
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import IO, Any, cast

from annotate.archives.disk_names import OrderedNames
from annotate.archives.members import files_below
from annotate.archives.page_files import PAGE_SUFFIXES, is_part
from annotate.archives.warc.archive_files import (
    WARC_SUFFIXES,
    archive_kind,
    missing_packages,
    opened,
    warc_members,
)
from annotate.archives.warc.framing import Frame, frames, is_as_digested
from annotate.archives.warc.http_body import HTML_KINDS, body_of, sniffed_kind
from annotate.archives.warc.revisits import Resolved, Revisits
from annotate.archives.warc.seek_buffer import SeekBuffer
from engine.document import IS_BINARY, Document, absence, is_binary, local_url
from engine.errors import InputError
from engine.fetch import MAX_BYTES, Received, read_file
from engine.xhtml import is_xml_kind, is_xml_name

_NAMES = (*WARC_SUFFIXES, ".arc", ".arc.gz", ".wacz")


@dataclass(frozen=True)
class RecordRange:
    """Records one after the other, or files of a folder.

    Attributes:
        path: A WARC file, a WACZ package, or a folder.
        member: Of a WACZ the WARC in it, "" for others.
        offset: Where the first record starts, in bytes of the (packed) file; of a folder the
            number of the first file.
        count: Number of records that may be pages, or of files.
        name: Name of the archive in rows.
        resolved: Revisits and conversions of the archive, whose pages are elsewhere; none others.
    """

    path: Path
    member: str
    offset: int
    count: int
    name: str
    resolved: tuple[Resolved, ...] = ()


@dataclass(frozen=True)
class ArchivedPage:
    """Page of an archive.

    Attributes:
        address: Its web address.
        record: The record's id; of a folder the file's name.
        date: Date of the download in the record; "" if unknown.
        data: Its bytes, transfer and content encodings undone.
        charset: The charset that the server declared; "" if none.
        trouble: Why the bytes cannot be used; "" if they can.
        offset, length: Where the record is in its (packed) file, in bytes; None where it has no
            place of its own, as in a file packed as a whole, or in a folder.
        truncated: Why the crawler cut it off, as the record has it; "" if it did not.
        digest: "differs" where the bytes are not what the digest in the record is of, as some
            crawlers count it over others; "" otherwise.
        is_xml: Whether browsers read it as XML.
    """

    address: str
    record: str
    date: str
    data: bytes
    charset: str = ""
    trouble: str = ""
    offset: int | None = None
    length: int | None = None
    truncated: str = ""
    digest: str = ""
    is_xml: bool = False

    @property
    def received(self) -> Received:
        """Return the bytes with their charset and type."""
        return Received(self.data, self.charset, is_xml=self.is_xml)

    def document(self, archive: Path) -> Document:
        """Return the page as a document without resources; ``archive`` is where it is from."""
        return Document(
            address=f"{archive}!/{self.address}",
            url=local_url("page.html"),
            data=self.data,
            charset=self.charset,
            home=self.address,
            is_xml=self.is_xml,
        )


@dataclass(frozen=True)
class LeftOut:
    """An answer in HTML that is no page: "not found", a redirect, an error of the server.

    Attributes:
        status: Status of the server's answer.
    """

    status: int


@dataclass
class ArchiveContents:
    """Counters of a pass over an archive; the sum of its records is that of its index.

    Attributes:
        name: Its name in rows.
        records: Number of all records, unreadable ones included.
        others: Number of those that are not answers: requests, metadata, ``warcinfo``.
        damaged: Number of those that cannot be used, answers or others.
        first_damage: Position and description of the first of these.
        kinds: Number of the others, by kind.
        broken: Why it could not be read to its end, as where a package is damaged; "" if it was.
    """

    name: str
    records: int = 0
    others: int = 0
    damaged: int = 0
    first_damage: str = ""
    broken: str = ""
    kinds: dict[str, int] = field(default_factory=dict)

    def note(self, frame: Frame) -> None:
        """Count one more record."""
        self.records += 1
        if not frame.is_page_or_unknown:
            self.others += 1
            self.kinds[frame.kind] = self.kinds.get(frame.kind, 0) + 1
        if frame.trouble:
            self.damaged += 1
            first = f"at byte {frame.offset:,}: {frame.trouble}"
            self.first_damage = self.first_damage or first

    @property
    def is_unreadable(self) -> bool:
        """Whether there is no record in it that can be used."""
        return self.damaged == self.records

    @property
    def trouble(self) -> str:
        """Return what a user should know; "" if all is well."""
        first = f" ({self.first_damage or self.broken})" if self.first_damage or self.broken else ""
        if self.is_unreadable:
            return f"{self.name} is not a web archive, or damaged as a whole{first}"
        if self.broken:
            return f"{self.name} could not be read to its end ({self.broken})"
        if not self.damaged:
            return ""
        are = "is" if self.damaged == 1 else "are"
        return f"{self.name}: {self.damaged:,} of {self.records:,} records {are} damaged{first}"


def pages(part: RecordRange) -> Iterator[ArchivedPage | LeftOut | None]:
    """Yield each record of a range, None for one that is not HTML; raises `InputError`."""
    if part.path.is_dir():
        yield from _files(part)
        return
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


def _of_others(resolved: Iterable[Resolved]) -> Iterator[ArchivedPage | LeftOut | None]:
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


def all_pages(path: Path) -> Iterator[ArchivedPage]:
    """Yield the pages of an archive; raises `InputError`."""
    contents: list[ArchiveContents] = []
    for part in record_ranges(path, 1 << 62, path.name, contents):
        yield from (page for page in pages(part) if isinstance(page, ArchivedPage))
    for each in contents:
        if each.is_unreadable:
            raise InputError(each.trouble)


def record_ranges(
    path: Path,
    most: int,
    name: str,
    contents: list[ArchiveContents],
    revisits: Revisits[ArchiveContents] | None = None,
) -> Iterator[RecordRange]:
    """Divide an archive or folder; costs unpacking it once.

    Args:
        path: A WARC file, a WACZ package, or a folder of pages, archives or both.
        most: Most records or files of a range.
        name: Its name in rows; of archives in a folder only their own path in it if this is "".
        contents: Is given what each archive holds, those that cannot be read included.
        revisits: Collects the records that revisits may refer to.

    Raises:
        InputError: It is none of these.
    """
    if path.is_dir():
        _in_order.cache_clear()  # earlier lists may be out of date
        for archive in sorted(path / name for name in files_below(path) if is_archive(path / name)):
            inside = archive.relative_to(path).as_posix()
            inside = f"{name}/{inside}" if name else inside
            yield from _of_archive(archive, most, inside, contents, revisits)
        count = frames = 0
        for each in files_below(path):
            if each.lower().endswith(PAGE_SUFFIXES):
                count, frames = (count, frames + 1) if is_part(path, each) else (count + 1, frames)
        if frames:
            kinds = {"frame of a saved page": frames}
            contents.append(ArchiveContents(name, frames, frames, kinds=kinds))
        for at in range(0, count, most):
            yield RecordRange(path, "", at, min(most, count - at), name or path.absolute().name)
        return
    if not path.is_file():
        raise InputError(absence(path))
    if not is_archive(path) and not archive_kind(path):
        raise InputError(f"{path} is not a web archive: expected WARC, ARC, WACZ, or a folder")
    yield from _of_archive(path, most, name, contents, revisits)


def names_read(folder: Path) -> Iterator[str]:
    """Yield the files below a folder that `record_ranges` reads: pages and archives, no others."""
    for name in files_below(folder):
        if name.lower().endswith(PAGE_SUFFIXES) or is_archive(folder / name):
            yield name


def revisit_ranges(revisits: Revisits[ArchiveContents], most: int) -> Iterator[RecordRange]:
    """Yield the revisits that `record_ranges` left out, once all archives have been read."""
    for counted, path, found in revisits.resolved():
        counted.others -= len(found)
        for at in range(0, len(found), most):
            part = tuple(found[at : at + most])
            yield RecordRange(path, "", 0, len(part), counted.name, part)


def _of_archive(
    path: Path,
    most: int,
    name: str,
    contents: list[ArchiveContents],
    revisits: Revisits[ArchiveContents] | None,
) -> Iterator[RecordRange]:
    try:
        members = _members(path)
    except InputError as error:
        contents.append(ArchiveContents(name, first_damage=str(error).replace(str(path), name)))
        return
    for missing in missing_packages(path):
        first = f"{missing} does not lie beside it"
        contents.append(ArchiveContents(f"{name}!/{missing}", broken=first, first_damage=first))
    for member in members:
        counted = ArchiveContents(f"{name}!/{member}" if member else name)
        contents.append(counted)
        yield from _divided(path, member, most, counted, revisits)


def _divided(
    path: Path,
    member: str,
    most: int,
    counted: ArchiveContents,
    revisits: Revisits[ArchiveContents] | None,
) -> Iterator[RecordRange]:
    start, count = 0, 0
    try:
        with _opened(path, member) as file:
            for frame in frames(file):
                is_page_or_unknown = frame.is_page_or_unknown
                if is_page_or_unknown and count >= most and frame.begins:
                    yield RecordRange(path, member, start, count, counted.name)
                    count = 0
                counted.note(frame)
                if revisits is not None:
                    revisits.note(path, member, frame, counted)
                if not is_page_or_unknown:
                    continue
                if count == 0:
                    start = frame.offset
                count += 1
    except InputError as error:
        counted.broken = str(error).replace(str(path), path.name)
    if count and not counted.is_unreadable:
        yield RecordRange(path, member, start, count, counted.name)


def is_archive(path: Path) -> bool:
    """Whether a path is that of a web archive, by its name; content tells for others."""
    return path.name.lower().endswith(_NAMES) and path.is_file()


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
        with opened(path, member) as file:
            yield cast(IO[bytes], SeekBuffer(file)) if member else file
    except (OSError, zipfile.BadZipFile, KeyError, zlib.error) as error:
        raise InputError(f"cannot read {path}: {error}") from error


def _iterator() -> Any:  # noqa: ANN401
    try:
        from fastwarc.warc import ArchiveIterator
    except ImportError:
        raise InputError("web archives need FastWARC: pip install 'pagelet[web]'") from None
    return ArchiveIterator


_KIND = re.compile(r"(application|audio|font|image|message|model|multipart|text|video)/[\w.+-]+")
"""A kind of media, as answers name it."""


def _page(frame: Frame) -> ArchivedPage | LeftOut | None:
    empty = ArchivedPage("", "", "", b"", offset=frame.offset, length=frame.length)
    if not frame.head:
        return replace(empty, trouble=f"the record is damaged: {frame.trouble}")
    try:
        record = next(_iterator()(io.BytesIO(frame.record()), parse_http=False, quirks_mode=True))
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


def _answer(record: Any, page: ArchivedPage, frame: Frame) -> ArchivedPage | LeftOut | None:  # noqa: ANN401
    """Return the content of a record with parsed fields."""
    is_http, status, charset = record.is_http, None, ""
    # WORKAROUND FastWARC 2.0.1: taken apart while it is iterated, a body that is both chunked and
    # packed ends the iteration.
    record.freeze()
    if is_http:
        record.parse_http(auto_decode="none")
        kind, charset = record.http_content_type, record.http_charset or ""
        status = record.http_headers.status_code
    else:
        kind = record.headers.get("Content-Type")
    kind = (kind or "").partition(";")[0].strip().lower()
    if not kind and not frame.trouble and (status is None or 200 <= status < 300):
        kind = _sniffed(frame)
    if kind not in HTML_KINDS:
        is_answer = record.headers.get("WARC-Type") in ("response", "resource")
        if frame.trouble and is_answer and not _KIND.fullmatch(kind):
            # It names no kind, or none there is: that line may be damaged, and it a page.
            return replace(page, trouble=f"the record is damaged: {frame.trouble}")
        return None
    if status is not None and not 200 <= status < 300:
        return LeftOut(status)
    if frame.trouble:
        return replace(page, trouble=f"the record is damaged: {frame.trouble}")
    if frame.size > MAX_BYTES:
        return replace(page, trouble=f"the page is larger than {MAX_BYTES // 2**20} MB")
    if is_as_digested(frame.head, frame.block) is False:
        page = replace(page, digest="differs")
    data, cut = record.reader.read(), ""
    if is_http:
        fields = {name.lower(): value for name, value in record.http_headers}
        data, cut = body_of(data, fields)
    trouble = f"it {IS_BINARY}" if is_binary(data, charset) else ""
    page = replace(page, data=data, charset=charset, trouble=trouble, is_xml=is_xml_kind(kind))
    return replace(page, truncated=page.truncated or cut)


def _sniffed(frame: Frame) -> str:
    """Return what an answer is whose head does not name a type."""
    record = next(_iterator()(io.BytesIO(frame.record()), parse_http=False, quirks_mode=True))
    record.freeze()
    fields: dict[str, str] = {}
    if record.is_http:
        record.parse_http(auto_decode="none")
        fields = {name.lower(): value for name, value in record.http_headers}
    return sniffed_kind(body_of(record.reader.read(), fields)[0])


def _page_names(folder: Path) -> Iterator[str]:
    for name in files_below(folder):
        if name.lower().endswith(PAGE_SUFFIXES) and not is_part(folder, name):
            yield name


@lru_cache(maxsize=2)
def _in_order(folder: Path) -> OrderedNames:
    """Return the pages of a folder, listed once a process, which mostly reads several ranges."""
    return OrderedNames((0, name) for name in _page_names(folder))


def _files(part: RecordRange) -> Iterator[ArchivedPage]:
    for name in _in_order(part.path).read(part.offset, part.count):
        path = part.path / name
        own = os.fsencode(name).decode("utf-8", "backslashreplace")  # in any locale the same
        try:
            data = read_file(path)
            trouble = f"it {IS_BINARY}" if is_binary(data) else ""
            yield ArchivedPage(own, own, "", data, trouble=trouble, is_xml=is_xml_name(own))
        except InputError as error:
            # Rows are read on other machines: without the folder's own path.
            trouble = str(error).replace(str(path), own)
            yield ArchivedPage(own, own, "", b"", trouble=trouble)
