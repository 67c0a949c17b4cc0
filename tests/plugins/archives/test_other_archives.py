"""Archives of other crawlers as rows: ARC, LZ4, names without a format, wrong digests."""

import gzip
import json
import zipfile

import pytest

from annotate.archives.page_ranges import PageRanges, all_pages, pages
from annotate.datasets.saved_pages import read_saved
from gui.cli.main import main
from tests.plugins.archives.warc_files import answer, page, record, write_warc

pytest.importorskip("fastwarc")

HTML = page("en").encode()


def arc(*pages):
    """Return an ARC of version 1 (Internet Archive, 1996), record by record."""
    about = b"1 0 Tea\nURL IP-address Archive-date Content-type Archive-length\n"
    yield b"filedesc://a.arc 0.0.0.0 20260101000000 text/plain %d\n%b\n" % (len(about), about)
    for url, body in pages:
        block = answer(body)
        yield b"%b 1.2.3.4 20260102030405 text/html %d\n%b\n" % (url, len(block), block)


@pytest.mark.parametrize("packed", ["each", "whole", "no"])
def test_an_arc_is_read(tmp_path, packed):
    path = tmp_path / "a.data"
    each = list(arc((b"http://tea.example/?a=green tea", HTML), (b"http://tea.example/b", HTML)))
    data = b"".join(map(gzip.compress, each)) if packed == "each" else b"".join(each)
    path.write_bytes(gzip.compress(data) if packed == "whole" else data)
    first, second = all_pages(path)
    assert (first.address, second.address) == (
        "http://tea.example/?a=green%20tea", "http://tea.example/b"
    )  # fmt: skip
    assert (first.data, first.date, first.trouble) == (HTML, "2026-01-02T03:04:05Z", "")


def test_an_arc_with_garbage_is_read_and_its_last_record_as_far_as_it_goes(tmp_path):
    path = tmp_path / "a.arc"
    each = list(arc((b"http://tea.example/a", HTML), (b"http://tea.example/b", HTML)))
    path.write_bytes(each[0] + each[1] + b"rubbish\n" + each[2][:-40])
    found = list(all_pages(path))
    assert found[0].data == HTML
    assert found[-1].truncated == "disconnect"
    assert HTML.startswith(found[-1].data)
    assert len(found[-1].data) > len(HTML) - 60


def test_an_archive_packed_with_lz4_is_read(tmp_path):
    stream_io = pytest.importorskip("fastwarc.stream_io")
    path = tmp_path / "a.warc.lz4"
    with path.open("wb") as file, stream_io.Lz4Writer(file) as packed:
        packed.write(record(1, answer(HTML)))
    (found,) = all_pages(path)
    assert found.data == HTML


def test_a_page_with_a_wrong_digest_is_read_and_the_difference_is_noted(tmp_path):
    odd = record(1, answer(HTML)).replace(
        b"\r\nContent-Length",
        b"\r\nWARC-Block-Digest: sha1:" + b"A" * 32 + b"\r\nContent-Length",
        1,
    )
    first, second = all_pages(write_warc(tmp_path / "a.warc", [odd, record(2, answer(HTML))]))
    assert (first.data, first.trouble, first.digest) == (HTML, "", "differs")
    assert second.digest == ""


@pytest.mark.parametrize("packed", [True, False])
def test_the_type_of_a_response_without_one_is_guessed_from_its_content(tmp_path, packed):
    def typeless(body):
        block = answer(body, packed=packed)
        return block.replace(b"Content-Type: text/html; charset=utf-8\r\n", b"")

    found = [record(1, typeless(HTML)), record(2, typeless(b"tea: green")), record(3, HTML, of="")]
    pages = all_pages(write_warc(tmp_path / "a.warc", found))
    assert [(each.address[-1], each.data) for each in pages] == [("1", HTML), ("3", HTML)]


def test_a_page_is_read_whole_if_only_its_checksum_is_truncated(tmp_path):
    path = write_warc(tmp_path / "a.warc.gz", [record(1, answer(HTML))])
    path.write_bytes(path.read_bytes()[:-6])  # within the check sum behind the last byte
    found, cut = all_pages(path)
    assert (found.data, found.trouble) == (HTML, "")
    assert "the archive ends within it" in cut.trouble


@pytest.mark.slow
def test_the_account_of_an_extraction_counts_every_record(tmp_path, capsys):
    found = [
        record(1, b"", "revisit"),
        record(2, b"GET / HTTP/1.1\r\n\r\n", "request"),
        record(3, answer(b"\x89PNG", "image/png")),
        record(4, answer(HTML, status="404 No")),
    ]
    path = write_warc(tmp_path / "a.warc", found)
    words = ["extract", "bte", "--in", str(path), "--jobs", "1", "--beside", "none"]
    assert main([*words, "--out", str(tmp_path / "out")]) == 1
    assert "4 records found: 0 taken; 1 passed over" in capsys.readouterr().err
    path = write_warc(tmp_path / "b.warc", [*found, record(5, answer(HTML))])
    words[3] = str(path)
    assert main([*words, "--out", str(tmp_path / "more"), "--json"]) == 0
    account = json.loads(capsys.readouterr().out)["account"]
    assert (account["found"], account["taken"]) == (5, 1)
    reason = "revisit of a record that is in no archive given"
    assert account["passed over"][reason] == 1


def test_records_of_a_truncated_lz4_archive_are_read_and_its_end_is_reported(tmp_path):
    stream_io = pytest.importorskip("fastwarc.stream_io")
    path = tmp_path / "a.warc.lz4"
    for number in range(3):
        with path.open("ab") as file, stream_io.Lz4Writer(file) as packed:
            packed.write(record(number, answer(HTML)))
    path.write_bytes(path.read_bytes()[:-20])
    contents = []
    read = [each for part in PageRanges(9, contents).ranges(path, "a") for each in pages(part)]
    assert [bool(each.trouble) for each in read] == [False, False, True]
    found = read_saved(path)
    assert len(found.pages) == 2
    assert "cannot be read to its end" in found.problems[0]


def test_a_listed_package_that_is_missing_is_reported(tmp_path):
    listed = {
        "profile": "multi-wacz-package",
        "resources": [{"path": "b.wacz"}, {"path": "a.wacz"}],
    }
    path = tmp_path / "a.json"
    path.write_text(json.dumps(listed))
    with zipfile.ZipFile(tmp_path / "a.wacz", "w") as package:
        package.writestr("archive/a.warc", record(1, answer(HTML)))
    assert read_saved(path).problems == ("b.wacz is named in a.json and does not lie beside it",)
    contents = []
    assert len(list(PageRanges(9, contents).ranges(path, "a.json"))) == 1
    assert any("does not lie beside it" in each.trouble for each in contents)
