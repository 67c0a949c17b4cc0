"""Tour: each step waits for its gesture; a tour that was left resumes at its step."""

import pytest
from PySide6.QtCore import Qt

from gui.features.layers.layer_row import LayerRow
from gui.features.layers.panel import LayersDock
from gui.plugins.tour.controller import Tour
from tests.gui.page.test_rectangles import corners
from tests.gui.parts import press
from tests.hand import Hand

pytestmark = pytest.mark.web


@pytest.fixture
def tour(window, qtbot):
    with qtbot.waitSignal(window.session.open.page_changed, timeout=20_000):
        qtbot.mouseClick(window.empty.button("Take the tour"), Qt.MouseButton.LeftButton)
    made = window.workbench.get(Tour)
    qtbot.waitUntil(lambda: window.session.open.page is not None and made.card.isVisible())
    return made


@pytest.mark.slow
def test_each_step_waits_for_its_gesture_and_the_tour_resumes_where_it_was_left(
    window, tour, qtbot, tmp_path
):
    hand = Hand(window.workbench, qtbot, tmp_path)
    assert tour.card.title.text() == "Main content"
    assert window.session.open.gold.marks == ()
    button = window.toolbar.modes[1]
    assert abs(tour.card.y() - button.mapTo(window, button.rect().bottomLeft()).y()) < 8
    press(hand, Qt.Key.Key_1)
    hand.click("header")
    qtbot.waitUntil(lambda: len(window.session.open.gold.marks) == 1)
    assert tour.step == 0, "another gesture than the one it waits for"
    press(hand, Qt.Key.Key_M)
    hand.click("main p")
    qtbot.waitUntil(lambda: tour.step == 1)
    press(hand, Qt.Key.Key_1)
    hand.click("aside ul")  # as the card says: the list, and not the article with it
    qtbot.waitUntil(lambda: tour.step == 2)
    block = window.session.open.gold.marks[-1]
    assert [target.row for target in block.targets] == [hand.row("aside")]
    qtbot.mouseClick(tour.card.leave, Qt.MouseButton.LeftButton)
    assert not tour.card.isVisible()
    with qtbot.waitSignal(window.session.open.page_changed, timeout=20_000):
        window.actions_["tour"].trigger()
    qtbot.waitUntil(lambda: tour.card.isVisible() and tour.step == 2)
    assert tour.card.title.text() == "A rectangle"


@pytest.mark.slow
def test_the_tour_waits_for_a_rectangle_type_drafts_and_scores(window, tour, qtbot, tmp_path):
    hand, none = Hand(window.workbench, qtbot, tmp_path), Qt.KeyboardModifier.NoModifier
    left = Qt.MouseButton.LeftButton
    for _ in range(2):
        tour.card.skipped.emit()
    assert tour.card.title.text() == "A rectangle"
    press(hand, Qt.Key.Key_1)
    hand.drag(*corners(hand, "main"))
    hand.qtbot.waitUntil(lambda: bool(window.session.open.gold.marks), timeout=20_000)
    assert tour.card.title.text() == "Its type"
    assert window.session.open.gold.marks[-1].targets[0].row == hand.row("main")
    press(hand, Qt.Key.Key_C)
    assert tour.card.title.text() == "Drafts"
    press(hand, Qt.Key.Key_Y)
    assert tour.card.title.text() == "Drafts", "there are no drafts yet"
    window.panel(LayersDock).raise_()
    row = next(r for r in window.panel(LayersDock).findChildren(LayerRow) if r.key == "webterrain")
    qtbot.mouseClick(row, left, none, row.rect().center())
    hand.wait_for_methods()
    press(hand, Qt.Key.Key_A, Qt.KeyboardModifier.ShiftModifier)
    assert window.session.open.gold.drafts()
    assert tour.card.title.text() == "Drafts", "adopted, and none taken yet"
    press(hand, Qt.Key.Key_N, Qt.KeyboardModifier.ShiftModifier)
    press(hand, Qt.Key.Key_Y)
    assert tour.card.title.text() == "Scores"
    press(hand, Qt.Key.Key_F8)
    assert not tour.card.isVisible()
    assert tour.step == -1
    assert "that was the tour" in window.session.messages.message
