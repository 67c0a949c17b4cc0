"""Folders written by browsers, wget and HTTrack: pages, frames and error pages are separated."""

import json

import pytest

from annotate.datasets.opening import open_pages
from annotate.datasets.saved_pages import read_saved
from gui.cli.main import main
from tests.annotate.archives.frozen.pages import PIXEL

PAGE = "<!doctype html><title>Tea</title><h1>Tea</h1><p>Tea is hot and green. {} end</p>"
ERROR = "<!DOCTYPE html><html><head><title>Oops</title></head><body>Nothing is here</body></html>"
IN_PLACE = "error page in place of a picture, style sheet or script"


def write(folder, files):
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def mirror(folder):
    asks = "<link rel=stylesheet href='look.css'><img src=logo.png><img src='../pics/b.png.html'>"
    return write(folder / "mirror", {
        "index.html": "<html><title>Local index - HTTrack Website Copier</title><a href=a>a</a>",
        "hts-log.txt": "HTTrack3.49", "hts-cache/readme.txt": "x", "fade.gif": PIXEL,
        "tea.example/index.html": PAGE.format(asks),
        "tea.example/logo.png": ERROR, "tea.example/look.css": ERROR, "tea.example/a@2x.png": PIXEL,
        "tea.example/story.php?id=3": PAGE.format("story"),
        "tea.example/story.html.orig": PAGE.format("before wget's -k"),
        "tea.example/green/tea": PAGE.format("without a suffix"),
        "tea.example/app.js": "<!-- hidden from old browsers\nx = '<html>'",
        "pics/b.png.html": ERROR, "tea.example/moved.html":
            "<html><meta http-equiv=Refresh content='0; url=index.html'><title>Page has moved",
    })  # fmt: skip


PASSED = {IN_PLACE: 3, "HTTrack's own list of sites": 1, "redirect to another page": 1}
HOMES = ["green/tea", "index.html", "story.php?id=3"]


def test_error_pages_saved_under_picture_names_are_left_out_and_counted(tmp_path):
    found = read_saved(mirror(tmp_path))
    assert sorted(each.home for each in found.documents) == [
        f"https://tea.example/{name}" for name in HOMES
    ]
    assert found.account.passed == PASSED
    assert (found.account.found, found.account.taken) == (8, 3)
    opened = open_pages(tmp_path / "mirror")
    assert {each.home for each in opened.documents} == {each.home for each in found.documents}
    assert f"3 passed over: {IN_PLACE}" in opened.problems[0]


def test_gallery_pages_named_like_their_pictures_are_kept(tmp_path):
    page = PAGE.format("<a href='File:Tea.png.html'><img src='Tea.png'></a>")
    names = {"index.html": page, "File:Tea.png.html": PAGE.format("x"), "Tea.png": PIXEL}
    found = read_saved(write(tmp_path / "m", {f"wiki.example/{n}": x for n, x in names.items()}))
    assert (found.account.taken, found.account.passed.total()) == (2, 0)


def complete(folder, ending="_files"):
    """Write a page as Chrome saves it, with all nested frames in one folder."""
    parts = f"Tea{ending}"
    return write(folder / "in", {
        "Tea.html": PAGE.format(f"<iframe src='./{parts}/saved_resource.html'></iframe>"),
        f"{parts}/saved_resource.html": "<p>outer<iframe src='saved_resource(1).html'></iframe>",
        f"{parts}/saved_resource(1).html": "<p>inner<iframe src='deep/frame.html'></iframe>",
        f"{parts}/deep/frame.html": "<p>innermost", f"{parts}/a.png": PIXEL,
    })  # fmt: skip


@pytest.mark.web
def test_frames_of_frames_of_a_complete_page_are_shown_and_are_no_pages(tmp_path, browser):
    folder = complete(tmp_path)
    (document,) = open_pages(folder).documents
    for each in (document, read_saved(folder / "Tea.html").documents[0]):
        texts = {text.strip() for text in browser.capture(each).rendered().text}
        assert {"outer", "inner", "innermost"} <= texts


@pytest.mark.parametrize("ending", ["_files", "-Dateien", "_fichiers", ".files", "_soubory"])
def test_extract_of_a_folder_counts_frames_and_gives_them_no_rows(tmp_path, ending, capsys):
    folder, out = complete(tmp_path, ending), tmp_path / "out"
    assert [each.path for each in open_pages(folder).documents] == ["Tea.html"]
    options = ["--in", str(folder), "--out", str(out), "--format", "jsonl", "--json"]
    assert main(["extract", "plain", *options]) == 0
    account = json.loads(capsys.readouterr().out)["account"]
    assert account["found"] == 4
    assert account["passed over"] == {"frame of a saved page": 3}


def test_a_folder_named_like_saved_parts_keeps_its_pages(tmp_path):
    folder = write(tmp_path / "in", {"index.html": PAGE, "tax_files/a.html": PAGE})
    assert len(open_pages(folder).documents) == 2
