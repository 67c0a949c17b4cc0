"""Revisits are rows of the page they refer to, in any archive; those without one are counted."""

import io
import json
import zipfile

import pytest
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from gui.cli.main import main
from tests.plugins.archives.warc_files import STORIES, page

HOME = "https://tea.example"
DIGEST = "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"


class Archive:
    """Write records with warcio, as many crawlers do."""

    def __init__(self, *, packed=True, version="1.1"):
        self.file = io.BytesIO()
        self.writer = WARCWriter(self.file, gzip=packed, warc_version=version)

    def add(self, path, body, kind="text/html", status="200 OK", of="response", **fields):
        head = StatusAndHeaders(status, [("Content-Type", kind)] if kind else [], "HTTP/1.1")
        about = {name.replace("_", "-"): value for name, value in fields.items()}
        record = self.writer.create_warc_record(
            f"{HOME}/{path}", of, io.BytesIO(body), len(body), http_headers=
            head if of == "response" else None, warc_headers_dict=about,
            warc_content_type="" if of == "response" else kind,
        )  # fmt: skip
        self.writer.write_record(record)
        return record.rec_headers.get_header("WARC-Record-ID")

    def revisit(self, path, digest, kind="text/html", original="", date="", **fields):
        head = StatusAndHeaders("200 OK", [("Content-Type", kind)], "HTTP/1.1")
        about = {name.replace("_", "-"): value for name, value in fields.items()}
        record = self.writer.create_revisit_record(
            f"{HOME}/{path}", digest, f"{HOME}/{original}" if original else "", date,
            http_headers=head, warc_headers_dict=about,
        )  # fmt: skip
        self.writer.write_record(record)


def story(language="en"):
    return page(language).encode()


def extracted(out, *sources):
    options = ["--out", str(out), "--format", "jsonl", "--beside", "none", "--json"]
    status = main(["extract", "plain", "--in", *map(str, sources), *options])
    lines = [line for file in sorted(out.glob("shard-*")) for line in file.read_text().splitlines()]
    return status, [json.loads(line) for line in lines]


def account_of(capsys):
    account = json.loads(capsys.readouterr().out)["account"]
    assert account["taken"] + sum(account["passed over"].values()) == account["found"]
    return account


@pytest.fixture
def pair():
    """Return two archives: pages, and later revisits of them."""
    first, second = Archive(), Archive(version="1.0")
    first.add("a", story(), WARC_Payload_Digest=DIGEST)
    name = first.add("b", story("de"))
    first.add("c.png", b"\x89PNG", "image/png", WARC_Payload_Digest="sha1:PNG")
    second.revisit("copy", DIGEST)
    second.revisit("b", "sha1:OTHER", WARC_Refers_To=name)
    second.revisit("b2", "sha1:OTHER", original="b", date="2020-01-01T00:00:00Z")
    second.revisit("c2.png", "sha1:PNG", "image/png")
    second.revisit("lost", "sha1:LOST")
    return first.file.getvalue(), second.file.getvalue()


PASSED = {
    "not HTML": 1,
    "revisit of what is not HTML": 1,
    "revisit of a record that is in no archive given": 1,
}


@pytest.mark.parametrize("form", ["two files", "a folder", "a WACZ", "one file"])
def test_revisits_are_resolved_across_all_archives_given(tmp_path, pair, form, capsys):
    there = tmp_path / "in"
    there.mkdir()
    names = ("b.warc.gz", "a.warc.gz")  # the revisits are read first
    if form == "a WACZ":
        sources = [there / "a.wacz"]
        with zipfile.ZipFile(sources[0], "w") as package:
            package.writestr("datapackage.json", "{}")
            for name, data in zip(names, pair, strict=True):
                package.writestr(f"archive/{name}", data)
    elif form == "one file":
        sources = [there / "a.warc.gz"]
        sources[0].write_bytes(b"".join(pair))
    else:
        for name, data in zip(names, pair, strict=True):
            (there / name).write_bytes(data)
        sources = [there] if form == "a folder" else [there / name for name in names]
    status, rows = extracted(tmp_path / "out", *sources)
    assert status == 0
    texts = {row["address"].removeprefix(f"{HOME}/"): row["text"] for row in rows}
    assert set(texts) == {"a", "b", "copy", "b2"}
    assert len(rows) == 5
    assert STORIES["en"][:40] in texts["copy"]
    assert STORIES["de"][:40] in texts["b2"]
    account = account_of(capsys)
    assert (account["found"], account["taken"]) == (8, 5)
    assert account["passed over"] == PASSED
    status, again = extracted(tmp_path / "out", *sources)  # the manifest is enough to resume
    assert [row["text"] for row in again] == [row["text"] for row in rows]


def test_conversions_are_pages_only_if_their_original_is_missing(tmp_path, capsys):
    archive = Archive(packed=False)
    name = archive.add("a", story())
    archive.add("a", b"<p>other form", of="conversion", WARC_Refers_To=name)
    archive.add("b", story("de"), of="conversion")
    archive.add("c", b"plain words", "text/plain", of="conversion")
    archive.add("d", story("fr"), of="resource")
    archive.add("e", b"<!doctype html>" + story("fr"), "")
    archive.add("f", b"GIF89a", "")
    path = tmp_path / "a.warc"
    path.write_bytes(archive.file.getvalue())
    status, rows = extracted(tmp_path / "out", path)
    assert status == 0
    assert sorted(row["address"].removeprefix(f"{HOME}/") for row in rows) == ["a", "b", "d", "e"]
    assert account_of(capsys)["passed over"] == {
        "conversion of another record": 1, "conversion that is not HTML": 1, "not HTML": 1,
    }  # fmt: skip


def test_an_archive_with_only_revisits_exits_with_1_and_reports_them(tmp_path, capsys):
    archive = Archive()
    archive.revisit("a", "sha1:LOST")
    path = tmp_path / "a.warc.gz"
    path.write_bytes(archive.file.getvalue())
    status, rows = extracted(tmp_path / "out", path)
    assert (status, rows) == (1, [])
    reason = "revisit of a record that is in no archive given"
    assert account_of(capsys)["passed over"] == {reason: 1}
