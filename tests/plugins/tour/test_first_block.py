"""The tour leads a new user to the first block."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from annotate.marks.gold import MAIN
from gui.plugins.tour.controller import Tour
from tests.gui.window.test_six_tasks import ALT, Counted
from tests.hand import Hand

pytestmark = pytest.mark.web


def test_the_tour_leads_to_the_first_block_in_six_actions(window, qtbot, tmp_path):
    """Help → Tour, M and a click on a paragraph, 1 and a click on a block."""
    counted = Counted(Hand(window.workbench, qtbot, tmp_path))
    QTest.keyClick(window.windowHandle(), Qt.Key.Key_H, ALT)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    entry = menu.actionGeometry(window.actions_["tour"]).center()
    with qtbot.waitSignal(window.session.open.page_changed, timeout=20_000):
        qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=entry)
    counted.count += 2
    tour = window.workbench.get(Tour)
    qtbot.waitUntil(lambda: window.session.open.page is not None and tour.card.isVisible())
    counted.key(Qt.Key.Key_M)
    counted.click("main p")
    counted.key(Qt.Key.Key_1)
    hand = counted.hand
    hand.hover("aside li")
    qtbot.waitUntil(lambda: window.session.selection.candidate == hand.row("aside"), timeout=20_000)
    hand.click("aside li")
    counted.count += 1
    qtbot.waitUntil(lambda: bool(window.session.open.gold.of_level(1)), timeout=20_000)
    assert hand.marked(1) == [[hand.row("aside")]]
    assert hand.marked(MAIN) == [[hand.row("main p")]]
    assert counted.count == 6
