"""Undo restores a rejected suggestion, even from another page."""

import pytest
from PySide6.QtCore import Qt

from gui.plugins.suggestions.state import SuggestionWalk
from tests.gui.parts import press
from tests.gui.window.test_undo_across_pages import CTRL, go_on, hand, wait_for  # noqa: F401

pytestmark = pytest.mark.web


@pytest.mark.slow
def test_undo_from_the_next_page_restores_a_rejected_suggestion(window, hand):  # noqa: F811
    walk = hand.session.get(SuggestionWalk)
    window.actions_["suggestions"].trigger()
    hand.qtbot.waitUntil(lambda: bool(walk.items), timeout=20_000)
    count = len(walk.items)
    walk.choose(0)
    window.actions_["suggestion-reject"].trigger()
    assert len(walk.items) == count - 1
    go_on(hand)
    press(hand, Qt.Key.Key_Z, CTRL)
    wait_for(hand, "one.html")
    hand.qtbot.waitUntil(lambda: len(walk.items) == count, timeout=20_000)
