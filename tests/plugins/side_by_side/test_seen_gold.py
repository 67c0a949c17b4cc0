"""Side by side says beside a score that its method has seen the gold."""

import pytest
from PySide6.QtCore import Qt

from gui.plugins.side_by_side.view import SideBySide
from tests.gui.parts import press
from tests.hand import Hand
from tests.oracles.seen_model import KEY, folder, is_seen  # noqa: F401  (fixtures)

# ruff: noqa: F811  (fixtures are arguments)


@pytest.mark.slow
@pytest.mark.web
def test_a_pane_names_a_method_that_has_seen_the_gold(new_window, folder, tmp_path, qtbot, is_seen):
    layers = new_window.session.layers
    layers.add_method(KEY)
    layers.set_current_layer(KEY)
    hand = Hand(new_window.workbench, qtbot, tmp_path)
    hand.open_path(folder)
    hand.wait_for_methods()
    press(hand, Qt.Key.Key_F2)
    side = new_window.main_area.get(SideBySide)
    qtbot.waitUntil(
        lambda: any(pane.head.words.text().startswith("F1 ") for pane in side.panes), timeout=60_000
    )
    (pane,) = [pane for pane in side.panes if pane.shown.key == KEY]
    assert pane.head.words.text().endswith(", gold seen") == is_seen
