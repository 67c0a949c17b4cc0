"""Pages of web archives: WARC files, packed or not, WACZ packages, folders of pages.

The records are read by FastWARC, which unpacks at the speed of C and takes HTTP apart; here is only
what is a page, and where a reader may begin.  A WACZ is a zip with WARC files in its ``archive``.
"""

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

from annotate.datasets.reading import pages_in
from annotate.frozen import warc
from engine.document import Document, local_url
from engine.errors import InputError
from engine.fetch import MAX_BYTES, read_file

_PAGES = ("text/html", "application/xhtml+xml")
_WARC = (".warc", ".warc.gz", ".warc.zst")


@dataclass(frozen=True)
class Stretch:
    """Records one after the other, or files of a folder.

    Attributes:
        path: A WARC file, a WACZ package, or a folder.
        member: Of a WACZ the WARC in it, "" for others.
        offset: Where the first record starts, in bytes of the (packed) file; of a folder the
            number of the first file.
        count: How many records or files.
    """

    path: Path
    member: str
    offset: int
    count: int

    @property
    def name(self) -> str:
        """What rows call the archive."""
        return f"{self.path.name}!/{self.member}" if self.member else self.path.name


@dataclass(frozen=True)
class ArchivedPage:
    """One page of an archive.

    Attributes:
        address: Where on the web it was.
        record: The record's id; of a folder the file's name.
        date: When it was fetched, as the record has it; "" if that is not known.
        data: Its bytes, transfer and content encodings undone.
        charset: The charset that the server declared; "" if none.
        trouble: Why the bytes cannot be used; "" if they can.
    """

    address: str
    record: str
    date: str
    data: bytes
    charset: str = ""
    trouble: str = ""

    def document(self, archive: Path) -> Document:
        """Return the page as a document without resources; ``archive`` is where it is from."""
        return Document(
            address=f"{archive}!/{self.address}",
            url=local_url("page.html"),
            data=self.data,
            charset=self.charset,
            home=self.address,
        )


@dataclass(frozen=True)
class LeftOut:
    """An answer in HTML that is no page: "not found", a redirect, an error of the server.

    Attributes:
        status: What the server answered with.
    """

    status: int


def pages(stretch: Stretch) -> Iterator[ArchivedPage | LeftOut | None]:
    """Yield each record of a stretch, None for one that is no HTML; raises `InputError`."""
    if stretch.path.is_dir():
        yield from _files(stretch)
        return
    with _opened(stretch.path, stretch.member) as file:
        file.seek(stretch.offset)
        for number, record in enumerate(_records(stretch.path, file)):
            if number == stretch.count:
                return
            yield _page(record)


def all_pages(path: Path) -> Iterator[ArchivedPage]:
    """Yield the pages of an archive; raises `InputError`."""
    for stretch in stretches(path, 1 << 62):
        yield from (page for page in pages(stretch) if isinstance(page, ArchivedPage))


def stretches(path: Path, most: int) -> Iterator[Stretch]:
    """Divide an archive or folder; costs unpacking it once.

    Args:
        path: A WARC file, a WACZ package, or a folder of pages, archives or both.
        most: Records or files of one stretch at most.

    Raises:
        InputError: It is none of these, or damaged.
    """
    if path.is_dir():
        for archive in sorted(p for p in path.rglob("*") if _is_archive(p)):
            yield from stretches(archive, most)
        count = sum(1 for _ in pages_in(path, deep=True))
        yield from (Stretch(path, "", at, min(most, count - at)) for at in range(0, count, most))
        return
    if not path.is_file():
        raise InputError(f"no such file or folder: {path}")
    if not _is_archive(path):
        raise InputError(f"{path} is not a web archive: want .warc, .warc.gz or .wacz, or a folder")
    for member in _members(path):
        yield from _divided(path, member, most)


def _divided(path: Path, member: str, most: int) -> Iterator[Stretch]:
    start, count = 0, 0
    with _opened(path, member) as file:
        for record in _records(path, file):
            if count == most:
                yield Stretch(path, member, start, count)
                count = 0
            if count == 0:
                start = record.stream_pos
            count += 1
    if count:
        yield Stretch(path, member, start, count)


def _is_archive(path: Path) -> bool:
    return path.name.lower().endswith((*_WARC, ".wacz")) and path.is_file()


def _members(path: Path) -> tuple[str, ...]:
    if path.suffix.lower() != ".wacz":
        return ("",)
    try:
        with zipfile.ZipFile(path) as package:
            found = [name for name in package.namelist() if name.lower().endswith(_WARC)]
    except (OSError, zipfile.BadZipFile) as error:
        raise InputError(f"cannot read {path}: {error}") from error
    if not found:
        raise InputError(f"{path} holds no WARC files")
    return tuple(found)


@contextmanager
def _opened(path: Path, member: str) -> Iterator[IO[bytes]]:
    try:
        with warc.opened(path, member) as file:
            yield file
    except (OSError, zipfile.BadZipFile, KeyError) as error:
        raise InputError(f"cannot read {path}: {error}") from error


def _records(path: Path, file: IO[bytes]) -> Iterator[Any]:
    try:
        from fastwarc.warc import ArchiveIterator, WarcRecordType
    except ImportError:
        raise InputError("web archives need FastWARC: pip install 'pagelet[web]'") from None
    kinds = WarcRecordType.response | WarcRecordType.resource
    try:
        yield from ArchiveIterator(file, record_types=kinds, parse_http=False, quirks_mode=True)
    except (OSError, ValueError) as error:
        raise InputError(f"{path} is damaged: {error}") from error


def _page(record: Any) -> ArchivedPage | LeftOut | None:  # noqa: ANN401
    headers = record.headers
    address = (headers.get("WARC-Target-URI") or "").strip("<>")
    name = (headers.get("WARC-Record-ID") or "").strip("<>").removeprefix("urn:uuid:")
    empty = ArchivedPage(address, name, headers.get("WARC-Date") or "", b"")
    if record.content_length > MAX_BYTES:
        return None  # nobody wrote that to be read; an archive of films is none of pages
    try:
        if record.is_http:
            # WORKAROUND FastWARC 2.0.1: taken apart while it is iterated, a body that is both
            # chunked and packed ends the iteration.
            record.freeze()
            record.parse_http(auto_decode="all")
        kind = record.http_content_type if record.is_http else headers.get("Content-Type")
        if (kind or "").partition(";")[0].strip().lower() not in _PAGES:
            return None
        status = record.http_headers.status_code if record.is_http else None
        if status is not None and not 200 <= status < 300:
            return LeftOut(status)
        charset = (record.http_charset or "") if record.is_http else ""
        data = record.reader.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        return replace(empty, trouble=f"the page cannot be unpacked: {error}")
    if len(data) > MAX_BYTES:
        return replace(empty, trouble=f"the page is larger than {MAX_BYTES // 2**20} MB")
    return replace(empty, data=data, charset=charset)


def _files(stretch: Stretch) -> Iterator[ArchivedPage]:
    every = list(pages_in(stretch.path, deep=True))
    for path in every[stretch.offset : stretch.offset + stretch.count]:
        name = path.relative_to(stretch.path).as_posix()
        try:
            yield ArchivedPage(name, name, "", read_file(path))
        except InputError as error:
            yield ArchivedPage(name, name, "", b"", trouble=str(error))
