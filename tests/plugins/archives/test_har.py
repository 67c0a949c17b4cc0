"""All pages of a HAR are read with the files they received; other requests are counted."""

import base64
import gzip
import json
import zipfile

import pytest

from annotate.datasets.opening import open_document, open_pages
from annotate.datasets.saved_pages import read_saved
from engine.errors import InputError
from gui.cli.main import main

SITE = "https://news.example"


def page(word):
    return f"<!doctype html><title>{word}</title><link rel=stylesheet href=/a.css><p>All {word}."


def entry(url, text="", kind="text/html", status=200, of="", asked=(), **content):
    fields = [{"name": name, "value": value} for name, value in asked]
    about = {"mimeType": kind, "text": text, **content}
    about = {name: value for name, value in about.items() if value is not None}
    result = {"request": {"url": f"{SITE}{url}", "headers": fields},
              "response": {"status": status, "content": about}}  # fmt: skip
    return result | ({"pageref": of} if of else {})


def har(*entries, **log):
    return {"log": {"version": "1.2", "entries": list(entries), **log}}


def write(folder, value, name="a.har"):
    path = folder / name
    path.write_text(json.dumps(value))
    return path


PAGES = [{"id": "1", "title": "Tide"}, {"id": "2", "title": f"{SITE}/b"}]
CSS = ("/a.css", "p { width: 321px }", "text/css")
DOCUMENT = [(":status", "200"), ("sec-fetch-dest", "document")]
FRAME = [("Sec-Fetch-Dest", "iframe")]

LOGS = {
    "Chrome": (har(
        entry("/a", page("tide"), of="1", asked=DOCUMENT), entry(*CSS, of="1"),
        entry("/f", "<p>inside", of="1", asked=FRAME),
        entry("/x", "<p>of a script", of="1") | {"_resourceType": "xhr"},
        entry("/b", page("flood"), of="2", asked=DOCUMENT), pages=PAGES), 5),
    "Firefox without Sec-Fetch": (har(
        entry("/a", page("tide") + "<iframe src='/f'>", of="1"), entry("/f", page("frame"), of="1"),
        entry("/b", base64.b64encode(page("flood").encode()).decode(), encoding="base64", of="2"),
        pages=PAGES), 3),
    "Charles or Fiddler, no list of pages": (har(
        {"request": {"url": "https://news.example:443", "method": "CONNECT"},
         "response": {"status": 200, "content": {"size": 0}}},
        entry("/a", page("tide")), entry(*CSS), entry("/part", "<li>more"),
        entry("/b", page("flood"), kind="x-unknown", pages=[])), 5),
    "packed still": (har(
        entry("/a", page("tide")),
        entry("/b", base64.b64encode(gzip.compress(page("flood").encode())).decode(),
              encoding="base64")), 2),
    "odd answers": (har(
        entry("/a", page("tide")), entry("/0", status=0), entry("/1", status=None, text=None),
        entry("/2", text=None), entry("/3", text="", size=900), "no entry", {"request": {}},
        entry("/4", "%%%", encoding="base64", kind="image/png"), entry("/b", page("flood"))), 9),
}  # fmt: skip


@pytest.mark.parametrize("program", LOGS)
def test_every_page_of_a_har_is_read_and_every_request_is_counted(tmp_path, program):
    log, count = LOGS[program]
    if program == "packed still":
        fields = [{"name": "Content-Encoding", "value": "gzip"}]
        log["log"]["entries"][1]["response"]["headers"] = fields
    found = read_saved(write(tmp_path, log))
    assert [each.home for each in found.documents] == [f"{SITE}/a", f"{SITE}/b"]
    texts = [each.receive().data.decode() for each in found.documents]
    assert "All tide." in texts[0]
    assert "All flood." in texts[1]
    assert (found.account.unit, found.account.found) == ("request", count)


def test_one_of_several_pages_is_opened_by_its_address(tmp_path, capsys):
    path = write(tmp_path, LOGS["Chrome"][0])
    assert open_pages(path).documents[0].title == "Tide"
    with pytest.raises(InputError, match=r"2 pages, name one of them, as .*har!/https://news"):
        open_document(path)
    assert main(["extract", "plain", f"{path}!/{SITE}/b"]) == 0
    assert "All flood." in capsys.readouterr().out
    assert main(["extract", "plain", f"{path}!/{SITE}/none"]) == 2
    assert f"it has {SITE}/a, {SITE}/b" in capsys.readouterr().err


def test_bodies_of_a_playwright_har_are_read_from_its_zip_or_its_folder(tmp_path):
    files = {"/a": "1.html", "/b": "2.html", "/c": "../3.html", "/d": "4.html"}
    log = har(*(entry(url, text=None, _file=name) for url, name in files.items()))
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as package:
        package.writestr("har.har", json.dumps(log))
        for name, word in (("1.html", "tide"), ("2.html", "flood")):
            package.writestr(name, page(word))
            (tmp_path / name).write_text(page(word))
    for path in (tmp_path / "a.zip", write(tmp_path, log)):
        found = read_saved(path)
        assert [each.home for each in found.documents] == [f"{SITE}/a", f"{SITE}/b"]
        assert found.account.passed.total() == 2
        assert "its content lies outside the file's folder" in found.account.passed


def test_commands_report_the_requests_of_a_har_without_pages_and_fail(tmp_path, capsys):
    path = write(tmp_path, har(entry(*CSS), entry("/lost", status=404)))
    assert main(["import", str(path), "--out", str(tmp_path / "out")]) == 1
    assert "2 requests found: 0 taken; 1 passed over: answer with" in capsys.readouterr().err
    assert main(["open", "--look", str(path)]) == 1
    assert "HAR) with 0 pages. 2 requests found: 0 taken" in capsys.readouterr().out
    assert main(["extract", "plain", str(path)]) == 2
    assert "2 requests found" in capsys.readouterr().err
