"""Pages are read whole from archives, at whichever record a reader begins."""

import pytest

from annotate.archives.page_ranges import LeftOut, PageRanges, all_pages, pages
from engine.errors import InputError
from tests.plugins.archives.warc_files import answer, page, record, records, write_wacz, write_warc


def record_ranges(path, most):
    return PageRanges(most, []).ranges(path, path.name)


def told(found):
    return [
        (each.address, each.data, each.charset)
        for each in found
        if each is not None and not isinstance(each, LeftOut)
    ]


def whole(path):
    return told(all_pages(path))


def test_transfer_and_content_encodings_are_decoded(tmp_path):
    result = whole(write_warc(tmp_path / "a.warc.gz", records(4)))
    assert [address[-3:] for address, _, _ in result] == ["g/0", "g/1", "g/2", "g/3", "801"]
    assert [data for _, data, _ in result[:2]] == [
        page("en", "Tea 0").encode(),
        page("de", "Tea 1").encode(),
    ]
    assert result[4][1:] == (page("de", "Latin").encode("iso-8859-1"), "iso-8859-1")


def test_a_binary_file_served_as_html_is_damaged_but_a_page_with_a_zero_byte_is_not(tmp_path):
    bodies = (b"%PDF-1.4 1 0 obj", b"GIF89a\1\0\1\0", b"<p>five\0 o'clock", b"<p>tea")
    found = [record(k, answer(body)) for k, body in enumerate(bodies)]
    wide = "\n<p>tea".encode("utf-16-le")
    found.append(record(4, answer(wide, "text/html; charset=utf-16le")))
    result = list(all_pages(write_warc(tmp_path / "a.warc", found)))
    binary = "it is a binary file; expected an HTML page"
    assert [each.trouble for each in result] == [binary, binary, "", "", ""]


def test_compressed_plain_and_packaged_archives_give_the_same_pages(tmp_path):
    one = whole(write_warc(tmp_path / "a.warc.gz", records(5)))
    assert whole(write_warc(tmp_path / "a.warc", records(5))) == one
    assert whole(write_wacz(tmp_path / "a.wacz", records(5))) == one
    assert whole(write_wacz(tmp_path / "b.wacz", records(5), records(5))) == 2 * one


@pytest.mark.parametrize("name", ["a.warc.gz", "a.warc", "a.wacz"])
def test_reading_an_archive_in_ranges_loses_and_repeats_no_page(tmp_path, name):
    write = write_wacz if name.endswith("wacz") else write_warc
    path = write(tmp_path / name, records(7))
    for most in (1, 2, 3, 4, 100):
        parts = list(record_ranges(path, most))
        assert max(part.count for part in parts) <= most
        assert sum(part.count for part in parts) == 9
        assert [each for part in parts for each in told(pages(part))] == whole(path)


def test_pages_and_archives_of_a_folder_are_read(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "b.html").write_text(page("en"))
    (tmp_path / "a.html").write_text(page("de"))
    write_warc(tmp_path / "deep" / "c.warc.gz", records(1))
    result = whole(tmp_path)
    assert [address for address, _, _ in result] == [
        "https://example.org/0",
        "https://example.org/801",
        "a.html",
        "deep/b.html",
    ]
    (tmp_path / "deep" / "c.warc.gz").unlink()
    assert [part.offset for part in record_ranges(tmp_path, 1)] == [0, 1]


def test_a_missing_file_or_one_that_is_no_archive_is_refused_with_the_reason(tmp_path):
    (tmp_path / "a.txt").write_text("")
    (tmp_path / "a.wacz").write_text("")
    for path, why in ((tmp_path / "a.txt", "not a web archive"), (tmp_path / "x", "no such file"),
                      (tmp_path / "a.wacz", "cannot read")):  # fmt: skip
        with pytest.raises(InputError, match=why):
            list(all_pages(path))


def test_records_before_the_end_of_a_truncated_archive_are_read(tmp_path):
    path = write_warc(tmp_path / "a.warc.gz", records(6))
    path.write_bytes(path.read_bytes()[:-700])
    result = []
    try:
        for each in all_pages(path):
            result.append(each.address)
    except InputError as error:
        assert "is damaged" in str(error)  # noqa: PT017  (some versions end without a word)
    assert result[:3] == [f"https://example.org/{k}" for k in range(3)]


@pytest.mark.parametrize("name", ["a.warc.gz", "a.warc", "a.wacz"])
def test_html_responses_without_a_2xx_status_are_left_out(tmp_path, name):
    html = page("en").encode()
    result = [
        record(0, answer(html)),
        record(1, answer(html, status="404 Not Found", packed=True, chunked=True)),
        record(2, answer(html, status="301 Moved Permanently")),
        record(3, answer(html, status="503 Service Unavailable")),
        record(4, answer(html, "text/css", status="404 Not Found")),
        record(5, answer(html, status="203 Non-Authoritative Information")),
        record(6, html, "resource", "text/html"),
    ]
    write = write_wacz if name.endswith("wacz") else write_warc
    path = write(tmp_path / name, result)
    assert [address[-1] for address, _, _ in whole(path)] == ["0", "5", "6"]
    assert [each.status for part in record_ranges(path, 10) for each in pages(part)
            if isinstance(each, LeftOut)] == [404, 301, 503]  # fmt: skip
