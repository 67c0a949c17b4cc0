"""Gold that comes with pages: shown, locked if published, copied to be changed."""

import json

import pytest
from PySide6.QtCore import QProcess, Qt

from annotate.marks import gold_file
from annotate.marks.gold import MAIN
from annotate.workspace.workspace import Workspace, page_key
from gui.state.selection import Mode
from tests.annotate.datasets.layouts import LAYOUTS, put
from tests.gui.parts import press

pytestmark = pytest.mark.web

PAGE = "<title>One</title><p id=a>The ferry came back.</p><p id=b>It was noon.</p>"
BLOCKS = PAGE.replace("<p id=a", "<p data-block=1 data-block-type=Content id=a")


def benchmark(folder):
    gold = {"one": {"articleBody": "The ferry came back."}}
    put(folder, {"html/one.html": PAGE, "ground-truth.json": json.dumps(gold)})
    return folder


def mark_block(hand):
    hand.workbench.session.selection.set_mode(Mode.LEVEL_1)
    hand.session.selection.set_candidate(hand.row("#b"))
    hand.workbench.marking.take()


def test_published_gold_is_shown_and_cannot_be_changed_by_a_click(hand):
    hand.open_path(benchmark(hand.folder))
    assert hand.marked(MAIN) == [[hand.row("#a")]]
    assert hand.session.open.is_locked
    mark_block(hand)
    assert hand.marked(1) == []
    assert "copy them into your workspace" in hand.session.messages.message
    assert not hand.workbench.workspace.history(page_key(hand.session.open.document))


def test_a_copy_of_published_gold_can_be_changed_and_is_stored(hand):
    hand.open_path(benchmark(hand.folder))
    hand.workbench.page_session.copy_gold()
    assert not hand.session.open.is_locked
    mark_block(hand)
    assert hand.marked(1) == [[hand.row("#b")]]
    hand.open_path(hand.folder)
    assert (hand.marked(MAIN), hand.marked(1)) == ([[hand.row("#a")]], [[hand.row("#b")]])
    assert not hand.session.open.is_locked
    files = hand.session.files[page_key(hand.session.open.document)]
    assert (
        files.text(lambda: hand.session.open.page) == "The ferry came back."
    )  # as it was published


def test_marks_of_a_gold_file_can_be_changed_without_a_copy(hand):
    hand.open(PAGE)
    mark_block(hand)
    beside = hand.folder / "beside"
    beside.mkdir()
    (beside / "two.html").write_text(PAGE, encoding="utf-8")
    gold_file.write(beside / "two.gold.json", hand.session.open.page, hand.session.open.gold)
    hand.open_path(beside)
    assert hand.marked(1) == [[hand.row("#b")]]
    assert not hand.session.open.is_locked


def test_undo_keeps_the_marks_that_came_with_the_page(hand):
    hand.open(PAGE)
    mark_block(hand)
    beside = hand.folder / "beside"
    beside.mkdir()
    (beside / "two.html").write_text(PAGE, encoding="utf-8")
    gold_file.write(beside / "two.gold.json", hand.session.open.page, hand.session.open.gold)
    hand.open_path(beside)
    assert not hand.workbench.page_session.undo_group.canUndo()
    press(hand, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert hand.marked(1) == [[hand.row("#b")]]
    hand.session.selection.set_candidate(hand.row("#a"))
    hand.workbench.marking.take()
    assert len(hand.marked(1)) == 2
    for _ in range(2):
        hand.workbench.page_session.undo()
    assert hand.marked(1) == [[hand.row("#b")]]
    hand.open_path(beside)  # the same when it is opened again
    assert not hand.workbench.page_session.undo_group.canUndo()
    hand.workbench.page_session.redo()
    assert len(hand.marked(1)) == 2


def test_another_workspace_opens_in_a_new_window_and_keeps_the_marks_here(
    hand, tmp_path, monkeypatch
):
    started = []

    def start(*words):
        started.append(words)
        return True, 1

    monkeypatch.setattr(QProcess, "startDetached", start)
    hand.open(PAGE)
    hand.session.selection.set_mode(Mode.LEVEL_1)
    hand.session.selection.set_candidate(hand.row("#b"))
    hand.workbench.marking.take()
    theirs = tmp_path / "theirs.pagelet"
    with Workspace.open(theirs) as workspace:
        workspace.add_pages([hand.session.open.document])
    hand.workbench.navigation.open_path(str(theirs))
    ((_program, words),) = started
    assert words[-3:] == ["open", "--workspace", str(theirs)]
    assert hand.marked(1) == [[hand.row("#b")]]


def test_blocks_of_kreuzers_layout_are_shown_with_their_types_and_locked(hand):
    line = '"http://a.org/" : "/opt/dataset-random/a.org/a.org/index.html",'
    files = {"mapping.txt": line}
    for ending, text in ((".html", PAGE), (".blocks.html", BLOCKS), (".dom.html", PAGE)):
        files[f"a.org/a.org/index{ending}"] = text
    put(hand.folder, files)
    hand.open_path(hand.folder)
    assert [(m.level, m.type) for m in hand.session.open.gold.marks] == [(1, "Content")]
    assert hand.session.open.is_locked


def test_the_share_of_gold_words_missing_on_the_page_is_reported(hand):
    gold = {"one": {"articleBody": "The ferry came back. Never said."}}
    put(hand.folder, {"html/one.html": PAGE, "ground-truth.json": json.dumps(gold)})
    hand.open_path(hand.folder)
    assert hand.marked(MAIN) == [[hand.row("#a")]]
    assert "33.3% of the gold text's words are not on this page" in hand.session.messages.message


@pytest.mark.slow
def test_every_published_layout_opens_with_its_gold_on_the_page(hand):
    for layout, (_, write, _) in LAYOUTS.items():
        folder = hand.folder / layout.replace("/", "-")
        folder.mkdir()
        hand.open_path(write(folder))
        assert hand.session.open.page is not None, layout
        if layout == "trafilatura":  # phrases have no position
            assert "phrases" in hand.session.messages.message
        else:
            text = hand.session.open.gold.as_extraction(hand.session.open.page).text
            assert "ferry came back" in text, layout
            assert hand.session.open.is_locked, layout
