"""Archives as users of other tools describe them in trackers: each door reads their page.

The independent truth: the words put into each file, and the count of its pages.
"""

import base64
import gzip
import io
import json
import zipfile

import pytest

from annotate.datasets.looking.inspection import look_into
from annotate.datasets.opening import open_pages
from annotate.datasets.saved_pages import read_saved
from tests.oracles.archive_doors import answer, doors, record

WORDS = b"Words of a harbour"
PAGE = b"<!doctype html><title>Door</title><h1>Head</h1><p>" + WORDS
CHUNKED = "Transfer-Encoding: chunked\r\n"


def har(**content):
    request = {"method": "GET", "url": "https://door.test/a", "headers": []}
    response = {"status": 200, "headers": [], "content": {"mimeType": "text/html", **content}}
    failed = {"request": {**request, "url": "https://door.test/b"},
              "response": {"status": 0, "content": {"text": None}}}  # fmt: skip
    return json.dumps(
        {"log": {"entries": [{"request": request, "response": response}, failed]}}
    ).encode()


def wacz(**members):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        file.writestr("archive/data.warc.gz", gzip.compress(record("a", answer(PAGE))))
        for name, data in members.items():
            file.writestr(name.replace("_", "."), data)
    return out.getvalue()


def of_word():
    body = base64.b64encode(PAGE).decode()
    return (
        'MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="----=_Next"\r\n\r\n'
        "This document is a Single File Web Page, also known as a Web Archive file.\r\n\r\n"
        "------=_Next\r\nContent-Location: file:///C:/EC2C/0.htm\r\n"
        "Content-Transfer-Encoding: base64\r\n"
        f'Content-Type: text/html; charset="windows-1251"\r\n\r\n{body}\r\n\r\n------=_Next--\r\n'
    ).encode()


CASES = {
    "the header of chunks, and none (pywb 584)": ("a.warc", record("a", answer(PAGE, CHUNKED))),
    "records without a blank line between (warcio 131)":
        ("a.warc", record("a", answer(PAGE))[:-2] + record("b", answer(PAGE))),
    "packed, and named as if it were not (warcat-rs 5)":
        ("a.warc", gzip.compress(record("a", answer(PAGE)))),
    "packed as a whole (pywb 48)":
        ("a.warc.gz", gzip.compress(record("a", answer(PAGE)) + record("b", answer(PAGE)))),
    "an empty description (browsertrix 1289)": ("a.wacz", wacz(datapackage_json=b"")),
    "no list of pages (replayweb.page 90)": ("a.wacz", wacz()),
    "said to be in base64, and is not (zap-extensions 5726)":
        ("a.har", har(text=PAGE.decode(), encoding="base64")),
    "base64 in lines (har-analyzer 11)":
        ("a.har", har(text=base64.encodebytes(PAGE).decode(), encoding="base64")),
    "of Word, with a preamble (MHTML-to-HTML 1)": ("a.mht", of_word()),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_an_archive_that_other_tools_trip_over_is_read_at_each_door(tmp_path, case):
    name, data = CASES[case]
    path = tmp_path / name
    path.write_bytes(data)
    look_into(path)
    pages = open_pages(str(path)).documents
    assert pages
    for page in pages:
        assert page.content is not None
        assert b"Words of a harb" in page.content.receive().data
    assert read_saved(path).account.taken == len(pages)
    if name.endswith(".har"):
        assert "utf-8" in pages[0].content.receive().charset or "base64 in" in case
    if name.endswith((".warc", ".warc.gz", ".wacz")):
        assert not doors(path).findings()


def test_a_record_longer_than_its_length_is_named_and_the_next_is_read(tmp_path):
    """WARCreate's issue 122: a length in letters where bytes are meant."""
    whole = record("a", answer(PAGE))
    length = len(answer(PAGE))
    short = whole.replace(b"Content-Length: %d" % length, b"Content-Length: %d" % (length - 3))
    assert short != whole
    path = tmp_path / "a.warc"
    path.write_bytes(short + record("b", answer(PAGE)))
    opened = open_pages(str(path))
    assert len(opened.documents) == 2
    assert any("1 record longer than the Content-Length" in each for each in opened.problems)
    path.write_bytes(whole + record("b", answer(PAGE)))
    assert open_pages(str(path)).problems == ()
