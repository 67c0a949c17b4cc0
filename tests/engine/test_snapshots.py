"""Snapshots: found again as long as nothing has changed that a page may depend on."""

from pathlib import Path

import numpy as np
import pytest

from engine.document import open_document
from engine.errors import InputError
from engine.page import Page
from engine.snapshots import Snapshots, default_folder
from engine.source import Source


@pytest.fixture
def site(tmp_path):
    """A folder with a page and its style sheet."""

    def make(name, *, html="<p>hello", style="p {color: red}"):
        folder = tmp_path / name / "site"
        folder.mkdir(parents=True)
        (folder / "page.html").write_text(html)
        (folder / "style.css").write_text(style)
        return open_document(folder / "page.html")

    return make


def page_of(document):
    return Page(document.address, Source.from_bytes(document.read()), title="kept")


def test_a_page_is_found_as_it_was_kept(site, tmp_path):
    snapshots, document = Snapshots(tmp_path / "kept", "engine 1"), site("one")
    assert snapshots.find(document) is None
    snapshots.keep(document, page_of(document))
    found = Snapshots(tmp_path / "kept", "engine 1").find(document)
    assert found.title == "kept"
    assert found.original.html == "<p>hello"


def test_the_same_bytes_elsewhere_are_the_same_page(site, tmp_path):
    snapshots = Snapshots(tmp_path / "kept", "engine 1")
    assert snapshots.path(site("one")) == snapshots.path(site("two"))


def test_whatever_may_change_the_rendering_makes_another_page(site, tmp_path):
    snapshots = Snapshots(tmp_path / "kept", "engine 1")
    document = site("one")
    path = Path(document.address)
    paths = [
        snapshots.path(document),
        Snapshots(tmp_path / "kept", "engine 2").path(document),
        snapshots.path(site("html", html="<p>bye")),
        snapshots.path(site("style", style="p {color: blue}")),
        snapshots.path(open_document(path, viewport=(500, 500))),
        snapshots.path(open_document(path, scripts=False)),
    ]
    assert len(set(paths)) == len(paths)


def test_a_damaged_snapshot_is_none(site, tmp_path):
    snapshots, document = Snapshots(tmp_path / "kept", "engine 1"), site("one")
    snapshots.keep(document, page_of(document))
    path = snapshots.path(document)
    path.write_bytes(path.read_bytes()[:100])
    assert snapshots.find(document) is None


def masks_of(*shape):
    """Two masks of pixels drawn by lot."""
    chance = np.random.default_rng(1)
    return {name: chance.random(shape) < 0.1 for name in ("fine", "coarse")}


def test_edges_are_found_as_they_were_kept(site, tmp_path):
    snapshots, document = Snapshots(tmp_path / "kept", "engine 1"), site("one")
    masks = masks_of(37, 101)
    assert snapshots.find_edges(document) is None
    snapshots.keep_edges(document, masks)
    found = Snapshots(tmp_path / "kept", "engine 1").find_edges(document)
    assert list(found) == ["fine", "coarse"]
    assert all(np.array_equal(found[name], masks[name]) for name in masks)
    assert snapshots.find(document) is None
    assert Snapshots(tmp_path / "kept", "engine 2").find_edges(document) is None


def test_damaged_edges_are_none(site, tmp_path):
    snapshots, document = Snapshots(tmp_path / "kept", "engine 1"), site("one")
    snapshots.keep_edges(document, masks_of(50, 50))
    (path,) = (tmp_path / "kept").rglob("*.edges")
    path.write_bytes(path.read_bytes()[:-20])
    assert snapshots.find_edges(document) is None


def test_edges_that_cannot_be_kept_are_said(site, tmp_path):
    (tmp_path / "kept").write_text("a file where the folder should be")
    with pytest.raises(InputError, match="cannot write to"):
        Snapshots(tmp_path / "kept", "engine 1").keep_edges(site("one"), masks_of(5, 5))


def test_the_default_folder_is_where_the_system_keeps_such_things(monkeypatch, tmp_path):
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_folder() == tmp_path / "pagelet" / "snapshots"
