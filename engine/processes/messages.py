"""Messages of two parts, a head and a text, between two processes that answer each other.

`multiprocessing.connection` copies what it sends and receives some three times each, into memory
that is new to the process: of a page of 100 kB that takes a tenth of what a quick library takes for
it.  Here both parts are written in one call, and read into memory that is kept.
"""

import os
import struct
import sys
from multiprocessing import connection
from typing import Any

_SIZES = struct.Struct("!qq")
"""In front of a message: how long its parts are; -1 for no text."""

_KEPT = 1 << 20
_MOST = 1 << 31
"""Bytes of a part: a longer one was never sent, and something else was written into the pipe."""


class NoMessage(OSError):
    """Somebody else has written into the pipe."""


class MessagePipe:
    """Messages over one end of a pipe of `multiprocessing` that nobody else uses in between."""

    def __init__(self, pipe: "connection.Connection[Any, Any]") -> None:
        self._pipe = pipe
        self._kept = bytearray(_KEPT)  # the system gives it no memory before it is written to

    def send(self, head: bytes, text: bytes | None = None) -> None:
        """Send a message; raises `OSError` without a reader."""
        sizes = _SIZES.pack(len(head), -1 if text is None else len(text))
        parts = [sizes, head, text or b""]
        if sys.platform == "win32":
            self._pipe.send_bytes(b"".join(parts))
        else:
            _write(self._pipe.fileno(), parts)

    def receive(self) -> tuple[memoryview, memoryview | None]:
        """Return the parts of a message, which hold until the next.

        Raises `EOFError` after the last, and `NoMessage` for invalid data.
        """
        if sys.platform == "win32":
            view = memoryview(self._pipe.recv_bytes())
            head, text = _sizes_in(view[: _SIZES.size])
            view = view[_SIZES.size :]
        else:
            file = self._pipe.fileno()
            head, text = _sizes_in(_filled(file, memoryview(self._kept)[: _SIZES.size]))
            size = head + max(text, 0)
            room = self._kept if size <= _KEPT else bytearray(size)
            view = _filled(file, memoryview(room)[:size])
        return view[:head], None if text < 0 else view[head:]


def _sizes_in(view: memoryview) -> tuple[int, int]:
    head, text = _SIZES.unpack(view)
    if not (0 <= head <= _MOST and -1 <= text <= _MOST):
        raise NoMessage("what came is no message")
    return head, text


def _write(file: int, parts: list[bytes]) -> None:
    left = [memoryview(part) for part in parts if part]
    while left:
        written = os.writev(file, left)
        while left and written >= len(left[0]):
            written -= len(left.pop(0))
        if left:  # a signal came in between
            left[0] = left[0][written:]


def _filled(file: int, view: memoryview) -> memoryview:
    at = 0
    while at < len(view):
        count = os.readv(file, [view[at:]])
        if not count:
            raise EOFError
        at += count
    return view
