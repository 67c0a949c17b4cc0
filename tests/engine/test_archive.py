"""Test files of saved pages."""

import io
import json
import zipfile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.archive import pack, read_page, unpack, write_page
from engine.errors import InputError
from engine.nodes import STYLE_PROPERTIES, NodeTable
from engine.page import Page
from engine.source import Source

TEXTS = st.text(st.characters(codec="utf-8"), max_size=20)


def table(texts):
    """Return a table of a root with these texts below it."""
    n = len(texts) + 1
    span = np.arange(2 * n, dtype=np.int32).reshape(n, 2)
    return NodeTable(
        names=("html", "#text"),
        tag=np.array([0] + [1] * (n - 1), dtype=np.int32),
        parent=np.array([-1] + [0] * (n - 1), dtype=np.int32),
        text=("", *texts),
        rect=np.linspace(0, 1, 4 * n, dtype=np.float32).reshape(n, 4),
        offset=span.copy(),
        visible=np.arange(n) % 2 == 0,
        style=np.zeros(n, dtype=np.int32),
        styles=(("x",) * len(STYLE_PROPERTIES),),
        attributes=({"class": "a b", "data-ü": "\u2028"}, *({} for _ in texts)),
        frame=np.zeros(n, dtype=np.int16),
        outer=span.copy(),
        inner=span.copy(),
        width=1366,
        height=9000,
    )


def assert_same(a, b):
    assert (a.url, a.viewport, a.title, a.notes) == (b.url, b.viewport, b.title, b.notes)
    assert a.digest == b.digest
    for x, y in ((a.original, b.original), (a.dom, b.dom)):
        assert (x is None) == (y is None)
        if x is not None:
            assert (x.html, x.data, x.encoding) == (y.html, y.data, y.encoding)
    assert (a.nodes is None) == (b.nodes is None)
    if a.nodes is not None:
        for name in vars(a.nodes):
            x, y = getattr(a.nodes, name), getattr(b.nodes, name)
            if isinstance(x, np.ndarray):
                assert x.dtype == y.dtype
                np.testing.assert_array_equal(x, y)
            else:
                assert x == y, name


@given(st.lists(TEXTS, max_size=5), TEXTS, st.binary(max_size=40))
def test_packed_pages_are_unpacked_unchanged(texts, title, data):
    page = Page(
        url="https://example.org/ü",
        original=Source.from_bytes(data),
        dom=Source.from_text(title),
        nodes=table(texts),
        viewport=(1024, 768),
        title=title,
        notes=("timed out",),
    )
    assert_same(unpack(pack(page)), page)


def test_a_page_that_was_not_rendered_is_read_back_unchanged(tmp_path):
    page = Page(url="-", original=Source.from_text("<p>only text, never bytes"))
    write_page(tmp_path / "a.page", page)
    assert_same(read_page(tmp_path / "a.page"), page)


def test_the_declared_encoding_is_kept(tmp_path):
    page = Page(url="-", original=Source.from_bytes("<p>Straße".encode("latin-1"), "iso-8859-2"))
    assert unpack(pack(page)).original.encoding == "iso-8859-2"


def test_the_same_page_gives_the_same_bytes():
    page = Page(url="-", nodes=table(["a"]))
    assert pack(page) == pack(page)


def test_a_newer_format_is_refused_with_both_versions(tmp_path):
    file = tmp_path / "new.page"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("page.json", json.dumps({"format": "pagelet-page", "version": 99}))
    with pytest.raises(InputError, match=r"has format 99, this Pagelet reads up to 1"):
        read_page(file)


@pytest.mark.parametrize("cut", [0, 1, 100, 500, -1])
def test_a_damaged_file_is_refused(cut):
    whole = pack(Page(url="-", nodes=table(["a", "b"])))
    with pytest.raises(InputError, match="the file is not a page saved by Pagelet"):
        unpack(whole[:cut])


def test_a_zip_that_is_not_a_page_is_refused(tmp_path):
    file = tmp_path / "other.zip"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("page.json", "[]")
    with pytest.raises(InputError, match=r"other\.zip is not a page"):
        read_page(file)


def test_a_write_to_a_missing_folder_is_refused_and_creates_nothing(tmp_path):
    folder = tmp_path / "missing"
    with pytest.raises(InputError, match="cannot write"):
        write_page(folder / "a.page", Page(url="-"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("missing", [1, 2])
def test_a_page_saved_before_a_property_was_asked_for_has_it_empty(missing, tmp_path):
    names = STYLE_PROPERTIES[: len(STYLE_PROPERTIES) - missing]
    with zipfile.ZipFile(io.BytesIO(pack(Page(url="-", nodes=table(["a"]))))) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    about = json.loads(members["page.json"])
    about["nodes"] |= {"properties": names, "styles": [["x"] * len(names)]}
    members["page.json"] = json.dumps(about).encode()
    with zipfile.ZipFile(tmp_path / "old.page", "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    nodes = read_page(tmp_path / "old.page").nodes
    assert nodes.styles == ((*("x",) * len(names), *("",) * missing),)
