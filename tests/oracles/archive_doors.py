"""Counts of the records of an archive at each door of Pagelet, beside warcio's own reading."""

import gzip
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed

from annotate.archives.page_ranges import ArchiveContents, ArchivedPage, PageRanges, pages
from annotate.datasets.saved_pages import HoldsNoPage, SavedPage, read_saved
from engine.account import Account
from engine.encoding import name_of
from engine.saved import key_of

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
        unlike: Addresses whose bytes or charset the window reads otherwise than ``extract --in``.
    """

    peer: int | None
    batch: int
    rows: int
    window: Account
    unlike: tuple[str, ...] = ()

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
        result += (f"import reads {each} otherwise" for each in self.unlike)
        return result


def doors(path: Path) -> Doors:
    """Read an archive through every door."""
    contents: list[ArchiveContents] = []
    ranges = PageRanges(1 << 60, contents)
    parts = [*ranges.ranges(path, path.name), *ranges.revisits()]
    read = [page for part in parts for page in pages(part)]
    rows = [page for page in read if isinstance(page, ArchivedPage) and not page.trouble]
    saved: Sequence[SavedPage] = ()
    try:
        found = read_saved(path)
        account, saved = found.account, found.pages
    except HoldsNoPage as error:
        account = error.account
    unlike = tuple(_unlike(rows, saved))
    return Doors(_peer(path), sum(each.records for each in contents), len(rows), account, unlike)


def _unlike(rows: Sequence[ArchivedPage], saved: Sequence[SavedPage]) -> Iterator[str]:
    """Yield the addresses of pages of which no row has the bytes and charset of the window's."""
    by_address: dict[str, list[tuple[bytes, str]]] = {}
    for row in rows:
        own = by_address.setdefault(key_of(row.address), [])
        own.append((row.data.rstrip(), name_of(row.charset)))
    for page in saved:
        content = page.document.content
        if content is None or page.document.title is None:
            continue
        received = content.receive()
        read = received.data.rstrip(), name_of(received.charset)
        there = by_address.get(key_of(page.document.title), ())
        if there and read not in there:
            yield page.document.title


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
