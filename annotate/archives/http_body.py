"""Bodies of archived HTTP answers: encodings undone, and whether they end too early.

Archives hold bodies as they were sent, or already undone below the same headers, as some crawlers
write them: a body that does not begin as its encoding does is taken as it is.  So is one of an
encoding that nobody knows, such as ``UTF-8``, as browsers take it.  A page that is packed without
saying so is unpacked: no HTML begins like gzip.

Source: RFC 9112, 7.1 (chunks); RFC 9110, 8.4 (content encodings).
"""

import io
import re
import zlib
from collections.abc import Iterable, Mapping

from annotate.archives.magic import HTML_KINDS
from engine.document import is_binary
from engine.errors import InputError
from engine.fetch import MAX_BYTES
from engine.media_types import media_type

_GZIP = b"\x1f\x8b\x08"

DISCONNECT = "disconnect"
"""What ISO 28500, 5.13 calls an answer that ended before it was whole."""

_CONTROL = re.compile(rb"[\0-\x08\x0e-\x1a\x1c-\x1f]")
"""What no text has, but for that of two or four bytes a letter; ISO 2022 has escapes."""

_PAGE = re.compile(rb"\s*(?:\xef\xbb\xbf\s*)?<|\xff\xfe|\xfe\xff|\0<")
"""How a page begins; in UTF-16 by its mark or with a zero."""

_STEP = 64
"""Bytes of Brotli unpacked at once, as some grow to megabytes."""

_CHUNK = re.compile(rb"0*([0-9a-fA-F]{1,8})[ \t]*(?:;[^\r\n]*)?\r?\n")


def fields_of_answer(headers: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return fields by their names in lower case, those of one name joined (RFC 9110, 5.3)."""
    fields: dict[str, str] = {}
    for name, value in headers:
        before = fields.get(name.lower())
        fields[name.lower()] = value if before is None else f"{before}, {value}"
    return fields


def body_of(data: bytes, headers: Mapping[str, str]) -> tuple[bytes, str]:
    """Return a body with its encodings undone, and `DISCONNECT` if there is less than was sent.

    Args:
        data: As it is archived.
        headers: As `fields_of_answer` returns them.

    Raises:
        InputError: It is damaged, or larger than `MAX_BYTES`.
    """
    is_cut = False
    length = headers.get("content-length", "").strip()
    if "chunked" in headers.get("transfer-encoding", "").lower():
        data, is_cut = _unchunked(data)
    elif length.isascii() and length.isdecimal():
        is_cut = len(data) < int(length)
    packed = headers.get("content-encoding", "").lower().split(",")
    for encoding in filter(None, (each.strip() for each in reversed(packed))):
        data, ended = _unpacked(data, encoding, is_cut=is_cut)
        is_cut = is_cut or ended
    if data.startswith(_GZIP) and media_type(headers.get("content-type", "")).kind in HTML_KINDS:
        data, ended = _inflated(data, 31)
        is_cut = is_cut or ended
    return data, DISCONNECT if is_cut else ""


def _unchunked(data: bytes) -> tuple[bytes, bool]:
    if _CHUNK.match(data) is None:
        return data, not data
    parts: list[bytes] = []
    at = 0
    while head := _CHUNK.match(data, at):
        size = int(head[1], 16)
        if not size:
            return b"".join(parts), False
        part = data[head.end() : head.end() + size]
        parts.append(part)
        if len(part) < size:
            return b"".join(parts), True
        at = head.end() + size
        at += 2 if data[at : at + 2] == b"\r\n" else data[at : at + 1] == b"\n"
    if data[at:].strip():
        raise InputError("one of its chunks has no length")
    return b"".join(parts), True


def _unpacked(data: bytes, encoding: str, *, is_cut: bool) -> tuple[bytes, bool]:
    """Return bytes unpacked, as far as they go, and whether they end too early."""
    if encoding in ("identity", "none") or not data:
        return data, False
    if encoding in ("gzip", "x-gzip", "deflate"):
        return _undeflated(data, may_be_bare=encoding == "deflate")
    if encoding not in ("br", "zstd"):
        return data, False
    is_text = _PAGE.match(data) is not None or _CONTROL.search(data) is None
    try:
        unpacked = limited_body(_read_packed(data, encoding))
    except ImportError as error:
        if is_text:
            return data, False
        how = "pip install 'pagelet[web]'"
        raise InputError(f"it is packed as {encoding}, which needs FastWARC: {how}") from error
    except (OSError, ValueError) as error:
        if is_cut:
            return b"", True
        if is_text:
            return data, False
        raise InputError(f"it is not packed as {encoding}") from error
    return unpacked, False


def _read_packed(data: bytes, encoding: str) -> bytes:
    """Return bytes unpacked, of more than `MAX_BYTES` the beginning.

    `ImportError` without a package that can, `ValueError` or `OSError` for damage.
    """
    try:
        from fastwarc.stream_io import BrotliReader, ZstdReader
    except ImportError:
        if encoding != "br":
            raise
    else:
        reader = (BrotliReader if encoding == "br" else ZstdReader)(io.BytesIO(data))
        return bytes(reader.read(MAX_BYTES + 1))
    import brotli

    decoder, parts, size = brotli.Decompressor(), list[bytes](), 0
    try:
        for at in range(0, len(data), _STEP):
            parts.append(decoder.process(data[at : at + _STEP]))
            size += len(parts[-1])
            if size > MAX_BYTES:
                break
    except brotli.error as error:
        raise ValueError(str(error)) from error
    if size <= MAX_BYTES and not decoder.is_finished():
        raise ValueError("it ends too early")
    return b"".join(parts)


def _undeflated(data: bytes, *, may_be_bare: bool) -> tuple[bytes, bool]:
    """Return bytes unpacked as gzip or zlib, by their head; servers mistake one for the other.

    Some send ``deflate`` without a head; text is as it is.
    """
    has_head = len(data) > 1 and data[0] & 15 == 8 and int.from_bytes(data[:2]) % 31 == 0
    if data.startswith(_GZIP[:2]) or has_head:
        return _inflated(data, 47)
    if not may_be_bare:
        return data, False
    try:
        return _inflated(data, -15)
    except InputError:
        if is_binary(data, ""):
            raise
        return data, False


def _inflated(data: bytes, wbits: int) -> tuple[bytes, bool]:
    unpack = zlib.decompressobj(wbits)
    try:
        result = unpack.decompress(data, MAX_BYTES + 1)
    except zlib.error as error:
        why = str(error).rpartition(": ")[2]
        raise InputError(f"its bytes are damaged ({why})") from error
    return limited_body(result), not unpack.eof


def limited_body(data: bytes) -> bytes:
    """Return bytes if they are not too many."""
    if len(data) > MAX_BYTES:
        raise InputError(f"the page is larger than {MAX_BYTES // 2**20} MB")
    return data
