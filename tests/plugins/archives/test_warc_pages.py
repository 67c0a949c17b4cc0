"""Archives of other crawlers: every page is found, and every record is counted."""

import gzip
import io
import json
import zipfile
from pathlib import Path

import pytest
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from annotate.datasets.opening import open_page, open_pages
from annotate.datasets.saved_pages import read_saved
from annotate.plugins.archives.warc_index import index_of
from engine.errors import InputError

PAGE = b"<!doctype html><title>Tide</title><p>The tide came in."
HOME = "http://news.example/"


def warc(*records, version="1.0", packed=True) -> bytes:
    """Return a WARC of (address, kind of record, media type, body, fields)."""
    file = io.BytesIO()
    writer = WARCWriter(file, gzip=packed, warc_version=version)
    for url, kind, media, body, fields in records:
        head = [("Content-Type", media)] if media and kind == "response" else []
        http = StatusAndHeaders(fields.pop("status", "200 OK"), head, protocol="HTTP/1.1")
        fields.setdefault("WARC-Date", "2026-01-01T00:00:00Z")
        writer.write_record(
            writer.create_warc_record(
                url, kind, io.BytesIO(body), len(body),
                http_headers=http if kind in ("response", "revisit") else None,
                warc_content_type="" if kind in ("response", "revisit") else media,
                warc_headers_dict=fields,
            )
        )  # fmt: skip
    return file.getvalue()


def page(name="", body=PAGE, media="text/html", kind="response", **fields):
    return (HOME + name, kind, media, body, fields)


def wacz(folder: Path, lists=(), *archives, name="crawl.wacz") -> Path:
    path = folder / name
    with zipfile.ZipFile(path, "w") as package:
        for number, archive in enumerate(archives):
            package.writestr(f"archive/rec-{number}.warc.gz", archive)
        package.writestr("indexes/index.cdxj", "")
        for list_name, urls in lists:
            lines = ['{"format": "json-pages-1.0"}', *(json.dumps({"url": u}) for u in urls)]
            package.writestr(f"pages/{list_name}.jsonl", "\n".join(lines))
    return path


def homes(path):
    return [each.home for each in read_saved(path).documents]


def test_pages_of_a_wacz_are_found_whether_listed_or_not(tmp_path):
    lists = [("pages", [f"{HOME}1"]), ("extraPages", [f"{HOME}2"])]
    archives = warc(page("3"), page("2")), warc(page("1"), page("a.png", b"\x89PNG", "image/png"))
    found = read_saved(wacz(tmp_path, lists, *archives))
    assert [each.home for each in found.documents] == [f"{HOME}{n}" for n in (1, 2, 3)]
    account = found.account.as_json()
    assert (account["found"], account["taken"]) == (4, 3)
    assert account["passed over"] == {"not HTML": 1}


def test_a_frame_of_a_listed_page_is_counted_but_is_no_page(tmp_path):
    outer = PAGE + b"<iframe src='inner.html'></iframe>"
    path = wacz(tmp_path, [("pages", [HOME])], warc(page("", outer), page("inner.html")))
    found = read_saved(path)
    assert [each.home for each in found.documents] == [HOME]
    assert found.account.passed == {"HTML in another page (frame or script)": 1}


def test_a_listed_page_missing_from_the_archive_is_reported(tmp_path):
    path = wacz(tmp_path, [("pages", [HOME, f"{HOME}gone"])], warc(page()))
    assert "1 page of its lists not in the archive" in read_saved(path).problems[0]


@pytest.mark.parametrize("inside", [True, False])
def test_several_wacz_in_a_package_or_in_a_list_are_read_together(tmp_path, inside):
    parts = [wacz(tmp_path, (), warc(page(str(n))), name=f"{n}.wacz") for n in (1, 2)]
    named = json.dumps({"resources": [{"path": each.name} for each in parts]})
    if inside:
        path = tmp_path / "all.wacz"
        with zipfile.ZipFile(path, "w") as package:
            package.writestr("datapackage.json", named)
            for each in parts:
                package.write(each, each.name)
    else:
        path = tmp_path / "all.json"
        path.write_text(named)
    assert homes(path) == [f"{HOME}1", f"{HOME}2"]
    assert open_page(f"{path}!/{HOME}2").document().read() == PAGE


def test_a_revisit_is_resolved_across_files_or_counted(tmp_path):
    digest = "sha1:" + "A" * 32
    again = {"WARC-Payload-Digest": digest, "WARC-Refers-To-Target-URI": HOME}
    other = {"WARC-Payload-Digest": "sha1:" + "B" * 32}
    first = warc(
        page("copy", b"", kind="revisit", **again), page("lost", b"", kind="revisit", **other)
    )
    path = wacz(tmp_path, (), first, warc(page(**{"WARC-Payload-Digest": digest})))
    found = read_saved(path)
    assert {each.home: each.read() for each in found.documents} == {HOME: PAGE, f"{HOME}copy": PAGE}
    assert found.account.passed == {"revisit of a record that is not in the file": 1}
    assert index_of(path).waiting == [], "the index is remembered"


def test_resources_conversions_and_untyped_html_responses_are_pages(tmp_path):
    path = tmp_path / "a.warc"
    path.write_bytes(warc(
        page("typeless", media=""), page("text", b"tides: none", media=""),
        page("resource", kind="resource"), page("converted", kind="conversion"),
        version="1.1", packed=False,
    ))  # fmt: skip
    assert homes(path) == [f"{HOME}{n}" for n in ("typeless", "resource", "converted")]


@pytest.mark.parametrize("name", ["a.warc.gz", "a.bad", "a"])
@pytest.mark.parametrize("packed", ["each", "whole", "no"])
def test_an_archive_is_detected_by_its_content_under_any_name(tmp_path, name, packed):
    path, data = tmp_path / name, warc(page("1"), page("2"), packed=packed == "each")
    path.write_bytes(gzip.compress(data) if packed == "whole" else data)
    assert homes(path) == [f"{HOME}1", f"{HOME}2"]
    assert len(open_pages(path).documents) == 2


def arc(*pages) -> bytes:
    """Return an ARC of version 1 (Internet Archive, 1996)."""
    about = b"1 0 Tides\nURL IP-address Archive-date Content-type Archive-length\n"
    result = b"filedesc://a.arc 0.0.0.0 20260101000000 text/plain %d\n%b\n" % (len(about), about)
    for url, media, body in pages:
        answer = b"HTTP/1.0 200 OK\r\nContent-Type: %b\r\n\r\n%b" % (media, body)
        result += b"%b 1.2.3.4 20260101000000 %b %d\n%b\n" % (url, media, len(answer), answer)
    return result


@pytest.mark.parametrize("name", ["a.arc", "a.arc.gz", "a.data"])
def test_an_arc_is_read(tmp_path, name):
    path = tmp_path / name
    data = arc((b"http://news.example/?a=tide table", b"text/html", PAGE),
               (b"http://news.example/b", b"text/plain", b"x"))  # fmt: skip
    path.write_bytes(gzip.compress(data) if name.endswith("gz") else data)
    found = read_saved(path)
    assert [each.home for each in found.documents] == ["http://news.example/?a=tide%20table"]
    assert found.account.found == 3


def test_an_archive_packed_with_lz4_is_read(tmp_path):
    stream_io = pytest.importorskip("fastwarc.stream_io")
    path = tmp_path / "a.warc.lz4"
    with path.open("wb") as file, stream_io.Lz4Writer(file) as packed:
        packed.write(warc(page(), packed=False))
    assert homes(path) == [HOME]
    assert read_saved(path).documents[0].read() == PAGE


def test_an_archive_without_a_page_is_refused_with_counts_of_its_records(tmp_path):
    path = tmp_path / "a.warc.gz"
    path.write_bytes(warc(page("a.png", b"\x89PNG", "image/png"), page("x", status="404 No")))
    with pytest.raises(InputError, match=r"1 passed over: not HTML; 1 .* answer with status 404"):
        open_pages(path)


def test_pages_before_the_end_of_a_truncated_archive_are_read(tmp_path):
    path = tmp_path / "a.warc.gz"
    path.write_bytes(warc(page("1"), page("2"))[:-20])
    found = read_saved(path)
    assert f"{HOME}1" in [each.home for each in found.documents]
    assert "cannot be read to its end" in found.problems[0]


def test_records_after_damage_are_read_and_the_damage_is_reported(tmp_path):
    path = tmp_path / "a.warc"
    data = warc(page("1"), page("2"), page("3"), packed=False)
    path.write_bytes(data.replace(b"Content-Length:", b"X-Content-Length:", 1))
    found = read_saved(path)
    assert {each.home for each in found.documents} >= {f"{HOME}2", f"{HOME}3"}
    assert found.problems


def test_saved_files_with_one_changed_part_are_read_and_fully_counted():
    from tests.plugins.archives.fuzzed_files import run

    counts, findings = run(60)
    assert sum(counts.values()) == 60
    assert findings == []
