"""Suggestions in the window: one list, walked, accepted and rejected by key."""

import pytest
from PySide6.QtCore import Qt

from algorithms.core.attempt import Outcome, OutcomeStatus
from algorithms.results import Block, Segmentation
from gui.features.drafts.controller import DraftsController
from gui.plugins.suggestions.panel import SuggestionsDock
from gui.plugins.suggestions.state import SuggestionFilter, SuggestionWalk
from tests.features.drafts.test_drafts import PAGE
from tests.gui.parts import press
from tests.hand import Hand

pytestmark = pytest.mark.web

SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def hand(window, qtbot, tmp_path):
    made = Hand(window.workbench, qtbot, tmp_path)
    made.open(PAGE, "ferry.html")
    for layer in window.session.layers.all:
        if not layer.is_gold:
            shown = layer.key in ("webterrain", "accb")
            window.session.layers.change_layer(layer.key, visible=shown)
    return made


@pytest.fixture
def walk(window, hand):
    press(hand, Qt.Key.Key_J, Qt.KeyboardModifier.ControlModifier)
    result = window.session.get(SuggestionWalk)
    hand.qtbot.waitUntil(lambda: bool(result.items), timeout=60_000)
    return result


def test_the_panel_lists_suggestions_and_highlights_the_current_one(window, hand, walk):
    assert window.panel(SuggestionsDock).isVisible()
    assert len(window.panel(SuggestionsDock).entries()) == len(walk.items)
    assert {key for each in walk.items for key in each.methods} == {"webterrain", "accb"}
    press(hand, Qt.Key.Key_Down, SHIFT)
    assert walk.index == 0
    assert window.session.selection.highlight.rows == walk.items[0].rows
    press(hand, Qt.Key.Key_Up, SHIFT)
    assert walk.index == len(walk.items) - 1


def test_accepting_marks_the_element_steps_on_and_can_be_undone(window, hand, walk):
    press(hand, Qt.Key.Key_Down, SHIFT)
    first, count = walk.current, len(walk.items)
    press(hand, Qt.Key.Key_Return, SHIFT)
    (mark,) = window.session.open.gold.marks
    assert (mark.level, tuple(t.row for t in mark.targets)) == (first.level, first.rows)
    assert mark.seed.method == first.methods[0]
    assert not mark.is_draft
    assert len(walk.items) < count
    assert walk.current is not None
    assert walk.current != first
    window.workbench.page_session.undo()
    hand.qtbot.waitUntil(lambda: first in walk.items, timeout=60_000)


def test_a_rejected_suggestion_is_not_listed_until_undo(window, hand, walk):
    press(hand, Qt.Key.Key_Down, SHIFT)
    first = walk.current
    press(hand, Qt.Key.Key_Backspace, SHIFT)
    assert first not in walk.items
    assert window.session.open.gold.marks == ()
    window.workbench.page_session.undo()
    hand.qtbot.waitUntil(lambda: first in walk.items, timeout=60_000)


def test_the_list_is_filtered_by_level_and_by_typed_text(window, hand, walk):
    walk.set_filter(SuggestionFilter(level=0))
    assert {each.level for each in walk.items} == {0}
    window.panel(SuggestionsDock).filter.setText("accb")
    assert {each.methods for each in walk.items} == {("accb",)}
    window.panel(SuggestionsDock).filter.setText("nobody has this")
    assert walk.items == ()
    assert "filtered out" in window.panel(SuggestionsDock).none.text()


def test_enter_and_delete_in_the_list_accept_and_reject(window, hand, walk):
    walk.step(1)
    first = walk.current
    window.panel(SuggestionsDock).list.setFocus()
    hand.qtbot.keyClick(window.panel(SuggestionsDock).list, Qt.Key.Key_Delete)
    assert walk.rejected == {first.key}
    second = walk.current
    hand.qtbot.keyClick(window.panel(SuggestionsDock).list, Qt.Key.Key_Return)
    assert [m.level for m in window.session.open.gold.marks] == [second.level]


def test_nothing_is_suggested_on_a_page_kept_free_of_drafts(window, hand, walk):
    window.workbench.get(DraftsController).set_share("100 %")
    hand.qtbot.waitUntil(lambda: walk.items == (), timeout=60_000)
    assert "free of drafts" in window.panel(SuggestionsDock).none.text()


LINKS = """<style>a{display:inline-block;width:90px} nav,figure{display:block;margin:0;padding:30px}
</style><nav id=nav><a href=a>Sign in</a><a href=b>Subscribe</a><a href=c>E-paper</a></nav>
<figure id=fig><img alt="The ferry at the quay" width=600 height=300></figure>
<p>The ferry returned to the harbour this morning, and nobody was hurt.</p>"""


def test_a_suggestion_shows_separate_words_and_alt_text_of_pictures(window, qtbot, tmp_path):
    hand = Hand(window.workbench, qtbot, tmp_path)
    hand.open(LINKS, "links.html")
    nodes = window.session.open.page.rendered()
    blocks = [Block((hand.row("#nav"),), 1), Block((hand.row("#fig"),), 1)]
    window.session.layers.change_layer("webterrain", visible=True)
    outcome = Outcome(OutcomeStatus.OK, Segmentation(nodes, tuple(blocks)), 0.01)
    window.session.layers.set_outcome("webterrain", outcome)
    press(hand, Qt.Key.Key_J, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: bool(window.session.get(SuggestionWalk).items), timeout=60_000)
    text = "\n".join(window.panel(SuggestionsDock).entries())
    assert "Sign in Subscribe E-paper" in text
    assert "The ferry at the quay" in text
