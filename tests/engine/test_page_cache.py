"""Test that snapshots are found until anything a page may depend on has changed."""

import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from annotate.datasets.opening import open_document
from engine.errors import InputError
from engine.page import Page
from engine.page_cache import (
    MOST_DAYS,
    Capacity,
    Snapshots,
    _folder_digest,
    default_folder,
    room,
    tidy,
)
from engine.source import Source
from gui.cli import doctor


@pytest.fixture
def site(tmp_path):
    """Return a function that opens a page in a new folder with its style sheet."""

    def make(name, *, html="<p>hello", style="p {color: red}"):
        folder = tmp_path / name / "site"
        folder.mkdir(parents=True)
        (folder / "page.html").write_text(html)
        (folder / "style.css").write_text(style)
        return open_document(folder / "page.html")

    return make


def page_of(document):
    return Page(document.address, Source.from_bytes(document.read()), title="kept")


def test_a_kept_page_is_found_unchanged(site, tmp_path):
    snapshots, document = Snapshots(tmp_path / "kept", "engine 1"), site("one")
    assert snapshots.find(document) is None
    snapshots.keep(document, page_of(document))
    result = Snapshots(tmp_path / "kept", "engine 1").find(document)
    assert result.title == "kept"
    assert result.original.html == "<p>hello"


def test_equal_pages_in_two_folders_share_one_snapshot(site, tmp_path):
    snapshots = Snapshots(tmp_path / "kept", "engine 1")
    assert snapshots.path(site("one")) == snapshots.path(site("two"))


def test_anything_that_may_change_the_rendering_changes_the_path(site, tmp_path):
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


def test_a_film_of_gigabytes_beside_the_pages_is_not_read_for_a_path(tmp_path):
    with (tmp_path / "film.bin").open("wb") as film:
        film.truncate(6 << 30)
    before = _folder_digest.__wrapped__(tmp_path)
    with (tmp_path / "film.bin").open("r+b") as film:
        film.truncate(5 << 30)
    assert _folder_digest.__wrapped__(tmp_path) != before


def test_a_damaged_snapshot_is_not_found(site, tmp_path):
    snapshots, document = Snapshots(tmp_path / "kept", "engine 1"), site("one")
    snapshots.keep(document, page_of(document))
    path = snapshots.path(document)
    path.write_bytes(path.read_bytes()[:100])
    assert snapshots.find(document) is None


def masks_of(*shape):
    """Return two masks of random pixels."""
    chance = np.random.default_rng(1)
    return {name: chance.random(shape) < 0.1 for name in ("fine", "coarse")}


def test_kept_edges_are_found_unchanged(site, tmp_path):
    snapshots, document = Snapshots(tmp_path / "kept", "engine 1"), site("one")
    masks = masks_of(37, 101)
    assert snapshots.find_edges(document) is None
    snapshots.keep_edges(document, masks)
    result = Snapshots(tmp_path / "kept", "engine 1").find_edges(document)
    assert list(result) == ["fine", "coarse"]
    assert all(np.array_equal(result[name], masks[name]) for name in masks)
    assert snapshots.find(document) is None
    assert Snapshots(tmp_path / "kept", "engine 2").find_edges(document) is None


def test_damaged_edges_are_not_found(site, tmp_path):
    snapshots, document = Snapshots(tmp_path / "kept", "engine 1"), site("one")
    snapshots.keep_edges(document, masks_of(50, 50))
    (path,) = (tmp_path / "kept").rglob("*.edges")
    path.write_bytes(path.read_bytes()[:-20])
    assert snapshots.find_edges(document) is None


def test_edges_that_cannot_be_written_raise_an_input_error(site, tmp_path):
    (tmp_path / "kept").write_text("a file where the folder should be")
    with pytest.raises(InputError, match="cannot write to"):
        Snapshots(tmp_path / "kept", "engine 1").keep_edges(site("one"), masks_of(5, 5))


def test_the_default_folder_is_in_the_cache_folder_of_the_system(monkeypatch, tmp_path):
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_folder() == tmp_path / "pagelet" / "snapshots"


DAY = 24 * 3600


def set_unused(path, days):
    then = time.time() - days * DAY
    os.utime(path, (then, then))


def cached_pages(site, folder, *names):
    """Return snapshots of pages of these texts, their documents and their paths."""
    snapshots = Snapshots(folder, "engine 1")
    documents = [site(name, html=f"<p>{name}") for name in names]
    for document in documents:
        snapshots.keep(document, page_of(document))
    return snapshots, documents, [snapshots.path(document) for document in documents]


def test_snapshots_unused_for_a_month_are_removed(site, tmp_path):
    folder = tmp_path / "kept"
    snapshots, (old, new), (old_path, new_path) = cached_pages(site, folder, "old", "new")
    snapshots.keep_edges(old, masks_of(5, 5))
    for path in old_path.parent.glob(f"{old_path.stem}*"):
        set_unused(path, MOST_DAYS + 1)
    set_unused(new_path, MOST_DAYS - 1)
    assert tidy(folder).files == 2
    assert snapshots.find(old) is None
    assert snapshots.find_edges(old) is None
    assert snapshots.find(new) is not None


def test_reading_a_page_and_its_edges_protects_them_from_removal(site, tmp_path):
    folder = tmp_path / "kept"
    snapshots, (document,), (path,) = cached_pages(site, folder, "one")
    snapshots.keep_edges(document, masks_of(5, 5))
    for each in path.parent.iterdir():
        set_unused(each, MOST_DAYS + 1)
    snapshots.find(document)
    snapshots.find_edges(document)
    assert tidy(folder) == Capacity(0, 0)
    assert snapshots.find(document) is not None


def test_the_longest_unused_snapshots_are_removed_first(site, tmp_path):
    folder = tmp_path / "kept"
    _, _, paths = cached_pages(site, folder, "a", "b", "c", "d")
    for path, days in zip(paths, (3, 9, 1, 6), strict=True):
        set_unused(path, days)
    most = sum(paths[i].stat().st_size for i in (0, 2))
    gone = sum(paths[i].stat().st_size for i in (1, 3))
    assert tidy(folder, most) == Capacity(2, gone)
    assert [path.exists() for path in paths] == [True, False, True, False]
    assert room(folder) == Capacity(2, most)
    assert tidy(folder, most) == Capacity(0, 0)


def test_old_files_that_are_not_snapshots_are_kept(site, tmp_path):
    folder = tmp_path / "kept"
    _, _, (path,) = cached_pages(site, folder, "one")
    elsewhere = tmp_path / "elsewhere.page"
    elsewhere.write_text("mine")
    name = "ab" + "0" * 38
    others = [
        folder / "notes.txt",
        folder / f"{name}.page",
        path.parent / "notes.page",
        folder / "no" / f"{name}.page",
        folder / "ab" / f"{name}.page.bak",
        folder / "cd" / f"{name}.page",
    ]
    for other in others:
        other.parent.mkdir(exist_ok=True)
        other.write_text("mine")
    link = folder / "ab" / f"{name}.page"
    link.symlink_to(elsewhere)
    for each in (*others, path, elsewhere):
        set_unused(each, 99)
    assert tidy(folder, 0).files == 1
    assert all(other.read_text() == "mine" for other in (*others, elsewhere, link))
    assert not path.exists()


def test_old_partial_files_of_killed_processes_are_removed(site, tmp_path):
    folder = tmp_path / "kept"
    _, _, (path,) = cached_pages(site, folder, "one")
    part, fresh = (path.with_name(f"{path.name}.{n}.part") for n in (77, 78))
    part.write_bytes(b"half")
    fresh.write_bytes(b"half")
    set_unused(part, MOST_DAYS + 1)
    set_unused(path, 1)
    assert tidy(folder, 0).files == 2
    assert fresh.exists()  # somebody may be writing it


def test_a_missing_folder_takes_no_room(tmp_path):
    assert tidy(tmp_path / "none") == Capacity(0, 0)
    assert room(tmp_path / "none") == Capacity(0, 0)


def test_several_processes_tidy_and_read_at_the_same_time(site, tmp_path):
    """Remove everything in three processes while this one writes and reads."""
    folder = tmp_path / "kept"
    code = (
        "import sys; from pathlib import Path; from engine.page_cache import tidy\n"
        "for _ in range(200): tidy(Path(sys.argv[1]), 0)\n"
    )
    others = [
        subprocess.Popen([sys.executable, "-c", code, folder], stderr=subprocess.PIPE)
        for _ in range(3)
    ]
    snapshots, document = Snapshots(folder, "engine 1"), site("one")
    page, result = page_of(document), 0
    while any(other.poll() is None for other in others):
        snapshots.keep(document, page)
        result += snapshots.find(document) is not None
    assert [other.communicate(timeout=60)[1] for other in others] == [b"", b"", b""]
    assert result
    snapshots.keep(document, page)
    assert snapshots.find(document).title == "kept"


def test_the_doctor_reports_the_folder_and_size_limit_of_snapshots(site, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    assert "none yet" in doctor.snapshots().summary
    cached_pages(site, default_folder(), "one")
    result = doctor.snapshots().summary
    assert str(default_folder()) in result
    assert "of at most 4 GB" in result
