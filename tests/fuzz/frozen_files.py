"""Frozen pages and archives that somebody has damaged, with their lists made right or not.

The same seed gives the same file.  What is changed is a page that is frozen by hand, without a
browser: what is read of it here is all that is read before one starts.
"""

import gzip
import io
import json
import random
import struct
import tempfile
import zipfile
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from annotate.archives.frozen import wacz
from annotate.archives.frozen.certificate import Certificate, Check, NodeChange
from annotate.archives.frozen.manifest import DIGEST, MANIFEST, PACKAGE
from engine.page import Page
from engine.saved import FrozenFrame, WebExchange
from engine.source import Source
from tests.annotate.archives.frozen.test_round_trip import members_in, with_lists
from tests.fuzz.files import as_json, nodes, odd, turned

ADDRESSES = (
    "http://a.example/", "http://[::1]/x", "http://[", "http://a.example/../..", "http://-a/",
    "ftp://x/", "//", "", "http://\ud800/", "http://a.example:99999999/", "https://ü.example/%zz",
    "http://a.example/\x1b[2J",
)  # fmt: skip
_PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d494844520000000100000001080600000"
    "01f15c4890000000d49444154789c6360f8cf500f0003860181b5b3a1"
    "1d0000000049454e44ae426082"
)


@cache
def whole() -> dict[str, bytes]:
    """Return the members of a frozen page, its lists right."""
    html = "<title>Ferry</title><h1>Harbour</h1><p>A ferry</p><p>comes <b>back</b></p>"
    page = Page(
        "http://a.example/story",
        Source.from_bytes(html.encode()),
        Source.from_text(html),
        nodes(),
        title="Ferry",
    )
    state: dict[str, Any] = {
        "address": page.url, "mode": "CSS1Compat", "tree": [], "spaces": [], "states": [],
        "frames": [], "adopted": [], "defined": [], "notes": [],
    }  # fmt: skip
    head = (("Content-Type", "text/html"),)
    frozen = SimpleNamespace(
        page=page, address=page.url, home=page.url, picture=_PIXEL, scripts=True, lost=(),
        clicked=(), frames=(FrozenFrame((), html, state), FrozenFrame((0,), "<p>inner", state)),
        exchanges=(
            WebExchange(page.url, 200, head, html.encode(), reason="OK"),
            WebExchange("http://a.example/a.png", 200, (("Content-Type", "image/png"),), _PIXEL),
        ),
    )  # fmt: skip
    members = wacz.members_of(frozen, "an engine", datetime(2026, 1, 1, tzinfo=UTC))
    made = Certificate(
        "identical", "2026-01-01T00:00:00Z", "an engine", "pagelet",
        (Check("tree", True, "9 nodes"),), (NodeChange("/html[1]", 0, "box", "a", "b"),),
    )  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "page.wacz"
        wacz.write(path, members, made)
        return members_in(path)


def frozen(seed: int, folder: Path) -> Path:
    """Write a frozen page, some of its members changed."""
    dice = random.Random(f"frozen {seed}")
    members = dict(whole())
    for _ in range(dice.choice((0, 1, 1, 1, 2, 5))):
        name = dice.choice(list(members))
        if dice.random() < 0.08:
            del members[name]
        elif dice.random() < 0.05:
            members[dice.choice(("../x", "/x", "x\x1b[2J", "archive/data.warc.gz/x"))] = b"x"
        else:
            members[name] = _changed(dice, name, members[name], members)
    if dice.random() < 0.6 and {MANIFEST, PACKAGE, DIGEST} <= members.keys():
        # not where the lists are broken themselves
        with suppress(ValueError, TypeError, KeyError, AttributeError, RecursionError):
            members = with_lists(members)
    path = folder / "page.wacz"
    path.write_bytes(_zipped(dice, members))
    return path


def _changed(dice: random.Random, name: str, data: bytes, members: dict[str, bytes]) -> bytes:
    if dice.random() < 0.1:
        return dice.choice((b"", b"7", b"null", b"[]", b"{}", b"[" * 100_000, bytes(100_000)))
    if dice.random() < 0.1:
        return members[dice.choice(list(members))]
    if name.endswith(".json") and dice.random() < 0.8:
        with suppress(ValueError, RecursionError):  # of one that was changed before
            return as_json(dice, _with_value(dice, json.loads(data)))
    if name.endswith(".npy"):
        return _column(dice, data)
    if name.endswith(".gz"):
        return turned(dice, records(dice), 0.5)
    return turned(dice, data, 1.0)


def _with_value(dice: random.Random, value: Any) -> Any:
    """Return JSON with one value, somewhere in it, replaced."""
    if not isinstance(value, dict | list) or not value or dice.random() < 0.2:
        return dice.choice((odd(dice), dice.choice(ADDRESSES)))
    keys = list(value) if isinstance(value, dict) else range(len(value))
    key = dice.choice(keys)
    return (
        {**value, key: _with_value(dice, value[key])}
        if isinstance(value, dict)
        else [_with_value(dice, each) if n == key else each for n, each in enumerate(value)]
    )


def _column(dice: random.Random, data: bytes) -> bytes:
    out = io.BytesIO()
    shape = dice.choice(((10**12,), (-1,), (9, 10**9), (), (0,), (3, 3, 3), (9,)))
    descr = dice.choice(("<i4", "|O", "<f8", "<U9", ">i4", "|b1", "<c16", "<m8", "nonsense"))
    choice = dice.random()
    if choice < 0.3:
        head = {"descr": descr, "fortran_order": dice.random() < 0.2, "shape": shape}
        np.lib.format.write_array_header_1_0(out, head)
        return out.getvalue() + data[128:]
    if choice < 0.5:
        np.save(out, np.full(9, dice.choice((-5, 9, 2**31 - 1)), dtype=np.int32))
        return out.getvalue()
    if choice < 0.6:
        text = dice.choice((b"(" * 3_000, b"{'descr': " * 99, b"1" * 9_000)) + b"\n"
        return b"\x93NUMPY\x01\0" + struct.pack("<H", len(text)) + text
    return turned(dice, data, 1.0)


def _zipped(dice: random.Random, members: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    methods = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
    with zipfile.ZipFile(buffer, "w", dice.choice(methods)) as made:
        for name, data in members.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = made.compression
            if dice.random() < 0.003:
                info.external_attr = 0o120777 << 16
            made.writestr(info, data)
        if dice.random() < 0.03:
            made.writestr("pagelet/bomb.html", bytes(30_000_000))
    data = bytearray(buffer.getvalue())
    if dice.random() < 0.1:  # a field of the directory: version, flags, method, sizes, offset
        at = data.find(b"PK\x01\x02", dice.randrange(len(data)))
        if at >= 0:
            struct.pack_into("<H", data, at + dice.choice((6, 8, 10, 20, 24, 28, 42)), 65_000)
    return turned(dice, bytes(data), 0.15)


def records(dice: random.Random) -> bytes:
    """Return an archive of a few records, some of them odd."""
    out = b""
    for number in range(dice.choice((1, 3))):
        usual = dice.random() < 0.7
        address = f"http://a.example/{number}" if usual else dice.choice(ADDRESSES)
        encoding = dice.choice(("gzip", "br", "deflate", "zstd", "identity", "\x1b"))
        body = dice.choice((b"<p>Ferry", gzip.compress(b"<p>x"), bytes(9_000), b"\xff" * 99))
        chunked = dice.choice((b"", b"Transfer-Encoding: chunked\r\n"))
        status = b"200" if usual else dice.choice((b"200", b"302", b"-1", b"\xff", b"9" * 99))
        http = b"HTTP/1.1 %s OK\r\nContent-Type: text/html\r\nContent-Encoding: %s\r\n%s\r\n%s" % (
            status, encoding.encode(), chunked, body,
        )  # fmt: skip
        kinds = ("response", "resource", "revisit", "request", "\x1b", "conversion")
        kind = "response" if usual else dice.choice(kinds)
        length = len(http) if usual else dice.choice((len(http), 10**12, -5))
        fields = [
            f"WARC-Type: {kind}", f"WARC-Target-URI: {address}", f"Content-Length: {length}",
            "Content-Type: application/http", f"WARC-Refers-To-Target-URI: {address}",
            f"WARC-Record-ID: <urn:uuid:{number}>", "WARC-Date: " + dice.choice(("", "x", "2026")),
        ]  # fmt: skip
        if dice.random() < 0.05:
            fields.append("X: " + "y" * 200_000)
        lines = ["WARC/1.1" if usual else dice.choice(("WARC/1.0", "WARC/9", "HTTP/1.1"))]
        lines += [each for each in fields if dice.random() < 0.98]
        head = "\r\n".join([*lines, "", ""]).encode("utf-8", "replace")
        record = turned(dice, head + http + b"\r\n\r\n", 0.2)
        out += gzip.compress(record) if dice.random() < 0.8 else record
    return out


def archive(seed: int, folder: Path) -> Path:
    """Write an archive as WARC, packed or not, or as WACZ."""
    dice = random.Random(f"archive {seed}")
    data = turned(dice, records(dice), 0.4)
    kind = dice.choice(("warc", "warc.gz", "wacz"))
    path = folder / f"pages.{kind}"
    if kind != "wacz":
        path.write_bytes(data)
        return path
    listed = as_json(dice, {"url": dice.choice(ADDRESSES), "ts": "x"})
    members = {"archive/data.warc.gz": data, "pages/pages.jsonl": b"{}\n" + listed}
    path.write_bytes(_zipped(dice, members))
    return path
