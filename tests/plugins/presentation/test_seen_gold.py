"""A slide shows beside a score that its method has seen the gold."""

import pytest
from PySide6.QtCore import Qt

from gui.plugins.presentation.stage import Presentation
from tests.gui.parts import press
from tests.hand import Hand
from tests.oracles.seen_model import KEY, folder, is_seen  # noqa: F401  (fixtures)

# ruff: noqa: F811  (fixtures are arguments)


@pytest.mark.slow
@pytest.mark.web
def test_a_slide_names_a_method_that_has_seen_the_gold(
    new_window, folder, tmp_path, qtbot, is_seen
):
    layers = new_window.session.layers
    layers.add_method(KEY)
    layers.change_layer(KEY, visible=True)
    hand = Hand(new_window.workbench, qtbot, tmp_path)
    hand.open_path(folder)
    hand.wait_for_methods()
    qtbot.waitUntil(lambda: KEY in layers.scores, timeout=60_000)
    press(hand, Qt.Key.Key_F11)
    presentation = new_window.main_area.get(Presentation)
    qtbot.waitUntil(lambda: KEY in [slide.key for slide in presentation.slides], timeout=60_000)
    presentation.go([slide.key for slide in presentation.slides].index(KEY))
    qtbot.waitUntil(lambda: presentation.is_drawn)
    score = presentation.caption.score.text()
    assert score.startswith("F1 ")
    assert score.endswith(", gold seen") == is_seen
