"""Counts of the records of an archive at each door of Pagelet, beside warcio's own reading."""

import gzip
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed

from annotate.archives.page_ranges import ArchiveContents, ArchivedPage, PageRanges, pages
from annotate.datasets.saved_pages import HoldsNoPage, read_saved
from engine.account import Account

ONLY_IN_BATCH = ("captured again", "HTML in another page", "revisit of a record that is there")
"""What `extract --in` has a row for, and a window, which shows each address once, has not."""


@dataclass(frozen=True)
class Doors:
    """Counts of one archive.

    Attributes:
        peer: Records that warcio reads, None where it refuses the file.
        batch: Records that ``extract --in`` finds.
        rows: Pages it reads, cut ones among them.
        window: Account of ``open --look``, ``import`` and the window.
    """

    peer: int | None
    batch: int
    rows: int
    window: Account

    def findings(self) -> list[str]:
        """Return what does not balance."""
        result = []
        if self.peer is not None and self.batch < self.peer:
            result.append(f"warcio reads {self.peer} records, extract finds {self.batch}")
        if self.window.found != self.batch:
            result.append(f"import finds {self.window.found} records, extract {self.batch}")
        more = sum(
            count
            for reason, count in self.window.passed.items()
            if reason.startswith(ONLY_IN_BATCH)
        )
        if self.window.taken + more != self.rows:
            result.append(f"import has {self.window.taken} pages + {more}, extract {self.rows}")
        return result


def doors(path: Path) -> Doors:
    """Read an archive through every door."""
    contents: list[ArchiveContents] = []
    ranges = PageRanges(1 << 60, contents)
    parts = [*ranges.ranges(path, path.name), *ranges.revisits()]
    read = [page for part in parts for page in pages(part)]
    rows = sum(isinstance(page, ArchivedPage) and not page.trouble for page in read)
    try:
        account = read_saved(path).account
    except HoldsNoPage as error:
        account = error.account
    return Doors(_peer(path), sum(each.records for each in contents), rows, account)


def _peer(path: Path) -> int | None:
    if not path.name.endswith((".warc", ".warc.gz", ".arc", ".arc.gz")):
        return None
    try:
        with path.open("rb") as file:
            return Counter(each.rec_type for each in ArchiveIterator(file, arc2warc=True)).total()
    except (ArchiveLoadFailed, EOFError, OSError):
        return None


def record(name: str, block: bytes, kind: str = "response", fields: str = "") -> bytes:
    """Return a WARC record of an address."""
    media = "application/http; msgtype=response" if kind == "response" else "text/plain"
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:{name}>\r\n"
        f"WARC-Date: 2024-03-02T10:00:00Z\r\nWARC-Target-URI: <https://door.test/{name}>\r\n"
        f"{fields}Content-Type: {media}\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def answer(body: bytes, fields: str = "", kind: str = "text/html", status: str = "200 OK") -> bytes:
    """Return an HTTP answer."""
    head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\n{fields}\r\n"
    return head.encode() + body


def packed(parts: list[bytes], form: str) -> bytes:
    """Return records plain, each in a member of gzip, or all in one."""
    if form == "plain":
        return b"".join(parts)
    if form == "each":
        return b"".join(gzip.compress(each, mtime=0) for each in parts)
    return gzip.compress(b"".join(parts), mtime=0)
