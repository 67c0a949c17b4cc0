"""Where each record of a WARC file begins and ends, also in files that are damaged.

FastWARC and warcio stop, or end silently, at the first wrong byte.  Here a file is
divided into records first: data that cannot be unpacked, is cut off, or does not match its
``Content-Length`` is one frame with a description of the fault, and reading continues at the next
member of gzip, frame of Zstandard, or line ``WARC/1.x``.  FastWARC parses the content of whole
records.

Source: ISO 28500 (WARC 1.1), 4 and annex D; RFC 1952 (gzip members); RFC 8878 (frames of
Zstandard).
"""

import base64
import hashlib
import io
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import IO

from annotate.plugins.archives.byte_streams import (
    CUT,
    GZIP,
    RECORD,
    ByteStream,
    MemberStream,
    PlainStream,
    next_member,
)
from annotate.plugins.archives.zstandard_streams import FrameStream, is_zstandard, next_frame
from engine.fetch import MAX_BYTES

_LONGEST_HEAD = 1 << 16
_PEEK = 1 << 16
_MOST_ZEROS = 1 << 20
"""What a file is filled up with to a round size; where there are more, something is missing."""
_LARGE = 16 * 2**20
_MARK = re.compile(rb"(?:\A|(?<=\n))" + RECORD)
_MARK_BYTES = 80
_ARC = b"filedesc:"
_ARC_LINE = re.compile(
    rb"(?P<url>[A-Za-z][A-Za-z0-9+.-]*:[^\r\n]{1,8000}) [0-9A-Fa-f.:]+ (?P<date>\d{8,20}) "
    rb"(?:(?P<media>[^\s]+) )(?:\d{3} \S+ \S+ \d+ \S+ )?(?P<length>[^\s]{1,15})\r?\n"
)
"""The line before a record of version 1, or with the five fields that version 2 adds."""

_ARC_NEXT = re.compile(rb"\n(?=[A-Za-z][A-Za-z0-9+.-]*:)")
_HEAD_END = re.compile(rb"\r*\n\r*\n")
_LINE_END = re.compile(rb"\r*\n")
_LENGTH = re.compile(rb"^content-length:[ \t]*(\d{1,18})[ \t]*\r*$", re.IGNORECASE | re.MULTILINE)
_DIGEST = re.compile(
    rb"^warc-block-digest:[ \t]*sha1:([a-z2-7]{32})[ \t]*\r?$", re.IGNORECASE | re.MULTILINE
)
_KIND = re.compile(rb"^warc-type:[ \t]*([\w-]+)", re.IGNORECASE | re.MULTILINE)
_BLANK = b"\r\n"
_OTHERS = ("warcinfo", "request", "metadata", "revisit", "conversion", "continuation")
"""Kinds that are no answers; a kind that nobody knows may be a damaged word."""


_Records = Callable[[ByteStream], Iterator["Frame"]]


@dataclass(frozen=True)
class Frame:
    """Record in a file, or bytes in which no record can be read.

    Attributes:
        offset: Where it begins, in bytes of the file; where several share a member of gzip, that
            of the member.
        length: Its bytes in the file; None where it has no place of its own in a member.
        begins: Whether a reader can begin at ``offset`` and read this record first.
        head: Its named fields with the line before them; b"" where they cannot be read.
        before: Bytes from ``offset`` to the block, unpacked.
        block: The bytes after it, at most `MAX_BYTES`.
        size: Length of the block as the record has it, in bytes.
        trouble: Why it cannot be used, or not all of it; "" if it can.
        is_cut: Whether the trouble is that the file ends within its block, which is right up to
            there.
    """

    offset: int
    length: int | None
    begins: bool
    head: bytes
    block: bytes
    size: int
    trouble: str = ""
    before: int = 0
    is_cut: bool = False

    @property
    def kind(self) -> str:
        """``response``, ``request`` ...; "" where that cannot be read."""
        match = _KIND.search(self.head)
        return match[1].decode().lower() if match else ""

    @property
    def is_page_or_unknown(self) -> bool:
        return self.kind not in _OTHERS

    @property
    def has_http_head(self) -> bool:
        """Whether the block has all fields of an HTTP answer, as far as can be seen."""
        return _HEAD_END.search(self.block[:_LONGEST_HEAD]) is not None

    def record(self) -> bytes:
        """Return a record with the available part of the block and its length corrected."""
        block = _with_line_ends(self.block)
        head = _LENGTH.sub(b"Content-Length: %d\r" % len(block), self.head, count=1)
        head = head.replace(b"\r\r\n", b"\r\n")  # of a file whose line ends were converted
        return head + block + b"\r\n\r\n"


def frames(file: IO[bytes], start: int = 0) -> Iterator[Frame]:
    """Yield the records of an open WARC file, packed or not, from a byte on; raises `OSError`."""
    file.seek(0)
    first = file.read(5)
    if first == b"WARC/" or first == _ARC[:5]:
        yield from _plain(file, start, _records if first == b"WARC/" else _arc_records)
        return
    if is_zstandard(first):
        yield from _packed(file, start, FrameStream, next_frame)
    elif first[:2] == GZIP[:2] or next_member(file, 0) is not None:
        yield from _packed(file, start, MemberStream, next_member)
    elif next_frame(file, 0) is not None:
        yield from _packed(file, start, FrameStream, next_frame)
    else:
        yield from _plain(file, start)


def stream_at(file: IO[bytes], offset: int) -> ByteStream:
    """Return the bytes from where a frame begins, unpacked."""
    file.seek(offset)
    first = file.read(4)
    if is_zstandard(first):
        return FrameStream(file, offset)
    return MemberStream(file, offset) if first[:2] == GZIP[:2] else PlainStream(file, offset)


def _plain(file: IO[bytes], start: int, records: _Records | None = None) -> Iterator[Frame]:
    stream = PlainStream(file, start)
    passed = 0
    for frame in (records or _records)(stream):
        length = stream.tell() - frame.offset
        before = len(frame.head) if records is not _arc_records else frame.before - passed
        passed = stream.passed
        yield replace(frame, length=length, begins=True, before=before)


def _packed(
    file: IO[bytes],
    start: int,
    stream_of: type[MemberStream] | type[FrameStream],
    next_start: Callable[[IO[bytes], int], int | None],
) -> Iterator[Frame]:
    """Yield the records of members of gzip, or frames of Zstandard."""
    at = start
    is_arc = stream_of(file, 0).peek(len(_ARC)) == _ARC
    while True:
        stream = stream_of(file, at)
        if stream.is_end_of_file:
            return
        at, count = stream.tell(), 0
        waiting: Frame | None = None
        for frame in (_arc_records if is_arc else _records)(stream):
            if waiting is not None:
                yield replace(waiting, length=None)
            waiting = replace(frame, begins=count == 0)
            count += 1
        end = stream.end
        if stream.damage:
            after = next_start(file, at + 1)
            end = file.seek(0, io.SEEK_END) if after is None else after
            if waiting is None or not waiting.trouble:
                if waiting is not None:
                    yield replace(waiting, length=None)
                waiting = Frame(at, None, count == 0, b"", b"", 0, stream.damage)
        if waiting is not None:
            yield replace(waiting, length=end - at if waiting.begins else None)
        at = end


def _records(stream: ByteStream) -> Iterator[Frame]:
    while True:
        at, zeros = stream.tell(), 0
        while blank := _skip_blank(stream):
            zeros += len(blank)
        if zeros > _MOST_ZEROS:
            yield Frame(at, None, False, b"", b"", zeros, f"{zeros:,} zeros stand for records")
        if not stream.peek(1):
            return
        at = stream.tell()
        head = _head(stream)
        length = _LENGTH.search(head)
        if length is None:
            passed = len(head) or len(stream.take(1))
            _skip_to_mark(stream)
            why = "the record has no Content-Length" if head else "no record begins here"
            yield Frame(at, None, False, head, b"", passed, stream.damage or why)
            continue
        before = stream.passed
        yield replace(_framed(stream, at, head, int(length[1])), before=before)


def _arc_records(stream: ByteStream) -> Iterator[Frame]:
    """Yield the records of an ARC with the named fields that a WARC would have for them.

    Source: Burner and Kahle, *Arc File Format* 1.0, 1996.
    """
    while True:
        _skip_blank(stream)
        if not stream.peek(1):
            return
        at = stream.tell()
        match = _ARC_LINE.match(stream.peek(_LONGEST_HEAD))
        if match is None:
            passed = len(stream.take(1)) + _skip_to_arc_line(stream)
            yield Frame(at, None, False, b"", b"", passed, stream.damage or "no record begins here")
            continue
        stream.take(match.end())
        before = stream.passed
        if not match["length"].isdigit():
            head = _warc_head(match, stream.peek(len(b"HTTP/")))
            passed = _skip_to_arc_line(stream)
            why = stream.damage or "its length is no number"
            yield Frame(at, None, False, head, b"", passed, why, before)
            continue
        length = int(match["length"])
        block = stream.take(min(length, MAX_BYTES))
        got = len(block) + stream.skip(length - len(block))
        trouble = f"Content-Length is {length:,}, but the record has only {got:,} bytes"
        head = _warc_head(match, block)
        why = stream.damage or trouble * (got < length)
        is_cut = got < length and _is_at_end(stream)
        yield Frame(at, None, False, head, block, length, why, before, is_cut)


def _skip_to_arc_line(stream: ByteStream) -> int:
    """Pass bytes up to where a record of an ARC begins, or to the end; return how many."""
    passed = 0
    while (ahead := stream.peek(_PEEK)) and _ARC_LINE.match(ahead) is None:
        found = _ARC_NEXT.search(ahead)
        passed += stream.skip(found.end() if found else len(ahead))
    return passed


def _warc_head(match: re.Match[bytes], block: bytes) -> bytes:
    url, date, media = match["url"], match["date"].ljust(14, b"0"), match["media"]
    kind = b"resource" if not block.startswith(b"HTTP/") else b"response"
    if url.startswith(_ARC):
        kind = b"warcinfo"
    elif kind == b"response":
        media = b"application/http; msgtype=response"
    numbers = date[:4], date[4:6], date[6:8], date[8:10], date[10:12], date[12:14]
    return (
        b"WARC/1.0\r\nWARC-Type: %b\r\nWARC-Target-URI: %b\r\nWARC-Date: %b-%b-%bT%b:%b:%bZ\r\n"
        b"Content-Type: %b\r\nContent-Length: %d\r\n\r\n"
    ) % (kind, url.replace(b" ", b"%20"), *numbers, media, len(block))


def _framed(stream: ByteStream, at: int, head: bytes, length: int) -> Frame:
    most = length if length <= MAX_BYTES and _is_held(stream, length) else _PEEK
    block = stream.take(min(length, most))
    got = len(block) + stream.skip(length - len(block)) if len(block) == most else len(block)
    if got == length:
        blank = _skip_blank(stream)
        after = stream.peek(_MARK_BYTES)
        is_cut = len(after) < _MARK_BYTES and b"WARC/".startswith(after[:5])
        is_filled_up = len(blank) >= _PEEK
        if (is_cut or is_filled_up or _MARK.match(after)) and not stream.damage:
            return Frame(at, None, False, head, block, length)
        if blank.startswith(2 * _BLANK) and is_as_digested(head, block):
            return Frame(at, None, False, head, block, length)  # the following bytes are damaged
        if stream.damage == CUT:  # behind its last byte
            return Frame(at, None, False, head, block, length)
        if after and not stream.damage:
            trouble, block = _misjudged(stream, block, blank, length)
            return Frame(at, None, False, head, block, length, trouble)
    if stream.damage:
        is_cut = stream.damage == CUT and got == len(block)
        return Frame(at, None, False, head, block, length, stream.damage, is_cut=is_cut)
    mark = _MARK.search(block)
    if mark is not None and got == len(block):
        stream.put_back(block[mark.start() :])
        block, got = block[: mark.start()].rstrip(_BLANK), len(block[: mark.start()].rstrip(_BLANK))
    trouble = f"Content-Length is {length:,}, but the record has only {got:,} bytes"
    is_cut = got == len(block) and _is_at_end(stream)
    return Frame(at, None, False, head, block, length, trouble, is_cut=is_cut)


def _is_at_end(stream: ByteStream) -> bool:
    """Whether a file has ended, rather than a member in it."""
    return stream.damage == CUT or (isinstance(stream, PlainStream) and not stream.peek(1))


def _misjudged(stream: ByteStream, block: bytes, blank: bytes, length: int) -> tuple[str, bytes]:
    """Return the fault of a record that ends within another, or before its own end.

    Also returns its block; the stream is then at the next record.
    """
    mark = _MARK.search(block)
    if mark is not None and len(block) == length:
        stream.put_back(block[mark.start() :] + blank)
        block = block[: mark.start()].rstrip(_BLANK)
        return f"Content-Length is {length:,}, but the record has only {len(block):,} bytes", block
    more = len(blank) + _skip_to_mark(stream)
    if stream.damage:
        return stream.damage, block
    return f"Content-Length is {length:,}, but the record has {length + more:,} bytes", block


def is_as_digested(head: bytes, block: bytes) -> bool | None:
    """Return whether a block matches the SHA-1 in its record; None if there is none."""
    match = _DIGEST.search(head)
    if match is None:
        return None
    digest = hashlib.sha1(block, usedforsecurity=False).digest()
    return base64.b32encode(digest) == match[1].upper()


def _with_line_ends(block: bytes) -> bytes:
    """Return a block whose HTTP head has the line ends of the standard, which FastWARC requires."""
    end = _HEAD_END.search(block[:_LONGEST_HEAD]) if block.startswith(b"HTTP/") else None
    if end is None or end[0] == 2 * _BLANK:
        return block
    return _LINE_END.sub(_BLANK, block[: end.start()]) + 2 * _BLANK + block[end.end() :]


def _is_held(stream: ByteStream, length: int) -> bool:
    """Whether a block is kept in memory: large ones, such as films, only if they are HTML."""
    return length <= _LARGE or b"html" in stream.peek(_PEEK).lower()


def _head(stream: ByteStream) -> bytes:
    """Read the named fields of a record; b"" if there are none."""
    if not stream.peek(5, joins=True).startswith(b"WARC/"):
        return b""
    for count, joins in ((1 << 12, False), (_LONGEST_HEAD, False), (_LONGEST_HEAD, True)):
        match = _HEAD_END.search(stream.peek(count, joins=joins))
        if match is not None:
            return stream.take(match.end())
    return b""


def _skip_blank(stream: ByteStream) -> bytes:
    """Pass line ends, and zeros that a file was filled up with; return them, some 64 kB at once."""
    blank = b""
    while (
        len(blank) < _PEEK
        and (ahead := stream.peek(_PEEK if blank else 8))
        and ahead[0] in b"\r\n\0"
    ):
        rest = ahead.lstrip(b"\r\n\0")
        blank += stream.take(len(ahead) - len(rest))
    return blank


def _skip_to_mark(stream: ByteStream) -> int:
    """Pass bytes up to where a record begins, or to the end; return how many."""
    passed = 0
    while ahead := stream.peek(_PEEK):
        match = _MARK.search(ahead)
        if match is not None:
            return passed + stream.skip(match.start())
        # The start of a record may be split between two reads.
        passed += stream.skip(max(1, len(ahead) - 64) if len(ahead) == _PEEK else len(ahead))
    return passed
