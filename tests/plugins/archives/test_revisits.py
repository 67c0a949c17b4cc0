"""Revisits are rows of the page they refer to, in any archive; those without one are counted."""

import zipfile

import pytest

from tests.annotate.extract.test_revisits import HOME, Archive, account_of, extracted
from tests.plugins.archives.warc_files import STORIES, page

DIGEST = "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"


def story(language="en"):
    return page(language).encode()


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


@pytest.mark.parametrize(
    "form",
    [
        "two files",
        *(
            pytest.param(each, marks=pytest.mark.slow)
            for each in ("a folder", "a WACZ", "one file")
        ),
    ],
)
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
