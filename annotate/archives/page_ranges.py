"""Many pages: those of a folder, and of web archives by the readers of plug-ins.

They are divided into ranges, which workers read one by one.
"""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, Protocol, TypeAlias

from annotate.archives.disk_names import OrderedNames
from annotate.archives.members import files_below
from annotate.archives.page_files import PAGE_SUFFIXES, is_part
from engine import plugin
from engine.document import IS_BINARY, Document, absence, is_binary, local_url
from engine.errors import InputError
from engine.fetch import Received, read_file
from engine.words import UNICODE
from engine.xhtml import is_xml_name

WARC_SUFFIXES = (".warc", ".warc.gz", ".warc.zst", ".warc.lz4")
ARCHIVE_SUFFIXES = (*WARC_SUFFIXES, ".arc", ".arc.gz", ".wacz")
"""How the names of web archives end."""


class Place(NamedTuple):
    """Position of a record: archive, member of a WACZ, and `Frame.offset` and `Frame.before`."""

    path: Path
    member: str
    offset: int
    before: int


@dataclass(frozen=True)
class Resolved:
    """A revisit or conversion, with its own position as in `ArchivedPage`, and that of its page."""

    address: str
    record: str
    date: str
    offset: int
    length: int | None
    place: Place


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
    """An answer in HTML, with its status, that is no page: "not found", a redirect, an error."""

    status: int


@dataclass
class ArchiveContents:
    """Counters of a pass over an archive; the sum of its records is that of its index.

    Attributes:
        name: Its name in rows.
        records: Number of all records, unreadable ones included.
        others: Number of those that are not answers: requests, metadata, ``warcinfo``.
        damaged: Number of those that cannot be used as a whole, answers or others.
        cut: Number of these in which the file ends; what is before that is used.
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
    cut: int = 0

    @property
    def is_unreadable(self) -> bool:
        """Whether there is no record in it that can be used."""
        return self.damaged == self.records and not self.cut

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


PageRecord: TypeAlias = ArchivedPage | LeftOut | None
"""A record: a page, an answer that is none, None for one that is not HTML."""


class ArchivePass(Protocol):
    """Pass over archives that are read together."""

    def ranges(self, path: Path, name: str) -> Iterator[RecordRange]:
        """Yield the ranges of an archive; ``name`` is what rows call it."""

    def revisits(self) -> Iterator[RecordRange]:
        """Yield the revisits that `ranges` left out, once all archives have been read."""


@dataclass(frozen=True)
class ArchiveReader:
    """Reader of web archives, contributed by a plug-in.

    Attributes:
        matches: Whether a file is a web archive, by its content.
        begin: Takes the most records of a range and a list that gets what each archive holds, those
            that cannot be read included; returns a pass.
        pages: Yields each record of a range; raises `InputError`.
    """

    matches: Callable[[Path], bool]
    begin: Callable[[int, list[ArchiveContents]], ArchivePass]
    pages: Callable[[RecordRange], Iterator[PageRecord]]


def is_archive(path: Path) -> bool:
    """Return whether a path is that of a web archive, by its name; content tells for others."""
    return path.name.lower().endswith(ARCHIVE_SUFFIXES) and path.is_file()


def _reader(path: Path) -> ArchiveReader:
    for each in plugin.objects("archives", ArchiveReader):
        return each  # type: ignore[no-any-return]
    raise InputError(f"{path} {plugin.needs('archives')}")


def pages(part: RecordRange) -> Iterator[PageRecord]:
    """Yield each record of a range, None for one that is not HTML; raises `InputError`."""
    return _files(part) if part.path.is_dir() else _reader(part.path).pages(part)


def all_pages(path: Path) -> Iterator[ArchivedPage]:
    """Yield the pages of an archive; raises `InputError`."""
    contents: list[ArchiveContents] = []
    for part in PageRanges(1 << 62, contents).ranges(path, path.name):
        yield from (page for page in pages(part) if isinstance(page, ArchivedPage))
    for each in contents:
        if each.is_unreadable:
            raise InputError(each.trouble)


class PageRanges:
    """Ranges of archives and folders that are read together; costs unpacking each once.

    Args:
        most: Most records or files of a range.
        contents: Is given what each archive holds, those that cannot be read included.
    """

    def __init__(self, most: int, contents: list[ArchiveContents]) -> None:
        self._most, self._contents = most, contents
        self._archives: ArchivePass | None = None

    def ranges(self, path: Path, name: str) -> Iterator[RecordRange]:
        """Yield those of a WARC file, a WACZ package, or a folder of pages, archives or both.

        ``name`` is its name in rows; of archives in a folder only their own path in it if this is
        "".  Raises `InputError` if it is none of these.
        """
        if path.is_dir():
            _in_order.cache_clear()  # earlier lists may be out of date
            every = sorted(path / name for name in files_below(path) if is_archive(path / name))
            for archive in every:
                inside = archive.relative_to(path).as_posix()
                yield from self._of_archive(archive, f"{name}/{inside}" if name else inside)
            yield from self._of_folder(path, name)
            return
        if not path.is_file():
            raise InputError(absence(path))
        if not is_archive(path) and not _reader(path).matches(path):
            raise InputError(f"{path} is not a web archive: expected WARC, ARC, WACZ, or a folder")
        yield from self._of_archive(path, name)

    def revisits(self) -> Iterator[RecordRange]:
        """Yield the revisits that `ranges` left out, once all archives have been read."""
        if self._archives is not None:
            yield from self._archives.revisits()

    def _of_archive(self, path: Path, name: str) -> Iterator[RecordRange]:
        if self._archives is None:
            self._archives = _reader(path).begin(self._most, self._contents)
        yield from self._archives.ranges(path, name)

    def _of_folder(self, path: Path, name: str) -> Iterator[RecordRange]:
        count = frames = 0
        for each in files_below(path):
            if each.lower().endswith(PAGE_SUFFIXES):
                count, frames = (count, frames + 1) if is_part(path, each) else (count + 1, frames)
        if frames:
            kinds = {"frame of a saved page": frames}
            self._contents.append(ArchiveContents(name, frames, frames, kinds=kinds))
        for at in range(0, count, self._most):
            length = min(self._most, count - at)
            yield RecordRange(path, "", at, length, name or path.absolute().name)


def names_read(folder: Path) -> Iterator[str]:
    """Yield the files below a folder that `PageRanges` reads: pages and archives, no others."""
    for name in files_below(folder):
        if name.lower().endswith(PAGE_SUFFIXES) or is_archive(folder / name):
            yield name


@lru_cache(maxsize=2)
def _in_order(folder: Path) -> OrderedNames:
    """Return the pages of a folder, listed once a process, which mostly reads several ranges."""
    names = (name for name in files_below(folder) if name.lower().endswith(PAGE_SUFFIXES))
    return OrderedNames((0, name) for name in names if not is_part(folder, name))


def _files(part: RecordRange) -> Iterator[ArchivedPage]:
    for name in _in_order(part.path).read(part.offset, part.count):
        path = part.path / name
        raw = os.fsencode(name).decode("utf-8", "surrogateescape")  # the same in every locale
        own = UNICODE.write(raw)
        try:
            data = read_file(path)
            trouble = f"it {IS_BINARY}" if is_binary(data) else ""
            yield ArchivedPage(own, own, "", data, trouble=trouble, is_xml=is_xml_name(own))
        except InputError as error:
            # Rows are read on other machines: without the folder's own path.
            trouble = str(error).replace(str(path), own)
            yield ArchivedPage(own, own, "", b"", trouble=trouble)
