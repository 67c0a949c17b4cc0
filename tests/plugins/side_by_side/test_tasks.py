"""Views by task: each has its panels, keeps changes of the user and folds when narrow."""

import pytest
from PySide6.QtCore import Qt

from gui.plugins.side_by_side.view import SideBySide
from gui.plugins.site.view import SiteView
from gui.plugins.team_work.review.panel import ReviewDock
from tests.gui.parts import press
from tests.gui.window.test_tasks import ALT, PAGE  # noqa: F401
from tests.hand import hand_in_window

pytestmark = pytest.mark.web
hand = hand_in_window


def test_escape_in_a_view_without_panels_returns_to_the_previous_task(window, hand, qtbot):
    press(hand, Qt.Key.Key_4, ALT)
    press(hand, Qt.Key.Key_5, ALT)
    assert window.main_area.shows(SiteView)
    assert window.actions_["task-site"].isChecked()
    qtbot.keyClick(window.main_area.get(SiteView), Qt.Key.Key_Escape)
    assert window.actions_["task-review"].isChecked()
    assert window.panel(ReviewDock).isVisible()
    press(hand, Qt.Key.Key_2, ALT)
    assert window.main_area.shows(SideBySide)
