"""Descriptions of files and folders: by content, never by name alone, and short."""

import gzip
import io
import json
import os
import sqlite3
import struct
import sys
import time
import zipfile
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotate.datasets.looking.inspection import MOST_BYTES, look_into
from annotate.evaluation.store.rows import ROW_COLUMNS
from annotate.marks import gold_file
from annotate.workspace.workspace import Workspace
from gui.cli.main import main
from tests.outside import datasets_folder

PAGE = "<!doctype html><title>Tea</title><p>Tea is hot.</p>"
ANNOTATION = {"@context": "http://www.w3.org/ns/anno.jsonld", "type": "Annotation",
              "target": {"source": "p.html"}}  # fmt: skip
HTML_ENTRY = {
    "request": {"url": "https://a.example/"},
    "response": {"status": 200, "content": {"mimeType": "text/html", "text": "<p>Tea"}},
}
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>Tea</p>"
WARC = b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/%d\r\n" + (
    b"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%b\r\n\r\n"
    % (len(ANSWER), ANSWER)
)
ARC = (
    b"filedesc://a.arc 0.0.0.0 20200101000000 text/plain 8\n1 0 A\n\n\n"
    b"http://a.example/ 1.2.3.4 20200101000000 text/html %d\n%b\n" % (len(ANSWER), ANSWER)
)


def png(width, height):
    chunk = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + chunk + struct.pack(">I", zlib.crc32(chunk))
    )


def zipped(*names):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as package:
        for name in names:
            package.writestr(name, PAGE)
    return file.getvalue()


def lines(*values):
    return "\n".join(map(json.dumps, values)) + "\n"


FILES = {
    "page called .txt": ("a.txt", PAGE, "page", "a page"),
    "page after a comment": ("a", f"<!-- saved -->\n{PAGE}", "page", "a page"),
    "page behind a warning": ("a.php", f"Warning: x\n{PAGE}", "page", "a page"),
    "page in UTF-16": ("a.page", PAGE.encode("utf-16"), "page", "a page"),
    "XHTML": ("a.xml", '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>',
              "page", "a page"),
    "picture called .html": ("a.html", png(800, 600), "unknown", "a picture (PNG, 800 × 600)"),
    "PDF called .htm": ("a.htm", b"%PDF-1.7\n\x00", "unknown", "a PDF"),
    "JSON called .html": ("a.html", '[{"a": 1, "b": 2}]', "unknown", "a list of 1 object"),
    "text": ("a.txt", "Tea is hot, a<b.", "unknown", "text without markup (4 words)"),
    "code with tags": ("a.js", 'x = "<p>Tea</p><div></div><html>"', "unknown", "text without"),
    "empty": ("a.html", "", "unknown", "an empty file"),
    "bytes": ("a.html", bytes(range(256)) * 9, "unknown", "a binary file"),
    "list": ("a.json", json.dumps([{"a": 1, "b": 2}] * 40), "unknown",
             "JSON: a list of 40 objects with the keys a and b"),
    "feed": ("a.xml", "<rss><channel><item/><item/></channel></rss>", "unknown", "2 entries"),
    "EPUB": ("a.zip", zipped("META-INF/container.xml", "a.xhtml"), "unknown", "a book (EPUB)"),
    "zip": ("a.zip", zipped(*"abc"), "unknown", "a zip with 3 files, none a page"),
    "COCO": ("a.txt", '{"images": [{}], "annotations": [{"image_id": 0}]}', "annotations",
             "COCO with 1 picture, 1 mark"),
    "Label Studio": ("a.json", '[{"data": {}, "annotations": [{"result": [{}, {}]}]}]',
                     "annotations", "Label Studio with 1 task, 2 marks"),
    "labelme": ("a.json", '{"shapes": [{}], "imagePath": "a.png"}', "annotations", "labelme"),
    "VIA": ("a.json", '{"a.png1": {"filename": "a.png", "regions": [{}]}}', "annotations", "VIA"),
    "Hypothesis": ("a.json", '{"total": 1, "rows": [{"uri": "u", "user": "a", "target": []}]}',
                   "annotations", "Hypothesis with 1 page, 1 mark"),
    "Web Annotation": ("a.json", json.dumps(ANNOTATION), "annotations", "W3C Web Annotation"),
    "in lines": ("a.jsonl", lines(ANNOTATION, ANNOTATION), "annotations", "2 marks"),
    "doccano": ("a.jsonl", lines({"text": "tea", "label": [[0, 3, "X"]]}),
                "annotations", "doccano with 1 text, 1 mark"),
    "CVAT": ("a.xml", "<annotations><meta/><image><box/><polygon/></image></annotations>",
             "annotations", "CVAT with 1 picture, 2 marks"),
    "UIMA": ("a.xmi", '<?xml version="1.0"?><xmi:XMI xmlns:cas="http:///uima/cas.ecore"/>',
             "annotations", "UIMA"),
    "WebAnno": ("a.tsv", "#FORMAT=WebAnno TSV 3.3\n\n1-1\t0-3\tTea\t_\n", "annotations", "WebAnno"),
    "brat": ("a.ann", "T1\tDish 0 3\tTea\nR1\tOf Arg1:T1 Arg2:T1\n", "annotations", "brat"),
    "YOLO": ("a.txt", "0 0.5 0.5 0.2 0.1\n3 0.1 0.2 0.05 1\n", "annotations", "YOLO with 2 marks"),
    "Pascal VOC": ("a.xml", "<annotation><object></object></annotation>", "annotations", "Pascal"),
    "gold": ("a.json", json.dumps({"format": gold_file.FORMAT, "marks": []}), "annotations",
             "the gold of a page"),
    "baseline": ("a.json", json.dumps({"format": "pagelet-gate", "pages": {"a": 1}}), "baseline",
                 "gate"),
    "addresses": ("a.md", "# tea\nhttps://a.example/\n\nhttp://b.example/?x=1\n", "addresses",
                  "a list of addresses with 2 addresses"),
    "addresses in a table": ("a.csv", "title,url\nTea,https://a.example/\n", "addresses", "url"),
    "site map": ("a.xml", "<urlset><url><loc>https://a.example/</loc></url></urlset>",
                 "addresses", "a site map with 1 address"),
    "scores": ("a.csv", ",".join(ROW_COLUMNS) + "\n", "results", "scores"),
    "method": ("a.txt", "from algorithms import x\nMETHOD = x.Method()\n", "method file", "method"),
    "WARC": ("a.bin", WARC % 1, "web archive", "a web archive (WARC) with 1 page, 1 record"),
    "packed WARC": ("a", gzip.compress(WARC % 1) + gzip.compress(WARC % 2), "web archive",
                    "2 pages, 2 records"),
    "ARC": ("a.arc", ARC, "web archive", "a web archive (ARC) with 1 page"),
    "packed text": ("a.gz", gzip.compress(b"tea"), "unknown", "gzip, in it text without markup"),
    "WACZ": ("a.zip", zipped("datapackage.json", "archive/data.warc.gz"), "web archive", "WACZ"),
    "HAR": ("a.json", json.dumps({"log": {"entries": [HTML_ENTRY]}}), "saved page",
            "HAR) with 1 page, 1 request"),
    "Safari": ("a.webarchive", b"bplist00\xd1_\x10\x0fWebMainResource", "saved page", "Safari"),
    "MHTML": ("a", "MIME-Version: 1.0\nContent-Type: multipart/related; boundary=x\n\n--x",
              "saved page", "MHTML"),
    "mail": ("a.eml", "From: a@b.example\nTo: c@d.example\nSubject: Tea\n\nHot.", "unknown",
             "an e-mail"),
    "model": ("a.npz", zipped("head.npy", "weights.npy"), "model", "a model of pagelet train"),
}  # fmt: skip


@pytest.mark.parametrize("case", FILES)
def test_the_kind_of_a_file_is_detected_from_its_content(tmp_path, case):
    name, content, kind, said = FILES[case]
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    found = look_into(path)
    assert (found.kind, said in found.description) == (kind, True), found.description
    assert json.loads(json.dumps(found.as_json()))["kind"] == kind


def test_the_kind_of_a_folder_is_detected_from_its_files(tmp_path):
    def folder(name, *files, text=PAGE):
        for file in files:
            (tmp_path / name / file).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name / file).write_text(text)
        return look_into(tmp_path / name)

    assert folder("a", "x.html", "deep/y.htm", "z.css").counts == {"page": 2}
    assert folder("team", "log.pagelet-log").kind == "team folder"
    assert folder("run", "scores.csv").kind == "results"
    assert folder("crawl", "x.warc.gz").title == "a folder of web archives"
    assert folder("css", "x.css", "y.css").title == "a folder with 2 files, none a page (2 .css)"
    found = folder("labels", "a.json", "b.json", text='{"shapes": [], "imagePath": "a.png"}')
    assert (found.kind, found.key, found.counts) == (
        "annotations",
        "labelme",
        {"file": 2, "mark": 0},
    )


def test_a_workspace_is_distinguished_from_another_database(tmp_path):
    Workspace.open(tmp_path / "a.pagelet").close()
    assert look_into(tmp_path / "a.pagelet").kind == "workspace"
    db = sqlite3.connect(tmp_path / "b.pagelet")
    db.execute("CREATE TABLE tea (hot)")
    db.commit()
    db.close()
    assert look_into(tmp_path / "b.pagelet").title == "an SQLite database, not a workspace"


@pytest.mark.skipif(sys.platform == "win32", reason="pipes")
def test_pipes_devices_and_unreadable_paths_are_named(tmp_path):
    os.mkfifo(tmp_path / "pipe.html")
    assert look_into(tmp_path / "pipe.html").title == "a pipe, not a file"
    assert look_into("/dev/zero").title == "a device, not a file"
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for path in (tmp_path / "loop", tmp_path / "nowhere", "x" * 5000, "a\0b"):
        assert look_into(path).title.startswith("something that cannot be read (")


def test_truncated_packed_files_are_reported_and_cannot_be_opened(tmp_path):
    page = zipped("a.html")
    for name, data, kind in (
        ("a.zip", page[: len(page) // 2], "a zip without its end: it is cut short or damaged"),
        (
            "a.gz",
            gzip.compress(os.urandom(9000))[:4000],
            "a file packed with gzip; it is cut short",
        ),
        ("a.warc.zst", b"\x28\xb5\x2f\xfd" + bytes(50), "cannot be read to its end"),
    ):
        (tmp_path / name).write_bytes(data)
        found = look_into(tmp_path / name)
        assert kind in " ".join((found.title, *found.loses))
        assert not found.is_openable


def test_huge_or_deep_json_is_described_quickly(tmp_path):
    path = tmp_path / "big.json"
    path.write_bytes(b'{"images": [' + b" " * 2 * MOST_BYTES)
    with path.open("r+b") as file:
        file.truncate(2**40)
    before = time.perf_counter()
    assert "too large" in look_into(path).title
    assert time.perf_counter() - before < 5
    deep = tmp_path / "deep.json"
    deep.write_text("[" * 100_000)
    assert look_into(deep).title == "JSON and damaged"


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_damaged_files_are_named_and_raise_nothing(data, tmp_path_factory):
    name, content, _, _ = FILES[data.draw(st.sampled_from(sorted(FILES)))]
    whole = content if isinstance(content, bytes) else content.encode()
    at = data.draw(st.integers(0, len(whole)))
    path = tmp_path_factory.mktemp("damaged") / name
    path.write_bytes(whole[:at] + data.draw(st.binary(max_size=8)) + whole[at + 3 :])
    assert look_into(path).title


def test_the_command_prints_what_a_file_is_and_opens_nothing(tmp_path, capsys):
    path = tmp_path / "tasks.json"
    path.write_text('[{"data": {}, "annotations": []}]')
    assert main(["open", "--look", str(path)]) == 0
    said = capsys.readouterr().out.splitlines()
    assert (
        said[0] == "tasks.json holds annotations of Label Studio with 1 task, 1 mark"
    )  # as the import counts
    assert f"pagelet import {path} --format label-studio" in said[1]
    assert main(["open", "--look", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["format"] == "label-studio"
    path.write_text("Tea is hot.")
    assert main(["open", "--look", str(path)]) == 1
    assert capsys.readouterr().out == "tasks.json is text without markup (3 words)\n"


def test_test_files_of_other_projects_are_not_taken_for_pages():
    folder = datasets_folder().parent / "suites"
    if not folder.is_dir():
        pytest.skip("no files of other projects: set PAGELET_DATA to a folder beside suites")
    suites = ("webannotation", "label-studio", "labelme")
    for path in (each for name in suites for each in (folder / name).rglob("*") if each.is_file()):
        found = look_into(path)
        assert found.kind != "page", found.description
        assert "incorrect" in path.parts or found.kind != "unknown" or path.suffix == ".md"
