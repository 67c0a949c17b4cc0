"""Views by task: each has its panels, keeps changes of the user and folds when narrow."""

import pytest
from PySide6.QtCore import Qt

from gui.features.outline.panel import OutlineDock
from gui.plugins.figure.panel import FigureDock
from tests.gui.parts import press
from tests.gui.window.test_tasks import ALT, PAGE  # noqa: F401
from tests.hand import hand_in_window

pytestmark = pytest.mark.web
hand = hand_in_window


@pytest.mark.slow
def test_each_task_keeps_changed_panels_until_it_is_reset(window, hand):
    window.panel(OutlineDock).hide()
    press(hand, Qt.Key.Key_3, ALT)
    window.panel(FigureDock).hide()
    press(hand, Qt.Key.Key_1, ALT)
    assert window.panel(OutlineDock).isHidden()
    press(hand, Qt.Key.Key_3, ALT)
    assert window.panel(FigureDock).isHidden()
    window.actions_["layout"].trigger()
    assert window.panel(FigureDock).isVisible()
    press(hand, Qt.Key.Key_1, ALT)
    assert window.panel(OutlineDock).isHidden()
