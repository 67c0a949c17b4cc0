"""What was sent for a page as WARC records, and records found again by address.

warcio writes and reads them (ISO 28500); here is only which record answers an address.
"""

import io
import json
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import IO, Any
from urllib.parse import urljoin, urlsplit

from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed
from warcio.recordloader import ArcWarcRecord
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from annotate.datasets.members import BROKEN, member_names, quoted
from engine.errors import InputError
from engine.fetch import MAX_BYTES
from engine.file_stamp import Stamp, stamp_of
from engine.saved import Stored, WebExchange, key_of

_MOST_HOPS = 10
_MOST_RECORDS = 1_000_000
_CHUNK = 1 << 20
DAMAGE = (*BROKEN, ArchiveLoadFailed, UnicodeError, KeyError, AttributeError, TypeError)
"""What reading a file raises that is no archive, or not all of one."""


@dataclass(frozen=True)
class CdxLine:
    """Where a record was written, for the index that other tools read.

    Attributes:
        url, kind, status, digest: Of what was sent.
        offset, length: Of the packed record, in bytes.
    """

    url: str
    kind: str
    status: int
    digest: str
    offset: int
    length: int

    def text(self, when: str, member: str) -> str:
        """Return the line as CDXJ has it; ``when`` is fourteen digits."""
        about = {
            "url": self.url, "mime": self.kind, "status": str(self.status), "digest": self.digest,
            "length": str(self.length), "offset": str(self.offset), "filename": member,
        }  # fmt: skip
        return f"{sort_key(self.url)} {when} {json.dumps(about)}\n"


def sort_key(url: str) -> str:
    """Return an address as indexes sort it (SURT): ``org,example)/path``."""
    parts = urlsplit(url.lower())
    host = ",".join(reversed((parts.hostname or "").split(".")))
    try:
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        port = ""
    query = f"?{parts.query}" if parts.query else ""
    return f"{host}{port}){parts.path or '/'}{query}"


class _Writer(WARCWriter):  # type: ignore[misc]  # warcio has no types
    """Keeps what it measures in memory; files that nobody closes are complained of."""

    _create_temp_file = staticmethod(io.BytesIO)


def write(
    exchanges: tuple[WebExchange, ...], when: str, software: str, name: str
) -> tuple[bytes, list[CdxLine]]:
    """Return a WARC file, packed record by record, and where each answer lies in it.

    Args:
        exchanges: What was asked and sent.
        when: The time, as WARC has it.
        software: Who writes it.
        name: Of the file.
    """
    out = io.BytesIO()
    writer = _Writer(out, gzip=True, warc_version="1.1")
    info = {"software": software, "format": "WARC File Format 1.1"}
    writer.write_record(writer.create_warcinfo_record(name, info))
    lines = []
    dated = {"WARC-Date": when}
    for each in exchanges:
        kind = each.header("Content-Type") or "application/octet-stream"
        if each.is_file:
            record = writer.create_warc_record(
                each.url, "resource", payload=io.BytesIO(each.body),
                warc_content_type=kind, warc_headers_dict=dict(dated),
            )  # fmt: skip
        else:
            status = StatusAndHeaders(
                f"{each.status} {each.reason}".strip(), list(each.headers), protocol="HTTP/1.1"
            )
            record = writer.create_warc_record(
                each.url, "response", payload=io.BytesIO(each.body),
                http_headers=status, warc_headers_dict=dict(dated),
            )  # fmt: skip
        start = out.tell()
        writer.write_record(record)
        digest = record.rec_headers.get_header("WARC-Payload-Digest") or ""
        bare = kind.partition(";")[0].strip()
        lines.append(CdxLine(each.url, bare, each.status, digest, start, out.tell() - start))
        if not each.is_file:
            parts = urlsplit(each.url)
            target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            asked = StatusAndHeaders(
                f"GET {target} HTTP/1.1",
                [("Host", parts.netloc), *each.asked],
                is_http_request=True,
            )
            about = {**dated, "WARC-Concurrent-To": record.rec_headers.get_header("WARC-Record-ID")}
            writer.write_record(
                writer.create_warc_record(
                    each.url,
                    "request",
                    payload=io.BytesIO(b""),
                    http_headers=asked,
                    warc_headers_dict=about,
                )
            )
    return out.getvalue(), lines


@dataclass(frozen=True)
class FoundRecord:
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

    positions: dict[str, FoundRecord]
    problems: tuple[str, ...]


def index_of(path: Path) -> WarcIndex:
    """Return the index of a WARC or WACZ file; one pass, remembered.  Raises `InputError`."""
    return _indexed(path, stamp_of(path))


@lru_cache(maxsize=4)
def _indexed(path: Path, _stamp: Stamp) -> WarcIndex:
    positions: dict[str, FoundRecord] = {}
    problems: list[str] = []
    count = 0
    for member in warc_members(path):
        try:
            with opened(path, member) as file:
                iterator = ArchiveIterator(file)
                end = 0
                for record in iterator:
                    count += 1
                    if count > _MOST_RECORDS:
                        raise InputError(f"{path} has more than {_MOST_RECORDS:,} records")
                    _take(record, member, iterator.get_record_offset(), positions)
                    while record.raw_stream.read(_CHUNK):
                        pass
                    if getattr(record.raw_stream, "limit", 0) > 0:
                        raise EOFError("it ends in the middle of a record")
                    end = iterator.get_record_offset() + iterator.get_record_length()
                file.seek(end)
                if file.read(_CHUNK).strip():
                    raise EOFError("it ends in the middle of a record")
        except DAMAGE as error:
            problems.append(f"{member or path.name} cannot be read to its end: {said(error)}")
    return WarcIndex(positions, tuple(problems))


def _take(
    record: ArcWarcRecord, member: str, offset: int, positions: dict[str, FoundRecord]
) -> None:
    kind = record.rec_type
    url = (record.rec_headers.get_header("WARC-Target-URI") or "").strip("<>")
    if kind not in ("response", "resource", "revisit") or not url.startswith(("http:", "https:")):
        return
    status, location = 200, ""
    if record.http_headers is not None:
        code = record.http_headers.get_statuscode()
        status = int(code) if code.isdigit() else 0
        location = record.http_headers.get_header("Location") or ""
    if kind == "revisit":
        original = record.rec_headers.get_header("WARC-Refers-To-Target-URI") or ""
        location, status = (original, 301) if original and original != url else ("", 0)
    found = FoundRecord(member, offset, status, _kind_of(record), url, location)
    before = positions.get(key_of(url))
    if before is None or (before.status != 200 and found.status == 200):
        positions[key_of(url)] = found


def _kind_of(record: ArcWarcRecord) -> str:
    headers = record.rec_headers if record.http_headers is None else record.http_headers
    return headers.get_header("Content-Type") or ""


def find(path: Path, index: WarcIndex, url: str) -> Stored | None:
    """Return what answers an address, after redirects; None if nothing does, or it is damaged."""
    at = url
    for _ in range(_MOST_HOPS):
        position = index.positions.get(key_of(at))
        if position is None:
            return None
        if position.location and 300 <= position.status < 400:
            at = urljoin(position.url, position.location)
            continue
        if position.status >= 400 or not position.status:
            return None
        return read(path, position)
    return None


def read(path: Path, position: FoundRecord) -> Stored | None:
    """Return what a record holds, all encodings undone; None if it is damaged or too large."""
    try:
        with opened(path, position.member) as file:
            file.seek(position.offset)
            for record in ArchiveIterator(file):
                data = record.content_stream().read(MAX_BYTES + 1)
                return Stored(data, position.kind, position.url) if len(data) <= MAX_BYTES else None
    except DAMAGE:
        return None
    return None


def warc_members(path: Path) -> tuple[str, ...]:
    """Return the WARC files in a WACZ; of a WARC file ("",)."""
    if not path.name.lower().endswith((".wacz", ".zip")):
        return ("",)
    ends = (".warc", ".warc.gz")
    return tuple(sorted(name for name in member_names(path) if name.lower().endswith(ends)))


@contextmanager
def opened(path: Path, member: str) -> Iterator[IO[Any]]:
    """Open a WARC file, or one in a WACZ."""
    if not member:
        with path.open("rb") as file:
            yield file
        return
    with zipfile.ZipFile(path) as package, package.open(member) as packed:
        yield packed


def said(error: BaseException) -> str:
    """Return why a file cannot be read, in words."""
    return " ".join(quoted(str(error)).split()) or "its bytes end too early"
