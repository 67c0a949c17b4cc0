"""Web archives cut, flipped, and packed anew: what Pagelet reads against a bare reader.

    python -m tests.fuzz.archives [COUNT [SEED]]

prints a table.  The bare reader has the index that was made when the archive was written, looks up
each record by its offset, and unpacks it by ``gzip`` alone: what it can unpack is to be read, with
the same bytes; what it cannot is to be a failed row or none, never another page.
"""

import base64
import gzip
import hashlib
import random
import re
import sys
import tempfile
import time
import zlib
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from annotate.archives.page_ranges import (
    ArchiveContents,
    ArchivedPage,
    LeftOut,
    PageRanges,
    pages,
)

FORMS = ("packed", "plain", "one member", "two a member", "blocks")
HARMS = ("none", "cut", "flip", "zeros", "delete", "insert", "length")
SECONDS = 5.0


@dataclass(frozen=True)
class Written:
    """A record that was written.

    Attributes:
        raw: As it is in a plain file.
        page: Its HTML; None where it is no page.
    """

    raw: bytes
    page: bytes | None


@dataclass
class Trial:
    """What came of one archive.

    Attributes:
        form, harm: How it was packed, and what was done to it.
        records: How many were written.
        whole: Pages that the bare reader can unpack, or must be there.
        read: Pages that Pagelet reads whole.
        failed: Rows with a reason.
        findings: What is wrong with Pagelet's.
    """

    form: str
    harm: str
    records: int = 0
    whole: int = 0
    read: int = 0
    failed: int = 0
    findings: list[str] = field(default_factory=list)


def trial(seed: int, folder: Path) -> Trial:
    """Write an archive, harm it, and read it."""
    chance = random.Random(seed)
    form, harm = FORMS[seed % len(FORMS)], HARMS[seed // len(FORMS) % len(HARMS)]
    written = [_record(chance, number) for number in range(chance.randint(3, 25))]
    if harm == "length":
        number = chance.randrange(len(written))
        written[number] = _with_wrong_length(chance, written[number])
    parts = _packed(chance, form, [each.raw for each in written])
    data, start, end, shift = _harmed(chance, harm, b"".join(parts))
    name = "a.warc" if form == "plain" else "a.warc.gz"
    path = folder / name
    path.write_bytes(data)
    result = Trial(form, harm, len(written))
    required = _required(form, written, parts, data, (start, end, shift))
    _compare(result, path, written, required, chance.choice((1, 2, 5, 1000)))
    if harm == "none" and result.failed:
        result.findings.append(f"{result.failed} failed rows of a whole archive")
    return result


def _record(chance: random.Random, number: int) -> Written:
    html = (
        f"<title>{number}</title><p>" + " ".join(
            chance.choice(("tea", "water", "leaves", "WARC/1.0", "\r\n", "é"))
            for _ in range(chance.randint(1, 900)))
    ).encode()  # fmt: skip
    kind = chance.choice(("page",) * 6 + ("missing", "image", "request", "resource"))
    if kind == "request":
        return Written(_warc(number, b"GET / HTTP/1.1\r\n\r\n", "request"), None)
    if kind == "resource":
        return Written(_warc(number, html, "resource", "text/html"), html)
    if kind == "image":
        body = chance.randbytes(chance.randint(0, 5000))
        return Written(_warc(number, _http(chance, body, "image/png")), None)
    status = "404 Not Found" if kind == "missing" else "200 OK"
    raw = _warc(number, _http(chance, html, "text/html; charset=utf-8", status))
    return Written(raw, html if kind == "page" else None)


def _http(chance: random.Random, body: bytes, kind: str, status: str = "200 OK") -> bytes:
    head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\n"
    if chance.random() < 0.4:
        body, head = gzip.compress(body, mtime=0), head + "Content-Encoding: gzip\r\n"
    if chance.random() < 0.5:
        cuts = sorted(chance.choices(range(len(body) + 1), k=chance.randint(0, 6)))
        parts = [body[a:b] for a, b in zip([0, *cuts], [*cuts, len(body)], strict=True)]
        lines = [b"%x;x=1\r\n%b\r\n" % (len(part), part) for part in parts if part]
        body, head = b"".join([*lines, b"0\r\n\r\n"]), head + "Transfer-Encoding: chunked\r\n"
    else:
        head += f"Content-Length: {len(body)}\r\n"
    return head.encode() + b"\r\n" + body


def _warc(number: int, block: bytes, kind: str = "response", of: str = "application/http") -> bytes:
    digest = base64.b32encode(hashlib.sha1(block).digest()).decode()
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:{number}>\r\n"
        f"WARC-Date: 2024-05-06T07:08:09Z\r\nWARC-Target-URI: https://example.org/{number}\r\n"
        f"WARC-Block-Digest: sha1:{digest}\r\nContent-Type: {of}\r\n"
        f"Content-Length: {len(block)}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def _with_wrong_length(chance: random.Random, written: Written) -> Written:
    """Return a record whose length is wrong by more than the line ends between two records."""
    head, blank, block = written.raw.partition(b"\r\n\r\n")
    length = len(block) - 4
    wrong = max(0, length + chance.choice((-1, 1)) * chance.randint(9, 3000))
    if abs(wrong - length) < 9 or not block[wrong:].strip():
        wrong = length + 50
    head = re.sub(rb"Content-Length: \d+\Z", b"Content-Length: %d" % wrong, head)
    return Written(head + blank + block, None)


def _packed(chance: random.Random, form: str, raws: list[bytes]) -> list[bytes]:
    if form == "plain":
        return raws
    if form == "packed":
        return [gzip.compress(raw, chance.randint(1, 9), mtime=0) for raw in raws]
    if form == "two a member":
        return [gzip.compress(b"".join(raws[k : k + 2]), mtime=0) for k in range(0, len(raws), 2)]
    whole = b"".join(raws)
    if form == "one member":
        return [gzip.compress(whole, mtime=0)]
    size = chance.randint(300, 5000)
    return [gzip.compress(whole[k : k + size], mtime=0) for k in range(0, len(whole), size)]


def _harmed(chance: random.Random, harm: str, data: bytes) -> tuple[bytes, int, int, int]:
    """Return the bytes, what is harmed of those before, and how far what follows has moved."""
    at = chance.randrange(len(data))
    size = min(chance.choice((1, 3, 50, 2000)), len(data) - at)
    if harm == "cut":
        return data[:at], at, len(data), 0
    if harm == "flip":
        bit = 1 << chance.randrange(8)
        return data[:at] + bytes([data[at] ^ bit]) + data[at + 1 :], at, at + 1, 0
    if harm == "zeros":
        return data[:at] + bytes(size) + data[at + size :], at, at + size, 0
    if harm == "delete":
        return data[:at] + data[at + size :], at, at + size, -size
    if harm == "insert":
        return data[:at] + chance.randbytes(size) + data[at:], at, at, size
    return data, len(data), len(data), 0


def _required(
    form: str, written: list[Written], parts: list[bytes], data: bytes, harm: tuple[int, int, int]
) -> set[int]:
    """Return the numbers of the pages that must be read, by the index and ``gzip`` alone."""
    start, end, shift = harm
    is_whole = start == sum(map(len, parts))
    result: set[int] = set()
    if form in ("packed", "plain", "two a member"):
        each = 2 if form == "two a member" else 1
        at = 0
        for number, part in enumerate(parts):
            first, last = at, at + len(part)
            at = last
            moved = shift if first >= end else 0
            if first < start < last or (first < end and start < last):
                moved = 0
            piece = data[first + moved : last + moved]
            numbers = range(number * each, min(len(written), number * each + each))
            if piece == part or (form != "plain" and _unpacks(piece, part)):
                result |= set(numbers)
    else:
        unpack = zlib.decompressobj(31)
        length = 0
        if form == "one member":
            length = len(unpack.decompress(data[:start]))
        else:
            at = 0
            for part in parts:
                if at + len(part) > start:
                    break
                length += len(gzip.decompress(part))
                at += len(part)
        passed = 0
        for number, record in enumerate(written):
            passed += len(record.raw)
            # Whether a record is whole is seen at the next one: that must have begun.
            if passed + 64 <= length or is_whole:
                result.add(number)
    return {number for number in result if written[number].page is not None}


def _unpacks(piece: bytes, part: bytes) -> bool:
    try:
        return gzip.decompress(piece) == gzip.decompress(part)
    except (OSError, EOFError, zlib.error):
        return False


def _compare(
    found: Trial, path: Path, written: list[Written], required: set[int], most: int
) -> None:
    begun = time.monotonic()
    contents: list[ArchiveContents] = []
    read: list[ArchivedPage | LeftOut | None] = []
    for part in PageRanges(most, contents).ranges(path, path.name):
        read += pages(part)
    seconds = time.monotonic() - begun
    (counted,) = contents
    rows = [each for each in read if isinstance(each, ArchivedPage)]
    whole = [each for each in rows if not each.trouble and not each.truncated]
    found.read, found.failed, found.whole = len(whole), len(rows) - len(whole), len(required)
    by_address = {each.address: each for each in whole}
    for number in sorted(required):
        page = by_address.get(f"https://example.org/{number}")
        if page is None or page.data != written[number].page:
            found.findings.append(f"page {number} is whole and was not read")
    known = {each.page for each in written}
    for each in whole:
        if each.data not in known and not each.digest:
            found.findings.append(f"{each.address} was never written: {each.data[:40]!r}")
    for each in rows:
        pages_here = [page.page for page in written if page.page]
        if each.truncated and found.harm not in (
            "cut",
            "length",
            "flip",
            "zeros",
            "delete",
            "insert",
        ):
            found.findings.append(f"{each.address} is said to be cut: {each.truncated}")
        is_begun = any(page.startswith(each.data.rstrip()) for page in pages_here)
        if each.truncated and found.harm == "cut" and not each.trouble and not is_begun:
            found.findings.append(f"{each.address} was never written so far: {each.data[:40]!r}")
    if not counted.is_unreadable and counted.records != counted.others + len(read):
        found.findings.append(f"{counted.records} records, {counted.others} + {len(read)} read")
    # Where a whole file is one member, a wrong byte may have zlib repeat what was before.
    many = max(Counter(each.address for each in whole).values(), default=0)
    if many > 1 and found.form != "one member":
        found.findings.append("a page came twice")
    if seconds > SECONDS:
        found.findings.append(f"took {seconds:.1f} s")


def table(trials: list[Trial]) -> str:
    """Return what came of trials, a line for each harm."""
    lines = ["| harm | archives | records | pages whole | read | failed rows | findings |",
             "| --- | --- | --- | --- | --- | --- | --- |"]  # fmt: skip
    for harm in (*HARMS, "all"):
        mine = [each for each in trials if harm in (each.harm, "all")]
        sums = [sum(getattr(each, name) for each in mine) for name in
                ("records", "whole", "read", "failed")]  # fmt: skip
        wrong = sum(bool(each.findings) for each in mine)
        cells = [harm, *map(str, (len(mine), *sums, wrong))]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> int:
    """Try so many and print the table."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    trials = []
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, first + count):
            trials.append(trial(seed, Path(folder)))
            for finding in trials[-1].findings:
                print(f"seed {seed} ({trials[-1].form}, {trials[-1].harm}): {finding}")
    print(table(trials))
    return any(each.findings for each in trials)


if __name__ == "__main__":
    sys.exit(main())
