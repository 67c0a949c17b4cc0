"""A block marked without a type gets a suggested one, with a question mark, by real events."""

import pytest
from PySide6.QtCore import QPoint, Qt

from gui.features.drafts.controller import DraftsController
from gui.features.outline.panel import OutlineDock
from tests.gui.parts import press
from tests.hand import Hand

pytestmark = pytest.mark.web

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
PAGE = """
<title>Harbour news</title>
<style>body{margin:0;font:16px/24px sans-serif} nav{height:40px}</style>
<nav id=nav><a href=/>Home</a> <a href=/t>Tides</a> <a href=/w>Winds</a></nav>
<h1 id=head>Ferry back</h1><p id=first>The ferry returned to the harbour this morning.</p>
"""


@pytest.fixture
def hand(window, qtbot, tmp_path):
    made = Hand(window.workbench, qtbot, tmp_path)
    made.open(PAGE, "ferry.html")
    window.session.selection.suggests_types = True
    return made


def mark(hand, selector):
    count = len(hand.session.open.gold.marks)
    press(hand, Qt.Key.Key_2)
    hand.session.selection.set_candidate(hand.row(selector))
    press(hand, Qt.Key.Key_Return)
    hand.qtbot.waitUntil(lambda: len(hand.session.open.gold.marks) == count + 1, timeout=60_000)


def types(hand):
    return [each.shown_type for each in hand.session.open.gold.marks]


def test_y_confirms_a_suggested_type_and_undo_removes_it_with_the_mark(window, hand):
    mark(hand, "#nav")
    assert types(hand) == ["Menu?"]
    assert window.toolbar.type_button.text() == "Menu? ▾"
    assert "Suggested type: Menu (declared as nav)" in window.panel(OutlineDock).unsure._text.text()
    press(hand, Qt.Key.Key_Y)
    assert types(hand) == ["Menu"]
    press(hand, Qt.Key.Key_Z, CTRL)  # mark, suggestion and Y are one step
    assert types(hand) == []


def test_a_letter_sets_another_type_and_one_key_confirms_the_rest(hand):
    mark(hand, "#nav")
    mark(hand, "#head")
    mark(hand, "#first")
    assert types(hand) == ["Menu?", "Title?", "Article?"]
    press(hand, Qt.Key.Key_K)
    assert types(hand) == ["Menu?", "Title?", "Link list"]
    press(hand, Qt.Key.Key_Y, SHIFT)
    assert types(hand) == ["Menu", "Title", "Link list"]
    assert [each.guess.type for each in hand.session.open.gold.marks] == [
        "Menu",
        "Title",
        "Article",
    ]


def test_the_type_of_a_similar_block_is_suggested(hand):
    hand.open("<style>p{height:40px}</style><p id=a class=x>Rain</p><p id=b class=x>Wind</p>")
    mark(hand, "#a")
    assert types(hand) == ["Article?"]
    press(hand, Qt.Key.Key_A)
    mark(hand, "#b")
    assert types(hand) == ["Ad", "Ad?"]
    assert hand.session.open.gold.marks[1].guess.why == "as a similar block"


def test_a_block_of_neighbours_gets_the_type_of_the_largest(hand):
    hand.open("<style>body{margin:0} h2,p{margin:0;height:40px} p{height:90px}</style>"
              "<h2 id=a>Ferry back</h2><p id=b>It returned this morning.</p>"
              "<p style='height:900px'>Nobody was hurt.</p>")  # fmt: skip
    press(hand, Qt.Key.Key_2)
    zoom, width = hand.workbench.canvas.view.zoomFactor(), hand.target.width()
    hand.drag(QPoint(2, 2), QPoint(width - 30, round(128 * zoom)))
    hand.qtbot.waitUntil(lambda: hand.marked(2) == [[hand.row("#a"), hand.row("#b")]])
    assert types(hand) == ["Article?"]


def test_no_type_is_suggested_while_a_type_is_chosen(hand):
    press(hand, Qt.Key.Key_2)
    press(hand, Qt.Key.Key_R)
    mark(hand, "#nav")
    assert types(hand) == ["Article"]
    assert hand.session.open.gold.marks[0].guess is None


def test_one_key_turns_suggestions_off_and_the_workspace_stores_that(window, hand):
    keys = Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.ShiftModifier
    press(hand, Qt.Key.Key_T, keys)
    assert hand.session.selection.suggests_types is False
    mark(hand, "#nav")
    assert types(hand) == [""]
    assert window.workbench.workspace.setting("suggests types", True) is False


def test_d_is_refused_while_suggested_types_are_unconfirmed(hand):
    mark(hand, "#nav")
    press(hand, Qt.Key.Key_D)
    assert "1 suggested type to confirm" in hand.session.messages.message
    assert hand.workbench.pages.status(hand.session.open.document) == "in progress"


def test_suggested_types_are_kept_when_the_page_is_reloaded(hand):
    mark(hand, "#nav")
    with hand.qtbot.waitSignal(hand.session.open.page_changed, timeout=60_000):
        hand.workbench.navigation.reload()
    assert types(hand) == ["Menu?"]
    hand.workbench.page_session.undo()
    assert types(hand) == []


@pytest.mark.slow
def test_no_type_is_suggested_on_a_page_kept_free_of_drafts(window, hand):
    window.workbench.get(DraftsController).set_share("100 %")
    mark(hand, "#nav")
    assert types(hand) == [""]
    window.workbench.get(DraftsController).set_share("0 %")
    mark(hand, "#head")
    assert types(hand) == ["", "Title?"]
