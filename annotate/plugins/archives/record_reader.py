"""WARC files: position and content of each record (formats.md#warc).

Source: ISO 28500, WARC 1.0 and 1.1.

A file is plain or gzip; usually each record is compressed separately, so that its location in the
file is enough to read it again.  Reading the locations costs one pass over the file.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from annotate.archives.gzip_records import fields_of
from annotate.plugins.archives.framing import frames, stream_at
from engine import bounded_file
from engine.errors import InputError, convert_os_error
from engine.fetch import MAX_BYTES
from engine.media_types import media_type

SUFFIXES = (".warc", ".warc.gz")


@dataclass(frozen=True)
class RecordPosition:
    """Position of the block of a record.

    Attributes:
        path: The file.
        offset: Where the record starts, in bytes of the file, or the compressed member that holds
            it.
        before: Bytes from there to the block, unpacked.
        length: Of the block, unpacked.
    """

    path: Path
    offset: int
    before: int
    length: int

    def read(self) -> bytes:
        """Return the block; raises `InputError`."""
        if self.length > MAX_BYTES:
            raise InputError(f"a record of {self.path} is larger than {MAX_BYTES // 2**20} MB")
        with convert_os_error(f"read {self.path}"), bounded_file.open_bounded(self.path) as file:
            stream = stream_at(file, self.offset)
            stream.skip(self.before)
            block = stream.take(self.length)
        if len(block) < self.length:
            raise InputError(f"{self.path} ends within a record")
        return block


@dataclass(frozen=True)
class Record:
    """WARC record with its headers.

    Attributes:
        headers: Its named fields, names lower case, values without white space at their ends.
        position: Position of its block.
    """

    headers: Mapping[str, str]
    position: RecordPosition

    @property
    def type(self) -> str:
        """``resource``, ``conversion``, ``response`` ..."""
        return self.headers.get("warc-type", "").lower()

    @property
    def id(self) -> str:
        """The record's id without brackets and ``urn:uuid:``."""
        return bare_id(self.headers.get("warc-record-id", ""))

    @property
    def address(self) -> str:
        return self.headers.get("warc-target-uri", "").strip("<>")

    @property
    def charset(self) -> str:
        """The charset its content type names, "" if none."""
        return media_type(self.headers.get("content-type", "")).charset


def bare_id(record_id: str) -> str:
    """Return a record's id without the ``<urn:uuid:...>`` around it."""
    return record_id.strip().strip("<>").removeprefix("urn:uuid:")


def records(path: Path, problems: list[str]) -> Iterator[Record]:
    """Yield the records of a file in order; those behind damage, too.

    ``problems`` gets a sentence for each record that is damaged or cut off, and for other data.
    """
    with convert_os_error(f"read {path}"), bounded_file.open_bounded(path) as file:
        for frame in frames(file):
            if frame.trouble:
                where = f"{path.name} is damaged at byte {frame.offset:,}"
                problems.append(f"{where}: {frame.trouble}")
                continue
            position = RecordPosition(path, frame.offset, frame.before, frame.size)
            yield Record(fields_of(frame.head), position)
