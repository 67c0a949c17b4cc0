"""Numbers of archives and saved pages: whatever a value is replaced by, one sentence tells it.

The independent truth: a file says the same whether it is looked into, opened, or read page by page,
and each door takes what is odd, passes it over, or refuses the file (`PageletError`); nothing else.
"""

import gzip
import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from annotate.archives.page_ranges import PageRanges, is_archive, pages
from annotate.datasets.looking.inspection import look_into
from annotate.datasets.opening import open_pages
from annotate.datasets.saved_pages import read_saved
from engine.errors import PageletError
from tests.oracles.archive_doors import answer, record
from tests.oracles.test_numbers_of_files import ODD

ODDER = (*ODD, "9" * 5000, "1e400", "-0")
"""Python refuses to read, or print, a number of 5,000 digits."""

NAMES = ('"a\\u0000b"', '"\\ud800"', f'"{"n" * 5000}"', '"../../etc/hosts"', '"//["', '"a\\nb"')
"""Texts that no file, and no address, may be."""

PAGE = "<!doctype html><title>Door</title><h1>Head</h1><p>Words of a paragraph to be read"
AT = "2024-03-02T10:00:00Z"
HAR = {"log": {
    "version": "1.2", "creator": {"name": "t", "version": "1"},
    "pages": [{"id": "p", "title": "Door", "startedDateTime": AT,
               "pageTimings": {"onContentLoad": 5, "onLoad": 7.5}}],
    "entries": [{
        "pageref": "p", "startedDateTime": AT, "time": 12.5, "_resourceType": "document",
        "request": {"method": "GET", "url": "https://door.test/a", "headersSize": 90,
                    "bodySize": 0, "headers": [{"name": "Accept", "value": "text/html"}]},
        "response": {"status": 200, "headersSize": 90, "bodySize": 80, "_transferSize": 99,
                     "headers": [{"name": "Content-Length", "value": "80"}],
                     "content": {"size": 80, "compression": 0, "mimeType": "text/html",
                                 "text": PAGE, "_file": ""}},
        "timings": {"send": 1, "wait": 2, "receive": 3},
    }],
}}  # fmt: skip
MHTML = (
    "From: <Saved>\r\nSubject: Door\r\nDate: Sat, 2 Mar 2024 10:00:00 -0000\r\n"
    "MIME-Version: 1.0\r\n"
    'Content-Type: multipart/related; type="text/html"; boundary="b1"\r\n\r\n--b1\r\n'
    "Content-Type: text/html; charset=utf-8\r\nContent-ID: <frame-1@mhtml.blink>\r\n"
    "Content-Transfer-Encoding: 8bit\r\nContent-Length: 80\r\n"
    f"Content-Location: https://door.test/a\r\n\r\n{PAGE}\r\n--b1--\r\n"
)
PLIST = (
    '<?xml version="1.0"?><plist version="1.0"><dict><key>WebMainResource</key><dict>'
    "<key>WebResourceURL</key><string>https://door.test/a</string><key>WebResourceMIMEType</key>"
    "<string>text/html</string><key>WebResourceData</key><data>PGgxPkhlYWQ8L2gxPjxwPldvcmRz</data>"
    "<key>WebResourceLength</key><integer>24</integer></dict></dict></plist>"
)
INDEX = {"url": "https://door.test/a", "mime": "text/html", "status": "200", "digest": "sha1:A",
         "length": 300, "offset": 0, "filename": "data.warc.gz"}  # fmt: skip
LISTED = {"id": "1", "url": "https://door.test/a", "title": "Door", "ts": AT, "size": 80,
          "depth": 0, "favIconUrl": "", "loadState": 4, "status": 200}  # fmt: skip
PACKAGE = {"profile": "data-package", "wacz_version": "1.1.1", "mainPageUrl": "https://door.test/a",
           "resources": [{"name": "data", "path": "archive/data.warc.gz", "bytes": 300,
                          "hash": "sha256:0"}]}  # fmt: skip
HTTP = answer(PAGE.encode(), "Content-Length: 80\r\n")
CHUNKED = answer(b"50\r\n" + PAGE.encode() + b"\r\n0\r\n\r\n", "Transfer-Encoding: chunked\r\n")
WARC = record("a", HTTP).decode() + record("b", CHUNKED).decode()
ARC = (
    "filedesc://a.arc 0.0.0.0 20240302100000 text/plain 76\n1 0 InternetArchive\n"
    "URL IP-address Archive-date Content-type Archive-length\n\n"
    f"https://door.test/a 1.2.3.4 20240302100000 text/html {len(HTTP)}\n{HTTP.decode()}\n"
)


def wacz(**changed: str) -> bytes:
    """Return a foreign WACZ; members named by their first letters are replaced."""
    out = io.BytesIO()
    index = f"test,door)/a 20240302100000 {changed.get('index', json.dumps(INDEX))}\n"
    head = json.dumps({"format": "json-pages-1.0", "id": "pages", "title": "All"})
    members = {
        "archive/data.warc.gz": gzip.compress(WARC.encode(), mtime=0),
        "indexes/index.cdx": index.encode(),
        "pages/pages.jsonl": f"{head}\n{changed.get('pages', json.dumps(LISTED))}\n".encode(),
        "datapackage.json": changed.get("package", json.dumps(PACKAGE)).encode(),
    }
    with zipfile.ZipFile(out, "w") as file:
        for name, data in members.items():
            file.writestr(name, data)
    return out.getvalue()


def zipped(manifest: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        file.writestr("index.html", PAGE)
        file.writestr("manifest.json", manifest)
    return out.getvalue()


CORPUS = {"version": 1, "pages": [
    {"file": "p.html", "id": "p", "title": "Door", "scripts": True, "url": "https://door.test/a",
     "viewport": [800, 600]}]}  # fmt: skip

FORMS: dict[str, tuple[str, str, Callable[[str], bytes]]] = {
    "corpus": ("corpus.json", json.dumps(CORPUS), str.encode),
    "har": ("a.har", json.dumps(HAR), str.encode),
    "mhtml": ("a.mhtml", MHTML, str.encode),
    "safari": ("a.webarchive", PLIST, str.encode),
    "singlefile": ("a.zip", json.dumps({"originalUrl": "https://door.test/a", "size": 80}), zipped),
    "wacz index": ("a.wacz", json.dumps(INDEX), lambda text: wacz(index=text)),
    "wacz pages": ("a.wacz", json.dumps(LISTED), lambda text: wacz(pages=text)),
    "wacz package": ("a.wacz", json.dumps(PACKAGE), lambda text: wacz(package=text)),
    "warc": ("a.warc", WARC, str.encode),
    "warc.gz": ("a.warc.gz", WARC, lambda text: gzip.compress(text.encode(), mtime=0)),
    "arc": ("a.arc", ARC, str.encode),
}
_JSON = re.compile(r'(?<=[:\[,] )(?:-?\d[\d.]*|true|"(?:[^"\\]|\\.)*")(?=[,\]}])')
_PLAIN = re.compile(r"(?<![\w.#])-?\d+(?:\.\d+)?(?![\w])")


def mutants(text: str) -> Iterator[str]:
    """Yield a text with each value of JSON, or each number of another text, replaced."""
    is_json = text.startswith("{")
    for value in (_JSON if is_json else _PLAIN).finditer(text):
        for odd in (*ODDER, *NAMES) if is_json else ODDER:
            yield text[: value.start()] + (odd if is_json else odd.strip('"')) + text[value.end() :]


def read_all(path: Path) -> None:
    """Read a file at each door: looked into, opened, page by page, in batches."""
    if path.name == "corpus.json":
        path.with_name("p.html").write_text(PAGE)
        opened = open_pages(str(path.parent))
        assert all(len(each) < 1000 and each.isprintable() for each in opened.problems)
        return
    look_into(path)
    for document in open_pages(str(path)).documents:
        if document.content is not None:
            document.content.receive()
    read_saved(path)
    if not is_archive(path):
        return
    ranges = PageRanges(1 << 60, [])
    for part in (*ranges.ranges(path, path.name), *ranges.revisits()):
        list(pages(part))


def failures(
    form: str, folder: Path, reader: Callable[[Path], object] = read_all
) -> tuple[dict[str, str], int]:
    """Return what a reader raised that is no sentence, by the text put in; and their count."""
    name, whole, build = FORMS[form]
    found, count = {}, 0
    for text in (whole, *mutants(whole)):
        (folder / name).write_bytes(build(text))
        count += 1
        try:
            reader(folder / name)
        except PageletError as error:
            if len(str(error)) > 1000 or "\n" in str(error):
                found[text] = str(error)
        except Exception as error:  # noqa: BLE001  (the finding)
            found[text] = f"{type(error).__name__}: {error}"
    return found, count


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_odd_values_of_an_archive_are_taken_passed_over_or_told(tmp_path, form):
    found, count = failures(form, tmp_path)
    print(form, count, "texts", len(found), "found")
    assert count > len(ODDER)
    assert not found, {text[:300]: why[:200] for text, why in list(found.items())[:3]}


def test_the_whole_files_are_read_at_each_door(tmp_path):
    for name, whole, build in FORMS.values():
        path = tmp_path / name
        path.write_bytes(build(whole))
        read_all(path)
        if path.name == "corpus.json":
            continue
        (page, *_) = open_pages(str(path)).documents
        assert page.content is not None
        assert b"Head" in page.content.receive().data, name


def test_the_oracle_finds_a_reader_of_archives_that_trusts_them(tmp_path):
    def trusting(path: Path) -> None:
        for entry in json.loads(path.read_text())["log"]["entries"]:
            bytearray(int(entry["response"]["content"]["size"]) % 1000)

    found, _ = failures("har", tmp_path, trusting)
    raised = {why.partition(":")[0] for why in found.values()}
    assert {"ValueError", "OverflowError", "TypeError"} <= raised
