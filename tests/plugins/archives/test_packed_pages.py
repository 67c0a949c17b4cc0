"""Pages that browsers and tools pack into one file: each part is read, or counted."""

import base64
import json
import plistlib
import zipfile

import pytest

from annotate.datasets.opening import open_document
from annotate.datasets.saved_pages import read_saved
from engine.errors import InputError
from gui.cli.main import main

HOME = "https://news.example/story"
HTML = "<!doctype html><title>Tide</title><link rel=stylesheet href=look.css><p>Die Flut kam früh."
CSS = "p { width: 321px }"


def mhtml(*parts):
    """Return an MHTML of parts, each its fields and its text."""
    message = (
        f"From: <Saved by Blink>\r\nSnapshot-Content-Location: {HOME}\r\nMIME-Version: 1.0\r\n"
        'Content-Type: multipart/related; type="text/html"; boundary="B"\r\n\r\n'
    )
    for fields, body in parts:
        message += f"--B\r\n{fields}\r\n\r\n{body}\r\n"
    return message.encode() + b"--B--\r\n"


PART = "Content-Type: text/html\r\nContent-Transfer-Encoding: binary\r\nContent-Location: " + HOME

STYLE = "Content-Type: text/css\r\nContent-Location: "


def safari(frame=None):
    main_part = {
        "WebResourceData": HTML.encode(),
        "WebResourceURL": HOME,
        "WebResourceMIMEType": "text/html",
        "WebResourceTextEncodingName": "UTF-8",
    }
    style = {"WebResourceData": CSS.encode(), "WebResourceMIMEType": "text/css",
             "WebResourceURL": "https://news.example/look.css"}  # fmt: skip
    archive = {"WebMainResource": main_part, "WebSubresources": [style]}
    if frame is not None:
        archive["WebSubframeArchives"] = [{"WebMainResource": frame}]
    return archive


def har():
    def entry(url, kind, text, status=200, **more):
        return {"request": {"url": url}, "response": {
            "status": status, "content": {"mimeType": kind, "text": text, **more}}}  # fmt: skip

    packed = base64.b64encode(CSS.encode()).decode()
    return {"log": {"version": "1.2", "pages": [{"title": "Tide"}], "entries": [
        entry("https://news.example/", "text/html", "", 302), entry(HOME, "text/html", HTML),
        entry("https://news.example/look.css", "text/css", packed, encoding="base64"),
        {"request": {"url": "https://news.example/lost.png"}},
    ]}}  # fmt: skip


def write(folder, form):
    path = folder / f"page.{form}"
    if form == "mhtml":
        path.write_bytes(mhtml((PART, HTML), (f"{STYLE}https://news.example/look.css", CSS)))
    elif form in ("webarchive", "plist"):
        kind = plistlib.FMT_BINARY if form == "webarchive" else plistlib.FMT_XML
        path.write_bytes(plistlib.dumps(safari(), fmt=kind))
    elif form == "har":
        path.write_text(json.dumps(har()))
    else:
        with zipfile.ZipFile(path, "w") as package:
            package.writestr("index.html", HTML)
            package.writestr("look.css", CSS)
            package.writestr("manifest.json", json.dumps({"originalUrl": HOME}))
        if form == "zip.html":  # SingleFile's, which a browser opens and unpacks
            data = b"<html><!-- Page saved with SingleFile -->" + path.read_bytes()
            path.write_bytes(data)
    return path


FORMS = ("mhtml", "webarchive", "plist", "har", "zip", "zip.html")


@pytest.mark.parametrize("form", FORMS)
def test_a_packed_page_is_opened_with_its_style_sheet_and_extracted(tmp_path, form, capsys):
    path = write(tmp_path, form)
    document = open_document(path)
    assert document.home == HOME
    assert "früh" in document.receive().data.decode()
    base = document.url.rpartition("/")[0]
    assert document.store.find(f"{base}/look.css").data.decode().strip() == CSS
    assert main(["extract", "plain", str(path)]) == 0
    assert "Die Flut kam früh." in capsys.readouterr().out


def test_parts_of_chromes_mhtml_are_found_by_content_location_or_content_id(tmp_path):
    path = tmp_path / "a"
    html = HTML.replace("look.css", "cid:css-1@mhtml.blink")
    path.write_bytes(mhtml(
        (PART, html), ("Content-Type: text/css\r\nContent-Location: cid:css-1@mhtml.blink", CSS),
        ("Content-Type: text/html\r\nContent-ID: <frame-2@mhtml.blink>", "<p>inside"),
        ("Content-Type: image/png", "x"),
    ))  # fmt: skip
    found = read_saved(path)
    (document,) = found.documents
    assert document.receive().charset == "utf-8"
    assert b"href=https://cid.invalid/css-1%40mhtml.blink" in document.read()
    assert (
        document.store.find("pagelet://cid.invalid/css-1@mhtml.blink").data.strip() == CSS.encode()
    )
    assert document.store.find("pagelet://cid.invalid/frame-2@mhtml.blink") is not None
    assert found.account.found == 4
    assert found.account.passed == {"without an address, so that nothing asks for it": 1}


def test_the_charset_of_a_mime_part_is_the_charset_of_its_page(tmp_path):
    path = tmp_path / "a.mht"
    part = PART.replace("text/html", 'text/html; charset="windows-1251"')
    path.write_bytes(mhtml((part, "<p>PLACE")).replace(b"PLACE", "Плотина".encode("cp1251")))
    document = open_document(path)
    assert document.receive().charset == "windows-1251"


def test_damaged_and_redirected_parts_are_counted_and_the_rest_is_read(tmp_path):
    found = read_saved(write(tmp_path, "har"))
    assert (found.account.found, found.account.taken) == (4, 2)
    assert set(found.account.passed) == {"answer with status 302", "damaged (without 'response')"}
    path = tmp_path / "a.webarchive"
    path.write_bytes(plistlib.dumps(safari({"WebResourceURL": "https://news.example/frame"})))
    found = read_saved(path)
    assert found.account.passed == {"damaged (without 'WebResourceData')": 1}


@pytest.mark.parametrize(
    ("form", "old", "new", "message"),
    [
        ("webarchive", b"WebMainResource", b"WebNoneResource",
         "is not a page saved as web archive of Safari, or is damaged: 'WebMainResource'"),
        ("har", b"text/html", b"text/none", "is a HAR file without a page in it"),
        ("zip", b"index.html", b"index.none", "is not a saved page: expected"),
    ],
    ids=["webarchive", "har", "zip"],
)  # fmt: skip
def test_a_packed_file_without_a_page_is_refused(tmp_path, form, old, new, message):
    path = write(tmp_path, form)
    assert len(read_saved(path).documents) == 1
    path.write_bytes(path.read_bytes().replace(old, new))
    with pytest.raises(InputError, match=message):
        read_saved(path)
