"""The tour: each step waits for its gesture; it can be left, and goes on where it was left."""

import pytest
from PySide6.QtCore import Qt

from gui.features.tour.controller import Tour
from tests.gui.parts import press
from tests.hand import Hand

pytestmark = pytest.mark.web


@pytest.fixture
def tour(window, qtbot):
    with qtbot.waitSignal(window.session.page_changed, timeout=20_000):
        qtbot.mouseClick(window.empty.button("Take the tour"), Qt.MouseButton.LeftButton)
    made = window.workbench.get(Tour)
    qtbot.waitUntil(lambda: window.session.page is not None and made.card.isVisible())
    return made


def test_each_step_waits_for_its_gesture_and_the_tour_goes_on_where_it_was_left(
    window, tour, qtbot, tmp_path
):
    hand = Hand(window.workbench, qtbot, tmp_path)
    assert tour.card.title.text() == "Main content"
    assert window.session.gold.marks == ()
    button = window.toolbar.modes()[1]
    assert abs(tour.card.y() - button.mapTo(window, button.rect().bottomLeft()).y()) < 8
    press(hand, Qt.Key.Key_1)
    hand.click("aside ul")
    assert tour.step == 0, "another gesture than the one it waits for"
    press(hand, Qt.Key.Key_M)
    hand.click("main p")
    qtbot.waitUntil(lambda: tour.step == 1)
    press(hand, Qt.Key.Key_1)
    hand.click("header")
    qtbot.waitUntil(lambda: tour.step == 2)
    qtbot.mouseClick(tour.card.leave, Qt.MouseButton.LeftButton)
    assert not tour.card.isVisible()
    with qtbot.waitSignal(window.session.page_changed, timeout=20_000):
        window.actions_["tour"].trigger()
    qtbot.waitUntil(lambda: tour.card.isVisible() and tour.step == 2)
    assert tour.card.title.text() == "A rectangle"
