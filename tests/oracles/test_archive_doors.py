"""Oracle: each record of an archive is taken, or passed over with a reason, at every door.

The truth is warcio's own reading, and each door's counts beside the others'.
"""

import gzip
import random
import sys
import zipfile
import zlib
from dataclasses import replace

import pytest

from annotate.archives import http_body
from annotate.archives.frozen import warc
from annotate.archives.http_body import body_of
from annotate.archives.page_ranges import all_pages
from annotate.datasets.saved_pages import read_saved
from engine.errors import InputError
from tests.oracles.archive_doors import answer, doors, packed, record

PAGE = b"<!doctype html><title>Door</title><p>" + b"The door is open to all who come by day. " * 30
_BROTLI = pytest.importorskip("brotli")  # packs bodies
REFERS = "WARC-Refers-To-Target-URI: <https://door.test/a>\r\nWARC-Refers-To: <urn:uuid:a>\r\n"


def parts() -> list[bytes]:
    return [
        record("info", b"software: test\r\n", "warcinfo"),
        record("a", answer(PAGE)),
        record("style", answer(b"p { color: red }", kind="text/css")),
        record("moved", answer(b"", "Location: /a\r\n", status="302 ")),
        record("utf", answer(PAGE, "Content-Encoding: UTF-8\r\n")),
        record("lie", answer(PAGE, "Content-Encoding: br\r\n")),
        record("lines", answer(PAGE).replace(b"\r\n", b"\n")),
        record("again", b"", "revisit", REFERS),
        record("last", answer(PAGE + bytes(random.Random(1).choices(b"abcdefgh ", k=4000)))),
    ]


@pytest.mark.parametrize("form", ["plain", "each", "one"])
def test_all_doors_count_the_records_of_an_archive_as_warcio_does(tmp_path, form):
    path = tmp_path / ("a.warc" if form == "plain" else "a.warc.gz")
    path.write_bytes(packed(parts(), form))
    found = doors(path)
    assert found.findings() == []
    assert found.rows == 6
    assert (found.batch, found.window.taken) == (9, 6)


@pytest.mark.parametrize("form", ["plain", "each", "one"])
def test_an_archive_cut_at_any_byte_gives_all_that_is_before_the_cut(tmp_path, form):
    path = tmp_path / ("a.warc" if form == "plain" else "a.warc.gz")
    whole = packed(parts(), form)
    bodies = {page.address: page.data for page in _pages(path, whole)}
    for at in random.Random(form).sample(range(len(whole) // 2, len(whole)), 25):
        rows = _pages(path, whole[:at])
        for page in rows:
            assert bodies[page.address].startswith(page.data.rstrip()), (at, page.address)
            is_whole = page.data == bodies[page.address]
            assert is_whole or page.truncated == "disconnect", (at, page.address)
        missing = [url for url in list(bodies)[: len(rows) - 1] if url not in _addresses(rows)]
        assert missing == [], at


def _pages(path, data):
    path.write_bytes(data)
    return [page for page in all_pages(path) if not page.trouble]


def _addresses(rows):
    return {page.address for page in rows}


@pytest.mark.parametrize("form", ["plain", "each"])
def test_the_only_record_of_an_archive_is_read_up_to_the_cut(tmp_path, form):
    path = tmp_path / ("a.warc" if form == "plain" else "a.warc.gz")
    (page,) = _pages(path, packed(parts()[-1:], form)[:-300])
    assert page.truncated == "disconnect"
    assert page.data.startswith(PAGE)
    assert len(read_saved(path).pages) == 1


def _chunked(size, end=b"\r\n"):
    return size % len(PAGE) + end + PAGE + end + b"0" + end + end


def _bare_deflate(data):
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


_TWICE = gzip.compress(gzip.compress(PAGE))
_BODIES = {
    "deflate that is none (jwarc PR 47)": (PAGE, "Content-Encoding: deflate\r\n"),
    "deflate without a head": (_bare_deflate(PAGE), "Content-Encoding: deflate\r\n"),
    "deflate that is gzip": (gzip.compress(PAGE), "Content-Encoding: deflate\r\n"),
    "gzip that is zlib": (zlib.compress(PAGE), "Content-Encoding: gzip\r\n"),
    "twice": (_TWICE, "Content-Encoding: gzip, gzip\r\n"),
    "twice, in two fields": (_TWICE, "Content-Encoding: gzip\r\nContent-Encoding: gzip\r\n"),
    "none and one": (gzip.compress(PAGE), "Content-Encoding: identity, GZIP\r\n"),
    "packed, and not said (ipwb 331)": (gzip.compress(PAGE), ""),
    "chunks with bare line ends": (_chunked(b"%x", b"\n"), "Transfer-Encoding: chunked\r\n"),
    "chunks with more zeros (jwarc 24)":
        (_chunked(b"000000000%x"), "Transfer-Encoding: chunked\r\n"),
    "chunks with an extension": (_chunked(b"%X ; a=b"), "Transfer-Encoding: chunked\r\n"),
    "chunks in two words": (_chunked(b"%x"), "transfer-encoding: Chunked\r\n"),
}  # fmt: skip


@pytest.mark.parametrize("case", _BODIES)
def test_a_body_has_the_bytes_that_were_put_in_at_each_door(tmp_path, case):
    path = tmp_path / "a.warc"
    body, fields = _BODIES[case]
    path.write_bytes(record("a", answer(body, fields)))
    assert [page.data for page in all_pages(path)] == [PAGE]
    (saved,) = read_saved(path).pages
    assert saved.document.content.receive().data == PAGE
    assert doors(path).findings() == []


@pytest.fixture(params=["brotli", "FastWARC", "neither"])
def brotli_reader(request, monkeypatch):
    """One package alone that unpacks Brotli, or none."""
    for module, name in (("brotli", "brotli"), ("fastwarc.stream_io", "FastWARC")):
        if name == request.param:
            pytest.importorskip(module)
        else:
            monkeypatch.setitem(sys.modules, module, None)
    return request.param


def test_a_brotli_body_is_unpacked_or_refused_but_never_the_page(brotli_reader):
    fields = {"content-encoding": "br"}
    for page in (PAGE, b"<p>a\x03b", PAGE.decode().encode("utf-16")):
        assert body_of(page, fields)[0] == page  # that is none
    for size in (len(PAGE), 120):
        sent = _BROTLI.compress(PAGE[:size])
        if brotli_reader == "neither":
            with pytest.raises(InputError, match=r"packed as br.*pip install 'pagelet\[web\]'"):
                body_of(sent, fields)
            continue
        assert body_of(sent, fields) == (PAGE[:size], "")
        cut = body_of(sent[:-9], fields | {"content-length": str(len(sent))})
        assert PAGE.startswith(cut[0])
        assert cut[1] == "disconnect"
        with pytest.raises(InputError, match="not packed as br"):
            body_of(sent[:20] + b"\xff\x01" * 20, fields)


@pytest.mark.parametrize("reader", ["brotli", "fastwarc.stream_io"])
def test_a_brotli_body_larger_than_any_page_is_refused(reader, monkeypatch):
    other = {"brotli": "fastwarc.stream_io", "fastwarc.stream_io": "brotli"}[reader]
    pytest.importorskip(reader)
    sent = _BROTLI.compress(b"a" * 3_000_000)
    monkeypatch.setitem(sys.modules, other, None)
    monkeypatch.setattr(http_body, "MAX_BYTES", 1_000_000)
    with pytest.raises(InputError, match="larger than"):
        body_of(sent, {"content-encoding": "br"})


def test_a_damaged_record_of_a_frozen_page_leaves_the_others(tmp_path):
    path = tmp_path / "a.wacz"
    spoilt = gzip.compress(PAGE)[:10] + b"\xff" * 90
    bad = answer(spoilt, "Content-Encoding: gzip\r\n", kind="")
    assert b"Content-Type: \r\n" in bad
    sheet = record("style", answer(b"p { color: red }", kind="text/css"))
    with zipfile.ZipFile(path, "w") as package:
        package.writestr("archive/data.warc.gz", packed([record("a", bad), sheet], "each"))
    found = warc.find(path, "https://door.test/style")
    assert found is not None
    assert found.data == b"p { color: red }"
    assert warc.find(path, "https://door.test/a") is None


def test_the_oracle_finds_a_door_that_leaves_a_body_packed(tmp_path, monkeypatch):
    path = tmp_path / "a.warc"
    path.write_bytes(record("a", answer(gzip.compress(PAGE), "Content-Encoding: gzip\r\n")))
    monkeypatch.setattr(warc, "body_of", lambda data, fields: (data, ""))
    assert any("otherwise" in each for each in doors(path).findings())


def test_records_of_an_arc_without_a_length_are_counted_and_the_next_are_read(tmp_path):
    path = tmp_path / "a.arc"
    head = b"filedesc://a.arc 0.0.0.0 20140301000000 text/plain -1\n1 0 Door\n\n"
    line = b"\nhttp://door.test/%b 10.0.0.1 20140301000000 text/html %b\n"
    good = answer(PAGE)
    path.write_bytes(head + line % (b"x", b"abc") + good + line % (b"y", b"%d" % len(good)) + good)
    rows = list(all_pages(path))
    assert [bool(page.trouble) for page in rows] == [True, False]
    assert "no number" in rows[0].trouble
    assert rows[1].data == PAGE


def test_all_doors_agree_on_every_archive_of_other_projects(suites, field):
    files = sorted((suites / "archives").glob("*"))
    for name in ("CUTGZ", "WARCANGLE", "WARCBR", "WACZEMPTY"):
        files += (each for each in (field / name).glob("*") if each.name != "expected.txt")
    table = {}
    for path in files:
        try:
            found = doors(path)
        except InputError as error:
            table[path.name] = [str(error)]
            continue
        print(f"| {path.name} | {found.peer} | {found.batch} | {found.rows} | {found.window.taken}")
        table[path.name] = found.findings()
    assert {name: findings for name, findings in table.items() if findings} == {}


def test_the_oracle_finds_a_record_that_one_door_forgets(tmp_path):
    path = tmp_path / "a.warc"
    path.write_bytes(packed(parts(), "plain"))
    found = doors(path)
    assert replace(found, batch=found.batch - 1).findings()
    assert replace(found, rows=found.rows - 1).findings()
    assert replace(found, peer=found.batch + 1).findings()
