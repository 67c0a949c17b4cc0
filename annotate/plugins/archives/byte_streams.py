"""Streams over WARC files, plain or in members of gzip, that report damage."""

import re
import zlib
from abc import ABC, abstractmethod
from contextlib import suppress
from typing import IO, Any

GZIP = b"\x1f\x8b\x08"
CUT = "the archive ends within it"
RECORD = rb"WARC/[01]\.\d{1,2}\r*\n(?=[A-Za-z][\w-]*:)"
"""What a record begins with: its version, and a first field."""

BEGINS = re.compile(RECORD)
CHUNK = 1 << 16
_START = 4096
"""Packed bytes that are enough to tell whether a record begins in them."""


class ByteStream(ABC):
    """Stream of unpacked bytes with lookahead; it ends early at damage.

    Attributes:
        passed: Number of bytes read.
    """

    def __init__(self) -> None:
        self.passed = 0
        self._damage = ""
        self._data = b""
        self._next = 0

    @property
    def damage(self) -> str:
        """Description of the damage, once all bytes before it were read; "" until then."""
        return "" if self._next < len(self._data) else self._damage

    @abstractmethod
    def tell(self) -> int:
        """Position of the next bytes, in bytes of the file."""

    @abstractmethod
    def _more(self, count: int, *, joins: bool) -> bytes:
        """Return bytes that follow, about so many; b"" at the end."""

    def peek(self, count: int, *, joins: bool = False) -> bytes:
        """Return the next bytes, fewer only at the end or before damage.

        ``joins`` takes the next member of gzip for the same record, unless one begins with it.
        """
        missing = count - len(self._data) + self._next
        if missing > 0:
            parts = [self._data[self._next :]]
            while missing > 0 and (part := self._more(missing, joins=joins)):
                parts.append(part)
                missing -= len(part)
            self._data, self._next = b"".join(parts), 0
        return self._data[self._next : self._next + count]

    def take(self, count: int) -> bytes:
        """Return the next bytes of a record and pass them."""
        data = self.peek(count, joins=True)
        self._next += len(data)
        self.passed += len(data)
        return data

    def skip(self, count: int) -> int:
        """Pass bytes without keeping them; return how many there were."""
        passed = 0
        while passed < count and (data := self.take(min(CHUNK, count - passed))):
            passed += len(data)
        return passed

    def put_back(self, data: bytes) -> None:
        """Push back the bytes that were read last."""
        self._data, self._next = data + self._data[self._next :], 0
        self.passed -= len(data)


class PlainStream(ByteStream):
    """Stream of plain bytes of a file, which cannot report damage."""

    def __init__(self, file: IO[bytes], start: int) -> None:
        super().__init__()
        self._file = file
        self._read = file.seek(start)

    def tell(self) -> int:
        """Position of the next byte in the file."""
        return self._read - len(self._data) + self._next

    def _more(self, count: int, *, joins: bool) -> bytes:
        data = self._file.read(max(CHUNK, count))
        self._read += len(data)
        return data


class MemberStream(ByteStream):
    """Content of one member of gzip, and of those after it that continue the same record.

    Attributes:
        is_end_of_file: Whether nothing but zeros and line ends is left of the file.
    """

    def __init__(self, file: IO[bytes], start: int) -> None:
        super().__init__()
        self._file = file
        self._packed = b""
        self._read = file.seek(start)
        self._is_over = not self._begin()
        self._start = self.end
        self.is_end_of_file = self._is_over and not self.damage

    @property
    def end(self) -> int:
        """End of the packed bytes in the file, once all of the member was read."""
        return self._read - len(self._packed)

    def tell(self) -> int:
        """Start of the member, however much of it was read."""
        return self._start

    def _more(self, count: int, *, joins: bool) -> bytes:
        while not self._is_over or (joins and self._goes_on()):
            if data := self._unpacked(min(max(count, _START), CHUNK)):
                return data
        return b""

    def _begin(self) -> bool:
        """Begin a member; return whether there is one."""
        while True:
            self._packed = self._packed.lstrip(b"\r\n\0")
            if len(self._packed) >= len(GZIP) or not self._fill():
                break
        if not self._packed:
            return False
        if self._packed[: len(GZIP)] != GZIP:
            self._damage = "it does not begin as gzip does"
            return False
        self._unpack = zlib.decompressobj(wbits=31)
        return True

    def _fill(self) -> bool:
        more = self._file.read(CHUNK)
        self._read += len(more)
        self._packed += more
        return bool(more)

    def _unpacked(self, most: int) -> bytes:
        is_all = not self._packed and not self._fill()
        before = self._unpack.copy()
        try:
            data = self._unpack.decompress(self._packed, most)
        except zlib.error as error:
            self._is_over = True
            self._damage = f"it cannot be unpacked ({str(error).rpartition(': ')[2]})"
            return _up_to_damage(before, self._packed)
        if is_all and not data and not self._unpack.eof:
            self._is_over, self._damage = True, CUT
        self._packed = self._unpack.unconsumed_tail
        if self._unpack.eof:
            self._packed = self._unpack.unused_data
            self._is_over = True
        return data

    def _goes_on(self) -> bool:
        """Whether the next member continues the record; begins it if so."""
        if self._damage:
            return False
        while len(self._packed) < _START and self._fill():
            pass
        first = unpacked_start(self._packed[:_START])
        if not first or BEGINS.match(first):
            return False
        self._is_over = not self._begin()
        return not self._is_over


def _up_to_damage(unpack: Any, packed: bytes) -> bytes:  # noqa: ANN401  (zlib does not name it)
    """Return what can be unpacked before the first wrong byte."""
    parts = []
    with suppress(zlib.error):
        for at in range(len(packed)):
            parts.append(unpack.decompress(packed[at : at + 1]))
    return b"".join(parts)


def unpacked_start(packed: bytes) -> bytes:
    """Return up to 64 bytes that a member of gzip begins with, b"" where none begins."""
    if packed[: len(GZIP)] != GZIP:
        return b""
    try:
        return zlib.decompressobj(wbits=31).decompress(packed, 64)
    except zlib.error:
        return b""


def next_member(file: IO[bytes], start: int) -> int | None:
    """Return where the next member that begins with a record is, from a byte on; None if none."""
    at = file.seek(start)
    data = file.read(CHUNK)
    while data:
        more = file.read(CHUNK)
        both = data + more
        result = both.find(GZIP)
        while 0 <= result < len(data):
            if BEGINS.match(unpacked_start(both[result : result + _START])):
                return at + result
            result = both.find(GZIP, result + 1)
        at, data = at + len(data), more
    return None
