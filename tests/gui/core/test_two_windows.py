"""Two windows on one page: no marks are lost, and the user chooses which to keep."""

import pytest
from PySide6.QtCore import Qt

from annotate.workspace.workspace import Workspace, page_key
from gui.state.selection import Mode
from gui.window.status_bar import StatusBar
from tests.gui.parts import make_window, press
from tests.hand import Hand, hand_in_window

pytestmark = pytest.mark.web

PAGE = """
<title>Harbour news</title>
<style>body{margin:0;font:16px/24px sans-serif} section,header{padding:10px}</style>
<header id=top>The Courier</header>
<section id=story><h1 id=head>Ferry back</h1><p id=first>The ferry returned.</p></section>
<footer id=foot>Printed at the quay</footer>
"""
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def window(new_window):
    return new_window


hand = hand_in_window


@pytest.fixture
def other(hand, window, qtbot, tmp_path):
    """Return a hand on a second window with the same workspace and page."""
    second = make_window(tmp_path)
    qtbot.addWidget(second)
    made = Hand(second.workbench, qtbot, tmp_path)
    made.open_path(tmp_path / "ferry.html")
    yield made
    second.close_down()


def mark(hand: Hand, selector: str) -> None:
    hand.workbench.session.selection.set_mode(Mode.LEVEL_1)
    hand.session.selection.set_candidate(hand.row(selector))
    hand.workbench.marking.take()


def rows(hand: Hand, *selectors: str) -> list[list[int]]:
    return [[hand.row(selector)] for selector in selectors]


def in_file(hand: Hand) -> list[int]:
    """Return the first row of every stored mark in page order, as a third window reads them."""
    with Workspace.open(hand.workbench.workspace.path) as workspace:
        gold = workspace.load_gold(
            page_key(hand.session.open.document), hand.session.open.page.nodes
        )
    return sorted(m.targets[0].row for m in gold.marks)


@pytest.fixture
def contested(hand, other, window):
    """Mark the header in the other window and the footer in this one."""
    mark(other, "#top")
    mark(hand, "#foot")
    assert in_file(hand) == [other.row("#top")]
    window.activateWindow()  # keys go to the window in front
    window.workbench.canvas.view.setFocus()
    hand.qtbot.waitUntil(window.isActiveWindow)
    return window


def test_the_later_window_asks_which_marks_to_keep_and_can_be_used_meanwhile(contested, hand):
    assert contested.question.isVisible()
    assert "another window has changed" in contested.question.text.lower()
    assert [b.text() for b in contested.question.buttons] == ["Keep mine", "Take theirs"]
    assert contested.status_bar.saved.text == "Not saved"
    mark(hand, "#head")
    assert sorted(hand.marked(1)) == sorted(rows(hand, "#foot", "#head"))
    assert contested.question.isVisible()


@pytest.mark.slow
def test_the_page_stays_open_until_the_choice_is_made(contested, hand):
    hand.workbench.navigation.reload()
    assert hand.marked(1) == rows(hand, "#foot")
    assert "choose first" in contested.toast.text.lower()
    below, above = contested.question.geometry(), contested.toast.geometry()
    assert not below.intersects(above)


def test_keep_mine_saves_my_marks_and_undo_restores_theirs(contested, hand):
    hand.qtbot.mouseClick(contested.question.buttons[0], Qt.MouseButton.LeftButton)
    assert not contested.question.isVisible()
    assert contested.status_bar.saved.text == "Saved"
    assert hand.marked(1) == rows(hand, "#foot")
    assert in_file(hand) == [hand.row("#foot")]
    press(hand, Qt.Key.Key_Z, CONTROL)
    assert hand.marked(1) == rows(hand, "#top")
    assert in_file(hand) == [hand.row("#top")]
    press(hand, Qt.Key.Key_Z, CONTROL)
    assert hand.marked(1) == rows(hand, "#foot")
    press(hand, Qt.Key.Key_Z, CONTROL)
    assert hand.marked(1) == []


def test_take_theirs_shows_their_marks_and_undo_restores_mine(contested, hand):
    press(hand, Qt.Key.Key_T, CONTROL)
    assert not contested.question.isVisible()
    assert contested.status_bar.saved.text == "Saved"
    assert hand.marked(1) == rows(hand, "#top")
    press(hand, Qt.Key.Key_Z, CONTROL)
    assert hand.marked(1) == rows(hand, "#foot")
    assert in_file(hand) == [hand.row("#foot")]


@pytest.mark.slow
def test_the_other_window_saves_on_without_a_question_after_take_theirs(contested, hand, other):
    press(hand, Qt.Key.Key_T, CONTROL)
    mark(other, "#head")
    assert other.workbench.saving.is_all_saved
    assert in_file(hand) == [other.row("#top"), other.row("#head")]


@pytest.mark.slow
def test_the_other_window_asks_after_keep_mine(contested, hand, other):
    press(hand, Qt.Key.Key_K, CONTROL)
    mark(other, "#head")
    assert other.workbench.saving.is_contested
    other.workbench.saving.take_theirs()
    assert other.marked(1) == rows(other, "#foot")


@pytest.mark.slow
def test_a_change_undone_by_the_other_window_needs_no_choice(contested, hand, other):
    other.workbench.page_session.undo()
    mark(hand, "#head")
    assert not contested.question.isVisible()
    assert in_file(hand) == [hand.row("#head"), hand.row("#foot")]


@pytest.mark.slow
@pytest.mark.parametrize("way", ["keep_mine", "take_theirs"])
def test_undo_restores_the_other_marks_even_after_a_reload(contested, hand, way):
    getattr(hand.workbench.saving, way)()
    chosen = hand.marked(1)
    with hand.qtbot.waitSignal(hand.session.open.page_changed, timeout=20_000):
        hand.workbench.navigation.reload()
    assert hand.marked(1) == chosen
    hand.workbench.page_session.undo()
    both = [*chosen, *hand.marked(1)]
    assert sorted(both) == sorted(rows(hand, "#top", "#foot"))


@pytest.mark.slow
def test_a_window_closed_without_a_choice_leaves_both_in_the_undo_history(hand, qtbot, tmp_path):
    late = make_window(tmp_path)
    qtbot.addWidget(late)
    closing = Hand(late.workbench, qtbot, tmp_path)
    closing.open_path(tmp_path / "ferry.html")
    mark(hand, "#top")
    mark(closing, "#foot")
    assert closing.workbench.saving.is_contested
    late.close_down()
    with qtbot.waitSignal(hand.session.open.page_changed, timeout=20_000):
        hand.workbench.navigation.reload()
    assert hand.marked(1) == rows(hand, "#top")
    hand.workbench.page_session.undo()
    assert hand.marked(1) == rows(hand, "#foot")


def test_keep_mine_and_take_theirs_do_nothing_without_a_conflict(hand, window):
    mark(hand, "#foot")
    assert not window.actions_["keep-mine"].isEnabled()
    hand.workbench.saving.take_theirs()
    hand.workbench.saving.keep_mine()
    assert hand.marked(1) == rows(hand, "#foot")


def test_the_history_names_each_change_and_its_step(hand):
    mark(hand, "#foot")
    hand.workbench.page_session.undo()
    history = hand.workbench.workspace.history(page_key(hand.session.open.document))
    assert [(r.what, r.step) for r in history] == [
        ("mark level-1 block", "edit"),
        ("mark level-1 block", "undo"),
    ]


@pytest.mark.slow
def test_the_tool_tip_of_the_status_bar_names_both_choices(contested):
    line: StatusBar = contested.status_bar
    assert "keep yours or take theirs" in line.saved.toolTip()
