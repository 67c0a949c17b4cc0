"""Records of WARC files that are compressed one by one, as Pagelet writes them.

Source: ISO 28500 (WARC 1.1), annex D; RFC 1952 (members of gzip).
"""

import re
import zlib
from collections.abc import Iterator
from typing import IO, NamedTuple

from engine.fetch import MAX_BYTES

ALWAYS_UNPACKED = 1 << 27
MOST_GROWTH = 100
"""Bytes that an archive may unpack to for each of its own; pages take some five."""

_MEMBER = b"\x1f\x8b\x08"
_CHUNK = 1 << 14
_LARGEST = 2 * MAX_BYTES
_LENGTH = re.compile(rb"^content-length:[ \t]*(\d{1,18})[ \t]*\r*$", re.IGNORECASE | re.MULTILINE)


class GzipRecord(NamedTuple):
    """A whole record.

    Attributes:
        offset, end: Its first byte in the file, and the first one behind it.
        head: Its named fields with the line before them.
        block: The bytes after these.
    """

    offset: int
    end: int
    head: bytes
    block: bytes

    @property
    def fields(self) -> dict[str, str]:
        """Return its named fields, names in lower case."""
        return fields_of(self.head)


def gzip_records(file: IO[bytes], start: int = 0) -> Iterator[GzipRecord]:
    """Yield the whole records from a byte on, those behind damage, too.

    Records that are damaged, cut off or larger than two pages may be are passed over.
    """
    at: int | None = start
    while at is not None:
        data, end = _unpacked(file, at)
        head, blank, rest = data.partition(b"\r\n\r\n")
        length = _LENGTH.search(head)
        if head.startswith(b"WARC/") and length is not None and len(rest) >= int(length[1]):
            yield GzipRecord(at, end, head + blank, rest[: int(length[1])])
        at = _next_member(file, end)


def _unpacked(file: IO[bytes], at: int) -> tuple[bytes, int]:
    """Return the content of the member at a byte and its end; b"" for none, or a damaged one."""
    file.seek(at)
    unpacker = zlib.decompressobj(wbits=31)
    parts, size, packed = [], 0, 0
    try:
        while not unpacker.eof and size <= _LARGEST and (chunk := file.read(_CHUNK)):
            packed += len(chunk)
            parts.append(unpacker.decompress(chunk, _LARGEST + 1 - size))
            size += len(parts[-1])
    except zlib.error:
        return b"", at + 1
    if not unpacker.eof or size > _LARGEST:
        return b"", at + 1
    return b"".join(parts), at + packed - len(unpacker.unused_data)


def _next_member(file: IO[bytes], start: int) -> int | None:
    """Return where the next member of gzip may begin; None if there is none."""
    file.seek(start)
    at, data = start, file.read(len(_MEMBER))
    if data == _MEMBER:
        return at
    while chunk := file.read(_CHUNK):
        data += chunk
        found = data.find(_MEMBER)
        if found >= 0:
            return at + found
        kept = data[-len(_MEMBER) + 1 :]
        at, data = at + len(data) - len(kept), kept
    return None


def fields_of(head: bytes) -> dict[str, str]:
    """Return the named fields of a record's head, names in lower case."""
    headers: dict[str, str] = {}
    name = ""
    for text in head.decode("utf-8", "replace").rstrip().split("\n")[1:]:
        if text[:1] in (" ", "\t") and name:  # a field may continue in the next line
            headers[name] += f" {text.strip()}"
            continue
        name, _, value = text.partition(":")
        name = name.strip().lower()
        headers.setdefault(name, value.strip())
    return headers
