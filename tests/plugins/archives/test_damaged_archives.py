"""Damage in an archive is reported and loses only the damaged records."""

import gzip
import json
import zipfile

import pytest

from annotate.archives.page_ranges import ArchivedPage, PageRanges, pages
from gui.cli.main import main
from tests.plugins.archives.warc_files import answer, page, record, write_wacz, write_warc

STORIES = [page("en", f"Tea {k}").encode() * 3 for k in range(10)]


def ten(**options):
    return [record(k, answer(story, **options)) for k, story in enumerate(STORIES)]


def packed(each):
    return gzip.compress(each, mtime=0)


def extracted(out, *archives, rc=0):
    words = ["extract", "bte", "--in", *map(str, archives), "--out", str(out), "--format", "jsonl"]
    assert main([*words, "--beside", "none", "--jobs", "1", "--shard-records", "4"]) == rc
    texts = [file.read_text("utf-8") for file in sorted(out.glob("shard-*.jsonl"))]
    return [json.loads(line) for text in texts for line in text.splitlines()]


def read(path):
    """Return each page of an archive, damaged ones too, as workers read them."""
    parts = PageRanges(4, []).ranges(path, path.name)
    return [each for part in parts for each in pages(part) if isinstance(each, ArchivedPage)]


def ends(found):
    if found and isinstance(found[0], dict):
        return [row["status"] for row in found]
    return ["failed" if each.trouble else "ok" for each in found]


def test_records_after_a_damaged_gzip_member_are_read(tmp_path, capsys):
    members = [packed(each) for each in ten()]
    hurt = bytearray(members[4])
    hurt[len(hurt) // 2 : len(hurt) // 2 + 8] = b"\xff" * 8
    whole = write_warc(tmp_path / "b.warc.gz", ten())
    path = tmp_path / "a.warc.gz"
    path.write_bytes(b"".join([*members[:4], bytes(hurt), *members[5:]]))
    rows = extracted(tmp_path / "out", path, whole, rc=1)
    assert ends(rows) == 4 * ["ok"] + ["failed"] + 15 * ["ok"]
    assert rows[4]["address"] == "https://example.org/4"
    assert rows[4]["offset"] == sum(map(len, members[:4]))
    assert "damaged" in rows[4]["reason"]
    assert "a.warc.gz: 1 of 10 records is damaged" in capsys.readouterr().err


def test_records_after_a_damaged_gzip_header_are_read(tmp_path):
    members = [packed(each) for each in ten()]
    path = tmp_path / "a.warc.gz"
    for number in (0, 4, 9):
        hurt = [*members[:number], b"\0\1\2" + members[number][3:], *members[number + 1 :]]
        path.write_bytes(b"".join(hurt))
        result = read(path)
        assert ends(result) == number * ["ok"] + ["failed"] + (9 - number) * ["ok"]
        assert result[number].address == ""


@pytest.mark.parametrize("name", ["a.warc.gz", "a.warc"])
@pytest.mark.parametrize("cut", [40, 200])
def test_a_page_cut_off_with_its_archive_is_read_as_far_as_it_goes(tmp_path, name, cut):
    path = write_warc(tmp_path / name, ten())
    whole = read(path)[9].data
    path.write_bytes(path.read_bytes()[:-cut])
    result = read(path)
    assert ends(result)[:9] == 9 * ["ok"]
    if result[9].trouble:  # not a letter of the page is left
        assert "the archive ends within it" in result[9].trouble
    else:
        assert result[9].truncated == "disconnect"
        assert whole.startswith(result[9].data.rstrip())
    assert result[9].trouble == "" or (name, cut) == ("a.warc.gz", 200)


@pytest.mark.parametrize("name", ["a.warc.gz", "a.warc"])
@pytest.mark.parametrize("wrong", [-200, 200, 5000])
def test_a_wrong_content_length_fails_only_its_own_record(tmp_path, name, wrong):
    written = ten()
    size = len(answer(STORIES[4]))
    right, text = b"Content-Length: %d\r" % size, b"Content-Length: %d\r" % (size + wrong)
    written[4] = written[4].replace(right, text, 1)
    result = read(write_warc(tmp_path / name, written))
    assert ends(result) == 4 * ["ok"] + ["failed"] + 5 * ["ok"]
    assert f"Content-Length is {size + wrong:,}" in result[4].trouble


def test_a_page_too_large_to_read_is_a_failed_row_and_a_video_is_skipped(tmp_path):
    story = b"<p>" + b"Tea is hot. " * 6_000_000
    film = record(99, answer(b"\0" * 70_000_000, "video/mp4"))
    written = [*ten()[:2], record(77, answer(story)), film, *ten()[2:]]
    result = read(write_warc(tmp_path / "a.warc", written))
    assert ends(result) == ["ok", "ok", "failed"] + 8 * ["ok"]
    assert result[2].trouble == "the page is larger than 64 MB"


def test_a_text_file_named_as_an_archive_is_reported_and_the_others_are_read(tmp_path, capsys):
    text = tmp_path / "notes.warc.gz"
    text.write_text("Tea is hot.\n" * 50)
    whole = write_warc(tmp_path / "b.warc.gz", ten())
    broken = tmp_path / "c.wacz"
    broken.write_bytes(write_wacz(tmp_path / "d.wacz", ten()).read_bytes()[:-60])
    assert len(extracted(tmp_path / "out", text, broken, whole, rc=1)) == 10
    stderr = capsys.readouterr().err
    assert "notes.warc.gz is not a web archive" in stderr
    assert "c.wacz is not a web archive" in stderr
    assert extracted(tmp_path / "none", text, rc=2) == []
    assert "notes.warc.gz is not a web archive" in capsys.readouterr().err


def test_archives_compressed_in_other_ways_give_the_same_pages(tmp_path):
    plain = b"".join(ten())
    for name, data in (
        ("one member", packed(plain)),
        ("two in each", b"".join(packed(a + b) for a, b in zip(*2 * [iter(ten())], strict=True))),
        ("blocks", b"".join(packed(plain[k : k + 700]) for k in range(0, len(plain), 700))),
        ("filled up", b"".join(map(packed, ten())) + bytes(512)),
    ):
        path = tmp_path / f"{name}.warc.gz"
        path.write_bytes(data)
        result = read(path)
        assert [each.data for each in result] == STORIES, name
        assert ends(result) == 10 * ["ok"], name


def test_a_truncated_body_is_marked_with_the_reason(tmp_path):
    whole = answer(STORIES[0], chunked=True)
    short = answer(STORIES[0], packed=True)[:-20]
    announced = answer(STORIES[0]).replace(b"\r\n\r\n", b"\r\nContent-Length: 99999\r\n\r\n", 1)
    text = record(3, answer(STORIES[0])).replace(b"\r\n", b"\r\nWARC-Truncated: length\r\n", 1)
    result = [record(0, whole), record(1, whole[:-7]), record(2, short), text, record(4, announced)]
    assert [each.truncated for each in read(write_warc(tmp_path / "a.warc.gz", result))] == [
        "", "disconnect", "disconnect", "length", "disconnect",
    ]  # fmt: skip


def test_a_body_that_is_already_decoded_is_read_unchanged(tmp_path):
    head = b"\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\n"
    undone = answer(STORIES[0]).replace(b"\r\n\r\n", head, 1)
    (result,) = read(write_warc(tmp_path / "a.warc", [record(0, undone)]))
    assert (result.data, result.truncated) == (STORIES[0], "")


def test_extract_ends_with_an_error_if_every_page_failed(tmp_path, capsys):
    bad = answer(STORIES[0], packed=True)
    bad = bad[:-60] + b"\xff" * 60
    result = [record(k, bad) for k in range(20)]
    rows = extracted(tmp_path / "out", write_warc(tmp_path / "a.warc.gz", result), rc=1)
    assert ends(rows) == 20 * ["failed"]
    assert "all pages failed; the first: the page cannot be" in capsys.readouterr().err


@pytest.mark.slow
def test_counts_of_an_extraction_add_up_to_the_number_of_records(tmp_path, capsys):
    html = page("en").encode()
    result = [
        record(90, b"software: test\r\n", "warcinfo", "application/warc-fields"),
        *ten(),
        record(50, b"GET / HTTP/1.1\r\n\r\n", "request"),
        record(51, answer(html, status="404 Not Found")),
        record(52, answer(b"\x89PNG", "image/png")),
    ]
    members = [packed(each) for each in result]
    members[3] = members[3][:200] + b"\0" * 20 + members[3][220:]
    path = tmp_path / "a.warc.gz"
    path.write_bytes(b"".join(members))
    words = ["extract", "bte", "--in", str(path), "--out", str(tmp_path / "out"), "--json"]
    assert main([*words, "--jobs", "1", "--beside", "none"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert (data["records"], data["others"], data["damaged"]) == (14, 2, 1)
    assert data["counts"] == {"ok": 9, "failed": 1}
    assert (data["left_out"], data["not_html"], data["not_chosen"]) == (1, 1, 0)
    assert sum(data["counts"].values()) + 1 + 1 + data["others"] == data["records"]


def test_a_damaged_file_of_a_wacz_is_reported_and_the_other_files_are_read(tmp_path, capsys):
    part = b"".join(ten())
    path = tmp_path / "a.wacz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        for name in ("one", "two"):
            package.writestr(f"archive/{name}.warc", part)
    data = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as package:
        one = package.getinfo("archive/one.warc")
    at = one.header_offset + one.compress_size // 2
    data[at : at + 9] = b"\xff" * 9
    path.write_bytes(data)
    whole = write_warc(tmp_path / "b.warc.gz", ten())
    rows = extracted(tmp_path / "out", path, whole, rc=1)
    of = {name: [r for r in rows if name in r["archive"]] for name in ("one", "two", "b.warc")}
    assert ends(of["two"]) == ends(of["b.warc"]) == 10 * ["ok"]
    assert len(of["one"]) <= 10
    assert "archive/one.warc in a.wacz is damaged" in capsys.readouterr().err
