"""Fields of a mark by the guideline, set by keys alone."""

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from annotate.marks.guideline import Guideline, GuidelinePage
from annotate.workspace.stored_guideline import store_in
from gui.plugins.guidelines.controller import GuidelineController
from gui.plugins.guidelines.panel import GuidelineDock
from gui.plugins.guidelines.state import GuidelineState
from tests.gui.annotated import PAGE
from tests.gui.parts import press
from tests.hand import Hand

pytestmark = pytest.mark.web

ALT, CTRL = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ControlModifier
MENU = "Links.\n\n## Fields\n\n- place: choice (top, side)\n- links: number\n"


@pytest.fixture
def hand(window, qtbot, tmp_path):
    """Open a page with a menu that is selected; its type has two fields."""
    made = Hand(window.workbench, qtbot, tmp_path)
    own = Guideline("ours", (GuidelinePage("Menu", MENU),))
    store_in(window.workbench.workspace, own)
    window.workbench.requests.others_marked.emit()
    made.open(PAGE)
    press(made, Qt.Key.Key_1)
    made.click("#nav")
    qtbot.waitUntil(lambda: len(made.session.open.gold.marks) == 1, timeout=20_000)
    press(made, Qt.Key.Key_N)
    yield made
    store_in(window.workbench.workspace, None)
    window.workbench.requests.others_marked.emit()
    window.session.get(GuidelineState).show(False)


def type_in(window, *lines):
    for line in lines:
        field = window.main_area.field
        assert field.isVisible()
        QTest.keyClicks(field.line, line)
        QTest.keyClick(field.line, Qt.Key.Key_Return)


def fields(hand):
    return dict(hand.session.open.gold.marks[0].fields)


def test_fields_are_set_by_keys_stored_and_undone(hand, window):
    press(hand, Qt.Key.Key_O, ALT)
    type_in(window, "place", "si", "links", "12,5")
    assert hand.session.messages.message == "links is a number such as 12.5, not 12,5"
    assert fields(hand) == {"place": "side"}
    press(hand, Qt.Key.Key_O, ALT)
    type_in(window, "links", "3")
    assert fields(hand) == {"place": "side", "links": "3"}
    assert window.main_area.field.isHidden()
    ((record,),) = hand.workbench.workspace.store.all("SELECT record FROM marks")
    assert json.loads(record)["fields"] == {"links": "3", "place": "side"}
    press(hand, Qt.Key.Key_Z, CTRL)
    assert fields(hand) == {"place": "side"}


def test_the_panel_shows_the_fields_of_the_mark_in_hand(hand, window):
    press(hand, Qt.Key.Key_F1, Qt.KeyboardModifier.ShiftModifier)
    text = window.panel(GuidelineDock).text
    hand.qtbot.waitUntil(lambda: "place: no value" in text.toPlainText())
    window.workbench.get(GuidelineController).ask_value("place")
    type_in(window, "top")
    hand.qtbot.waitUntil(lambda: "place: top" in text.toPlainText())
