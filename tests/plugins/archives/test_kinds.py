"""Pages saved by other programs are read with their images, styles and frames, or refused."""

import base64
import zipfile
from email.message import EmailMessage
from pathlib import Path

import pytest

from annotate.archives.frozen import warc_writing
from annotate.archives.frozen.frozen_file import FrozenFile
from annotate.archives.members import MAX_BYTES
from annotate.datasets.readers import page_at
from annotate.datasets.saved_pages import read_saved
from annotate.workspace.workspace import Workspace
from engine.errors import InputError
from engine.saved import WebExchange
from gui.cli.main import main
from tests.annotate.archives.frozen.pages import PIXEL
from tests.nobody import as_nobody

ADDRESS = "http://news.example/story?id=7"
HTML = (
    "<!doctype html><title>Tide</title><link rel=stylesheet href='/look.css'>"
    "<p>The tide came in.<img src='http://cdn.example/a.png' width=40 height=30>"
    "<iframe src=inner.html></iframe>"
)
STYLE_SHEET = "p { width: 321px }"
FILES = {
    ADDRESS: ("text/html; charset=utf-8", HTML.encode()),
    "http://news.example/look.css": ("text/css", STYLE_SHEET.encode()),
    "http://cdn.example/a.png": ("image/png", PIXEL),
    "http://news.example/inner.html": ("text/html", b"<p>inside the frame"),
}


def as_mhtml(folder: Path) -> Path:
    whole = EmailMessage()
    whole["Subject"] = "Tide"
    whole["Snapshot-Content-Location"] = ADDRESS
    whole["MIME-Version"] = "1.0"
    whole.make_related()
    html = HTML.replace("src=inner.html", "src='cid:frame-1@mhtml.blink'")
    for url, (kind, data) in FILES.items():
        part = EmailMessage()
        main, sub = kind.partition(";")[0].split("/")
        part.set_content(html.encode() if url == ADDRESS else data, main, sub)
        part["Content-Location"] = url
        if url.endswith("inner.html"):
            part["Content-ID"] = "<frame-1@mhtml.blink>"
        whole.attach(part)
    file = folder / "page.mhtml"
    file.write_bytes(whole.as_bytes())
    return file


def exchanges():
    return tuple(
        WebExchange(url, 200, (("Content-Type", kind),), data)
        for url, (kind, data) in FILES.items()
    )


def as_warc(folder: Path) -> Path:
    file = folder / "page.warc.gz"
    file.write_bytes(warc_writing.write(exchanges(), "2026-01-01T00:00:00Z", "test", "x")[0])
    return file


def as_wacz(folder: Path) -> Path:
    file = folder / "page.wacz"
    with zipfile.ZipFile(file, "w") as package:
        package.write(as_warc(folder), "archive/data.warc.gz")
        listed = '{"format": "json-pages-1.0"}\n{"url": "' + ADDRESS + '"}\n'
        package.writestr("pages/pages.jsonl", listed)
    return file


def as_wget(folder: Path) -> Path:
    for name, data in {
        "news.example/index.html": HTML.encode(),
        "news.example/look.css": STYLE_SHEET.encode(),
        "news.example/inner.html": b"<p>inside the frame",
        "cdn.example/a.png": PIXEL,
    }.items():
        (folder / "wget" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "wget" / name).write_bytes(data)
    return folder / "wget"


def as_complete(folder: Path) -> Path:
    html = HTML.replace("/look.css", "Tide_files/look.css")
    html = html.replace("http://cdn.example/", "Tide_files/").replace("inner", "Tide_files/inner")
    file = folder / "Tide.html"
    file.write_text(f"<!-- saved from url=({len(ADDRESS):04}){ADDRESS} -->{html}")
    (folder / "Tide_files").mkdir()
    (folder / "Tide_files" / "look.css").write_text(STYLE_SHEET)
    (folder / "Tide_files" / "a.png").write_bytes(PIXEL)
    (folder / "Tide_files" / "inner.html").write_text("<p>inside the frame")
    return file


def as_single_file(folder: Path) -> Path:
    data = base64.b64encode(PIXEL).decode()
    html = HTML.replace("http://cdn.example/a.png", f"data:image/png;base64,{data}")
    html = html.replace("<link rel=stylesheet href='/look.css'>", f"<style>{STYLE_SHEET}</style>")
    html = html.replace("src=inner.html", 'srcdoc="&lt;p&gt;inside the frame"')
    marker = f"<html><!--\n Page saved with SingleFile \n url: {ADDRESS} \n saved date: x\n-->"
    file = folder / "single.html"
    file.write_text(html.replace("<title>", f"{marker}<title>"))
    return file


SAVED = {
    "MHTML": as_mhtml,
    "WARC": as_warc,
    "WACZ": as_wacz,
    "wget folder": as_wget,
    "complete page": as_complete,
    "SingleFile HTML": as_single_file,
}


@pytest.mark.web
@pytest.mark.parametrize("kind", SAVED)
def test_a_saved_page_is_rendered_with_its_style_sheet_image_and_frame(browser, tmp_path, kind):
    pages = read_saved(SAVED[kind](tmp_path)).pages
    page = next(each for each in pages if "inner" not in each.name)
    assert page.kind == kind
    if kind != "wget folder":  # its file names have no query and no scheme
        assert page.document.home == ADDRESS
    nodes = browser.capture(page.document).rendered()
    texts = {text.strip() for text in nodes.text}
    assert {"The tide came in.", "inside the frame"} <= texts
    paragraph = next(row for row in range(len(nodes)) if nodes.name_of(row) == "p")
    assert nodes.rect[paragraph, 2] == 321
    assert browser.run("[...document.images].every((image) => image.naturalWidth === 1)")
    assert browser.view.gate.missing == browser.view.gate.refused == 0


def test_every_html_record_of_an_archive_without_a_page_list_is_a_page(tmp_path):
    homes = {page.document.home for page in read_saved(as_warc(tmp_path)).pages}
    assert homes == {ADDRESS, "http://news.example/inner.html"}


def test_a_plain_html_file_is_a_page_without_an_address(tmp_path):
    file = tmp_path / "a.html"
    file.write_text("<p>plain")
    (page,) = read_saved(file).pages
    assert (page.kind, page.document.home) == ("HTML", "")


def test_a_file_of_another_format_is_refused_with_the_expected_formats(tmp_path):
    file = tmp_path / "a.pdf"
    file.write_bytes(b"%PDF-1.4")
    with pytest.raises(InputError, match=r"is not a saved page: expected .*MHTML"):
        read_saved(file)


@pytest.mark.parametrize("make", [as_mhtml, as_warc])
def test_a_truncated_file_is_reported_as_a_problem(tmp_path, make):
    file = make(tmp_path)
    data = file.read_bytes()
    file.write_bytes(data[: len(data) * 3 // 4])
    pages = read_saved(file).pages
    assert any("too early" in message or "to its end" in message for message in pages[0].problems)


@pytest.mark.parametrize("make", [as_mhtml, as_warc, as_wacz])
def test_garbage_named_as_an_archive_is_refused(tmp_path, make):
    file = make(tmp_path)
    file.write_bytes(b"\0rubbish" * 50)
    with pytest.raises(InputError):
        read_saved(file)


def test_a_zip_that_unpacks_to_more_than_the_limit_is_refused(tmp_path):
    file = tmp_path / "page.zip"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("index.html", HTML.encode() + bytes(MAX_BYTES))
    with pytest.raises(InputError, match=r"without a page: .* index\.html in .* larger than 64 MB"):
        read_saved(file)


def test_a_page_opens_below_a_folder_with_an_archive_that_may_not_be_read(open_folder):
    as_warc(open_folder).chmod(0)
    page = open_folder / "below" / "page.html"
    page.parent.mkdir()
    page.write_text("<p>The tide came in.")
    with as_nobody():
        assert page_at(str(page)).document().read() == b"<p>The tide came in."


@pytest.mark.web
def test_import_freezes_a_page_and_lists_it_in_the_workspace(tmp_path, browser, capsys):
    file, marks = as_mhtml(tmp_path), tmp_path / "anna.pagelet"
    assert main(["import", str(file), "--workspace", str(marks)]) == 0
    output = capsys.readouterr().out
    assert "MHTML" in output
    assert "identical" in output
    (frozen,) = (tmp_path / "anna.pages").glob("*.wacz")
    assert FrozenFile(frozen).manifest["address"] == ADDRESS
    with Workspace.open(marks) as workspace:
        assert [entry.key for entry in workspace.pages()] == [str(frozen)]


def test_import_without_an_output_names_the_missing_option(tmp_path, capsys):
    assert main(["import", str(as_mhtml(tmp_path))]) == 2
    assert "--out" in capsys.readouterr().err
