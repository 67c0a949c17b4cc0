"""Stream with a seek-back buffer, for members of a zip, which are otherwise read again."""

import io
from typing import IO

from annotate.archives.members import BROKEN
from annotate.archives.warc.byte_streams import CHUNK

_KEPT = 1 << 20
"""Bytes before the furthest one that was read: all but long records are shorter."""

_PIECE = 1 << 12


class SeekBuffer(io.RawIOBase):
    """Seekable stream of a file, which keeps the start and the end of the bytes read.

    Readers of records look ahead and return to the start of the next record, and to the first
    bytes for the data that all records share.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._failure: Exception | None = None
        self._head = self._kept = self._ahead(CHUNK)
        self._end = len(self._kept)
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        if whence == io.SEEK_END:
            self._end = self._file.seek(0, io.SEEK_END)
            self._kept = b""
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._end}[whence]
        self._at = start + offset
        return self._at

    def read(self, size: int | None = -1) -> bytes:
        most = CHUNK if size is None or size < 0 else size
        if self._at + most <= len(self._head):
            result = self._head[self._at : self._at + most]
        else:
            result = self._beyond_head(most)
        self._at += len(result)
        return result

    def _beyond_head(self, most: int) -> bytes:
        if not self._end - len(self._kept) <= self._at <= self._end + _KEPT:
            self._end, self._kept, self._failure = self._file.seek(self._at), b"", None
        while (left := self._at + most - self._end) > 0 and (more := self._ahead(left)):
            self._kept += more
            self._end += len(more)
        if self._failure is not None and self._end <= self._at:
            raise self._failure
        start = self._at - (self._end - len(self._kept))
        result = self._kept[start : start + most]
        self._kept = self._kept[-_KEPT:]
        return result

    def _ahead(self, least: int) -> bytes:
        """Read piece by piece: an error is raised only after the data before it was returned."""
        pieces: list[bytes] = []
        left = max(CHUNK, least)
        while left > 0 and self._failure is None:
            try:
                piece = self._file.read(min(_PIECE, left))
            except BROKEN as error:
                self._failure = error
                break
            if not piece:
                break
            pieces.append(piece)
            left -= len(piece)
        return b"".join(pieces)
