"""File names that are too long or not UTF-8: refused with a message, or marked as any other."""

import os
from pathlib import Path

import pytest

from annotate.datasets.opening import open_pages
from annotate.marks.gold_file import read_file
from annotate.workspace.workspace import Workspace, path_of
from gui.cli.main import main
from gui.state.selection import Mode
from tests.hand import Hand, save_notes

pytestmark = pytest.mark.web


def test_a_file_name_that_is_too_long_is_refused_with_a_message(window):
    window.open_path("a" * 5000)
    assert window.session.messages.message == f"{'a' * 199}… cannot be opened: File name too long"
    assert window.isVisible()


@pytest.mark.skipif(os.name == "nt", reason="names are Unicode there")
@pytest.mark.parametrize("is_there", [True, False])
def test_a_file_name_that_is_not_utf8_is_refused_with_a_message(window, tmp_path, is_there):
    name = os.fsencode(tmp_path) + b"/caf\xe9.html"
    if is_there:
        Path(os.fsdecode(name)).write_bytes(b"<!doctype html><p>words")
    window.open_path(os.fsdecode(name))
    assert r"caf\udce9.html' is not UTF-8: rename it" in window.session.messages.message


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="names are Unicode there")
def test_marks_on_a_page_whose_name_is_no_utf8_are_stored_and_read_back(window, qtbot, tmp_path):
    folder, name = tmp_path / "set", os.fsdecode(b"caf\xe9.html")
    folder.mkdir()
    for each in ("a.html", name):
        (folder / each).write_text("<!doctype html><p id=a style='margin:20px'>Words of a page")
    hand = Hand(window.workbench, qtbot, folder)
    hand.open_path(folder)
    index = [each.path for each in hand.session.documents].index(name)
    with qtbot.waitSignal(hand.session.open.page_changed, timeout=20_000):
        hand.workbench.navigation.open_document(index)
    hand.wait_for_methods()
    hand.session.selection.set_mode(Mode.LEVEL_1)
    hand.click("#a")
    qtbot.waitUntil(lambda: bool(hand.session.open.gold.marks))
    save_notes(hand.workbench)

    stored = window.workbench.workspace.path
    with Workspace.reading(stored) as workspace:
        assert [page.marks for page in workspace.pages()] == [0, 1]
    (again,) = open_pages(str(stored)).documents
    assert again.full_path == str(folder / name)
    assert main(["export", str(stored), "--out", str(tmp_path / "gold")]) == 0
    (gold,) = (tmp_path / "gold").rglob("*.gold.json")
    assert len(read_file(gold).records) == 1
    assert main(["merge", str(stored), "--out", str(tmp_path / "m.pagelet")]) == 0
    with Workspace.reading(tmp_path / "m.pagelet") as workspace:
        keys = workspace.store.all("SELECT key FROM pages JOIN marks ON page = pages.id")
    assert [path_of(key) for (key,) in keys] == [str(folder / name)]
