"""Damaged, hostile and huge packages: one sentence, little memory, one reading of the directory."""

import json
import struct
import tracemalloc
import zipfile

import pytest

from annotate.archives.members import member_names, read_member
from annotate.datasets.opening import open_document, open_pages
from annotate.datasets.readers import read_dataset
from engine.errors import InputError
from gui.cli.main import main
from tests.effort import effort

PAGE = "<title>Ferry</title><p>The ferry came back.</p>"
GOLD = "The ferry came back."


def package(path, members=(("a.html", PAGE), ("a.txt", GOLD)), method=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, "w", method) as made:
        for name, content in members:
            made.writestr(name, content)
    return path


def patched(path, local, central, form, value):
    """Write a number into each member's header and directory entry."""
    data = bytearray(path.read_bytes())
    for mark, offset in ((b"PK\x03\x04", local), (b"PK\x01\x02", central)):
        at = data.find(mark)
        while at >= 0:
            struct.pack_into(form, data, at + offset, value)
            at = data.find(mark, at + 4)
    path.write_bytes(data)
    return path


def bad_lzma(path):
    package(path, method=zipfile.ZIP_LZMA)
    data = bytearray(path.read_bytes())
    start = data.find(b"a.html") + len("a.html") + 9  # behind the properties
    data[start : start + 12] = b"\xff" * 12
    path.write_bytes(data)
    return path


def cut_short(path):
    package(path)
    path.write_bytes(path.read_bytes()[:-30])
    return path


def with_index(index):
    return lambda path: package(path, [("a.html", PAGE), ("a.txt", GOLD), ("package.json", index)])


BROKEN = {
    "cut short": (cut_short, "is not a package of pages: it is no zip file"),
    "no zip": (
        lambda path: path.write_bytes(b"PK\x03\x04 no zip") and path,
        "not a package of pages",
    ),
    "bad LZMA": (bad_lzma, "a.html in .* is damaged: Corrupt input data"),
    "encrypted": (lambda path: patched(package(path), 6, 8, "<H", 1), "is encrypted: pack it"),
    "unknown method": (
        lambda path: patched(package(path), 8, 10, "<H", 97),
        "is packed in a way that cannot be read",
    ),
    "wrong checksum": (
        lambda path: patched(package(path), 14, 16, "<I", 7),
        "a.html in .* is damaged: Bad CRC-32",
    ),
    "control characters": (
        lambda path: package(path, [("a\n\x1b[31mred\r.html", PAGE)]),
        r"a\\n\\x1b\[31mred\\r.html is left out: its name has control characters",
    ),
    "deep index": (with_index("[" * 200_000), "package.json in .* is not a JSON object"),
    "number for names": (with_index('{"documents": 7}'), "documents is not a list of names"),
    "lists for names": (with_index('{"documents": [["a"]]}'), "documents is not a list of names"),
    "huge index": (with_index(" " * (17 << 20)), "package.json in .* is larger than 16 MB"),
    "bomb": (
        lambda path: package(path, [("a.html", b"\0" * (65 << 20))]),
        "a.html in .* is larger than 64 MB",
    ),
}


def read_all(path):
    for document in open_pages(path).documents:
        document.receive()


def assert_one_sentence(message):
    assert message.isprintable()
    assert len(message) < 400


@pytest.mark.parametrize("kind", BROKEN)
def test_an_unreadable_package_is_reported_in_one_sentence(kind, tmp_path, capfd):
    make, expected = BROKEN[kind]
    path = make(tmp_path / "p.zip")
    with pytest.raises(InputError, match=expected) as raised:
        read_all(path)
    assert_one_sentence(str(raised.value))
    assert main(["extract", "bte", str(path)]) == 2
    stderr = capfd.readouterr().err
    assert stderr.count("\n") == 1
    assert_one_sentence(stderr.removesuffix("\n"))


def test_a_page_with_too_deep_or_too_large_metadata_is_read_with_a_warning(tmp_path):
    for content, expected in (
        ("[" * 1_000_000, "a.json is in an unknown format"),
        ('{"title": "' + "x" * (2 << 20) + '"}', "a.json in .* is larger than 1 MB"),
    ):
        path = package(tmp_path / "p.zip", [("a.html", PAGE), ("a.txt", GOLD), ("a.json", content)])
        opened = open_pages(path)
        assert opened.documents[0].read().decode() == PAGE
        (problem,) = opened.problems
        assert expected.partition(" in .* ")[2] in problem or expected in problem
        assert_one_sentence(problem)
        assert read_dataset(path).problems == opened.problems


def test_a_zip_bomb_is_refused_within_16_mb_of_memory(tmp_path):
    path = package(tmp_path / "p.zip", [("a.html", b"\0" * (200 << 20))])
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match="larger than 1 MB"):
            read_member(path, "a.html", 1 << 20)
        assert tracemalloc.get_traced_memory()[1] < 16 << 20
    finally:
        tracemalloc.stop()


def test_the_directory_of_a_package_is_read_once(tmp_path):
    members = [(f"{n}.html", PAGE) for n in range(3000)]
    small, large = package(tmp_path / "s.zip", members[:3]), package(tmp_path / "l.zip", members)
    for path in (small, large):
        read_member(path, "0.html")
    cost = [effort(lambda path=path: read_member(path, "2.html")) for path in (small, large)]
    assert cost[1] < 1.2 * cost[0]


def test_a_changed_package_is_read_again(tmp_path):
    path = package(tmp_path / "p.zip")
    assert member_names(path) == {"a.html", "a.txt"}
    package(path, [("b.html", PAGE), ("b.txt", GOLD), ("b.json", json.dumps({"title": "B"}))])
    (document,) = open_pages(path).documents
    assert (document.path, document.title) == ("b.html", "B")
    assert open_document(f"{path}!/b").read().decode() == PAGE


SAMPLES = {
    "badlzma.zip": "is damaged",
    "control-name.zip": "control characters",
    "encrypted.zip": "is encrypted",
    "index-deep.zip": "is not a JSON object",
    "index-docs-int.zip": "is not a list of names",
    "index-docs-nested.zip": "is not a list of names",
    "method97.zip": "cannot be read",
}


@pytest.mark.data
@pytest.mark.parametrize("name", SAMPLES)
def test_hostile_samples_are_reported_in_one_sentence(name, datasets, capfd):
    path = datasets.parent / "hostile" / name
    if not path.is_file():
        pytest.skip(f"no sample {name} beside the data sets")
    assert main(["extract", "bte", str(path)]) == 2
    stderr = capfd.readouterr().err
    assert SAMPLES[name] in stderr
    assert_one_sentence(stderr.removesuffix("\n"))


@pytest.mark.data
def test_the_hostile_sample_with_deep_metadata_is_read(datasets, capfd, caplog):
    path = datasets.parent / "hostile" / "meta-deep.zip"
    if not path.is_file():
        pytest.skip("no sample meta-deep.zip beside the data sets")
    assert main(["extract", "bte", str(path)]) == 0
    assert "story" in capfd.readouterr().out
    assert "a.json is in an unknown format" in caplog.text
