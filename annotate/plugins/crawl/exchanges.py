"""The exchanges of a crawl as a web archive: requests and responses, byte for byte.

One WARC file, each record compressed individually, so that it can be read from its start and a
killed crawl loses at most the exchange being written.  An answered request is not sent again.
"""

import io
import math
import os
from datetime import UTC, datetime
from pathlib import Path

from annotate.archives.gzip_records import gzip_records
from annotate.plugins.crawl.fetcher import Exchange, NoAnswer, ServerAnswer, answer_of
from engine import bounded_file
from engine.errors import InputError, convert_os_error

_FIRST_BYTES = 1000
"""The first record is smaller: a killed crawl has left no more of it."""

_PACKAGE = "a crawl needs warcio and protego: pip install 'pagelet[web]'"


class Exchanges:
    """The archive of one crawl, open to be written to.

    Args:
        path: A file; made where there is none.  What a killed crawl left half written is cut off.
        most_bytes: Limit of an unpacked answer.
        about: Writer according to the first record.

    Raises:
        InputError: The file cannot be written, or the packages for it are missing.
    """

    def __init__(self, path: Path, most_bytes: int, about: dict[str, str]) -> None:
        try:
            from warcio.warcwriter import WARCWriter
        except ImportError:
            raise InputError(_PACKAGE) from None
        self._path, self._most_bytes, self._writer = path, most_bytes, WARCWriter
        self._known: dict[str, tuple[int, str]] = {}  # offset and date of each answer
        with convert_os_error(f"write {path}"):
            if not path.exists():
                out = io.BytesIO()
                writer = WARCWriter(out, gzip=True)
                writer.write_record(writer.create_warcinfo_record(path.name, about))
                path.write_bytes(out.getvalue())
            end, size = self._read(0), path.stat().st_size
            if not end and size > _FIRST_BYTES:
                raise InputError(
                    f"{path} is no archive of a crawl, whose records are compressed one by one: "
                    "move it away, or name another folder"
                )
            if end < size:
                os.truncate(path, end)

    def __len__(self) -> int:
        return len(self._known)

    def answer(self, address: str) -> ServerAnswer | None:
        """Return the last response; None if it was never requested."""
        if address not in self._known:
            return None
        offset, _ = self._known[address]
        with convert_os_error(f"read {self._path}"), bounded_file.open_bounded(self._path) as file:
            record = next(gzip_records(file, offset), None)
        if record is None or record.offset != offset:
            raise InputError(f"{self._path} has changed while it was read")
        cut = record.fields.get("warc-truncated", "")
        return answer_of(address, record.block, cut, self._most_bytes)

    def age(self, address: str) -> float | None:
        """Return the seconds since an address was requested, ∞ if unknown; None if it never was."""
        if address not in self._known:
            return None
        try:
            then = datetime.fromisoformat(self._known[address][1])
        except ValueError:  # archives of other programs may lack it
            return math.inf
        return (datetime.now(UTC) - then.replace(tzinfo=then.tzinfo or UTC)).total_seconds()

    def add(self, exchange: Exchange) -> ServerAnswer:
        """Write an exchange to the disk and return its answer; `NoAnswer` if it has none."""
        answer_of(exchange.address, exchange.response, exchange.cut, self._most_bytes)
        out = io.BytesIO()
        writer = self._writer(out, gzip=True)
        headers = {"WARC-Truncated": exchange.cut} if exchange.cut else {}
        sent = io.BytesIO(exchange.request), len(exchange.request)
        received = io.BytesIO(exchange.response), len(exchange.response)
        try:
            response = writer.create_warc_record(
                exchange.address, "response", *received, warc_headers_dict=headers
            )
            request = writer.create_warc_record(exchange.address, "request", *sent)
            writer.write_request_response_pair(request, response)
        except (ValueError, EOFError, AttributeError) as error:
            raise NoAnswer(f"{exchange.address} did not answer in HTTP: {error}") from None
        with convert_os_error(f"write {self._path}"):
            with self._path.open("ab") as file:
                start = file.tell()
                file.write(out.getvalue())
                file.flush()
                os.fsync(file.fileno())
            self._read(start)
        result = self.answer(exchange.address)
        assert result is not None, "it was just written"
        return result

    def _read(self, start: int) -> int:
        """Note the answers from a byte on; return the end of the last whole record."""
        end = start
        with bounded_file.open_bounded(self._path) as file:
            for record in gzip_records(file, start):
                end, fields = record.end, record.fields
                if fields.get("warc-type") == "response":
                    address = fields.get("warc-target-uri", "").strip("<>")
                    self._known[address] = record.offset, fields.get("warc-date", "")
        return end
