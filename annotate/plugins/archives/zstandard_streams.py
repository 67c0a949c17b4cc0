"""Streams over WARC files in frames of Zstandard, that report damage.

Sources: RFC 8878, sections 3.1 and 5; IIPC, *Zstandard compression for WARC files* 1.0: a record or
more a frame, and before the first one, in a skippable frame, the dictionary of all, if any.
"""

import io
from functools import lru_cache
from typing import IO, Any

from annotate.plugins.archives.byte_streams import BEGINS, CHUNK, CUT, ByteStream
from engine.errors import InputError

ZSTANDARD = b"\x28\xb5\x2f\xfd"
_SKIPPABLE = tuple(bytes((first, 0x2A, 0x4D, 0x18)) for first in range(0x50, 0x60))
_DICTIONARY = b"\x5d\x2a\x4d\x18"
_MOST_DICTIONARY = 64 * 2**20
_START = 64
"""Unpacked bytes that tell whether a record begins with them."""


def is_zstandard(first: bytes) -> bool:
    """Whether a file begins as those of frames do."""
    return first[:4] == ZSTANDARD or first[:4] in _SKIPPABLE


class FrameStream(ByteStream):
    """Content of one frame, and of those after it that continue the same record.

    Attributes:
        end: End of the frame in the file, once all of it was read.
        is_end_of_file: Whether nothing but zeros, line ends and skippable frames is left.
    """

    def __init__(self, file: IO[bytes], start: int) -> None:
        super().__init__()
        self._file = file
        self._dictionary = _dictionary_of(file)
        self._reader: Any = None
        self._ends: int | None = None
        self.end = start
        self._is_over = not self._begin()
        self._start = self.end
        self.is_end_of_file = self._is_over and not self.damage

    def tell(self) -> int:
        """Start of the frame, however much of it was read."""
        return self._start

    def _begin(self) -> bool:
        """Begin a frame; return whether there is one."""
        self.end = _next_frame(self._file, self.end)
        self._file.seek(self.end)
        first = self._file.read(4)
        if not first:
            return False
        if first != ZSTANDARD:
            self._damage = "it does not begin as Zstandard does"
            return False
        self._ends = _end_of(self._file, self.end)
        self._reader = _reader_of(self._file, self.end, self._ends, self._dictionary)
        return True

    def _more(self, count: int, *, joins: bool) -> bytes:
        while not self._is_over or (joins and self._goes_on()):
            if data := self._unpacked(min(max(count, _START), CHUNK)):
                return data
        return b""

    def _unpacked(self, most: int) -> bytes:
        try:
            data: bytes = self._reader.read(most)
        except (OSError, ValueError) as error:
            data = b""
            is_cut = self._ends is None and "incomplete" in str(error)
            self._damage = CUT if is_cut else f"it cannot be unpacked ({str(error)[:80]})"
        self._is_over = not data
        if self._is_over and not self._damage:
            if self._ends is None:
                self._damage = CUT
            else:
                self.end = self._ends
        return data

    def _goes_on(self) -> bool:
        """Whether the next frame continues the record; begins it if so."""
        if self._damage:
            return False
        first = _first_of(self._file, _next_frame(self._file, self.end), self._dictionary)
        if not first or BEGINS.match(first):
            return False
        self._is_over = not self._begin()
        return not self._is_over


def next_frame(file: IO[bytes], start: int) -> int | None:
    """Return where the next frame that begins with a record is, from a byte on; None if none."""
    dictionary = _dictionary_of(file)
    at, before = start, b""
    while True:
        file.seek(at + len(before))
        more = file.read(CHUNK)
        both = before + more
        found = both.find(ZSTANDARD)
        while found >= 0:
            if BEGINS.match(_first_of(file, at + found, dictionary)):
                return at + found
            found = both.find(ZSTANDARD, found + 1)
        if not more:
            return None
        before = both[-3:]
        at += len(both) - len(before)


def _next_frame(file: IO[bytes], at: int) -> int:
    """Return the start of the next frame with data, or the position of anything else there."""
    while True:
        file.seek(at)
        ahead = file.read(64)
        rest = ahead.lstrip(b"\r\n\0")
        if len(rest) < len(ahead):
            at += len(ahead) - len(rest)
        elif rest[:4] in _SKIPPABLE and len(rest) >= 8:
            end = at + 8 + int.from_bytes(rest[4:8], "little")
            file.seek(end - 1)
            if not file.read(1):  # its size is damaged
                return at
            at = end
        else:
            return at


def _end_of(file: IO[bytes], at: int) -> int | None:
    """Return where a frame ends, by its blocks' headers; None where that is not in the file."""
    file.seek(at)
    head = file.read(5)
    if len(head) < 5:
        return None
    flags = head[4]
    is_single = flags >> 5 & 1
    at += 5 + (1 - is_single) + (0, 1, 2, 4)[flags & 3] + (is_single, 2, 4, 8)[flags >> 6]
    is_last = False
    while not is_last:
        file.seek(at)
        header = int.from_bytes(block := file.read(3), "little")
        kind = header >> 1 & 3
        if len(block) < 3 or kind == 3:
            return None
        is_last = bool(header & 1)
        at += 3 + (1 if kind == 1 else header >> 3)  # a run is one byte, however often
    at += 4 if flags & 4 else 0  # its checksum
    file.seek(at - 1)
    return at if file.read(1) else None


def _first_of(file: IO[bytes], at: int, dictionary: bytes | None) -> bytes:
    """Return up to 64 bytes that a frame begins with, b"" where none begins."""
    file.seek(at)
    if file.read(4) != ZSTANDARD:
        return b""
    try:
        first: bytes = _reader_of(file, at, _end_of(file, at), dictionary).read(_START)
    except (OSError, ValueError):
        return b""
    return first


def _dictionary_of(file: IO[bytes]) -> bytes | None:
    """Return the dictionary of all frames of a file; None where they have none."""
    file.seek(0)
    head = file.read(8)
    size = int.from_bytes(head[4:], "little")
    if head[:4] != _DICTIONARY or size > _MOST_DICTIONARY:
        return None
    data = file.read(size)
    return data if data[:4] != ZSTANDARD else _unpacked_dictionary(data)


@lru_cache(maxsize=1)
def _unpacked_dictionary(data: bytes) -> bytes | None:
    """Return a dictionary that was packed itself; kept, as each frame of a file asks for it."""
    try:
        unpacked: bytes = _reader_of(io.BytesIO(data), 0, None, None).read(_MOST_DICTIONARY)
    except (OSError, ValueError):
        return None
    return unpacked


def _reader_of(file: IO[bytes], start: int, end: int | None, dictionary: bytes | None) -> Any:  # noqa: ANN401
    try:
        from fastwarc.stream_io import ZstdReader
    except ImportError:
        raise InputError("web archives need FastWARC: pip install 'pagelet[web]'") from None
    return ZstdReader(_Part(file, start, end), dictionary=dictionary)


class _Part(io.RawIOBase):
    """Bytes of a file between two positions, independent of other readers."""

    def __init__(self, file: IO[bytes], start: int, end: int | None) -> None:
        self._file, self._start, self._end = file, start, end
        self._at = start

    def readable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at - self._start

    def read(self, size: int | None = -1) -> bytes:
        most = CHUNK if size is None or size < 0 else size
        if self._end is not None:
            most = min(most, self._end - self._at)
        self._file.seek(self._at)
        data = self._file.read(max(most, 0))
        self._at += len(data)
        return data
