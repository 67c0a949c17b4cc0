"""A type renamed everywhere, by keys: marks, guideline, letters and lists follow; one undo."""

import json
import os

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtTest import QTest

from annotate.workspace.stored_guideline import of_workspace, store_in
from gui.features.marks.type_prompt import type_choices
from gui.plugins.guidelines.panel import GuidelineDock
from gui.plugins.guidelines.state import GuidelineState
from tests.gui.annotated import PAGE
from tests.gui.parts import press
from tests.hand import Hand

pytestmark = pytest.mark.web

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
FIELD = "rename a type everywhere"


@pytest.fixture
def hand(window, qtbot, tmp_path):
    """Open two pages, each with a menu and a header."""
    made = Hand(window.workbench, qtbot, tmp_path)
    for _ in range(2):
        made.open(PAGE)
        for at, letter in (("#nav", Qt.Key.Key_N), ("#side", Qt.Key.Key_S)):
            press(made, Qt.Key.Key_1)
            count = len(made.session.open.gold.marks)
            made.click(at)
            qtbot.waitUntil(lambda n=count: len(made.session.open.gold.marks) > n, timeout=20_000)
            press(made, letter)
        qtbot.waitUntil(lambda: types(made) == ["Menu", "Sidebar"])
    yield made
    store_in(window.workbench.workspace, None)
    window.workbench.requests.others_marked.emit()
    window.session.get(GuidelineState).show(False)


def types(hand):
    return [mark.type for mark in hand.session.open.gold.marks]


def stored(hand):
    rows = hand.workbench.workspace.store.all("SELECT record FROM marks ORDER BY page, place")
    return [json.loads(record)["type"] for (record,) in rows]


def type_in(hand, window, *lines):
    """Type lines into the field over the page, as keys."""
    for line in lines:
        field = window.main_area.field
        hand.qtbot.waitUntil(field.isVisible)
        QTest.keyClicks(field.line, line)
        QTest.keyClick(field.line, Qt.Key.Key_Return)


def rename(hand, window, old, new):
    press(hand, Qt.Key.Key_P, CTRL | SHIFT)
    type_in(hand, window, FIELD, old, new)


def test_marks_of_closed_pages_follow_and_one_undo_brings_all_back(hand, window):
    rename(hand, window, "Menu", "Navigation")
    assert types(hand) == ["Navigation", "Sidebar"]
    assert stored(hand) == ["Navigation", "Sidebar"] * 2
    own = of_workspace(hand.workbench.workspace)
    assert own.page("Navigation") is not None
    assert own.page("Menu") is None
    assert hand.session.messages.message.startswith("2 marks on 2 pages: Menu is Navigation now")
    names = [choice.text for choice in type_choices(hand.session)]
    assert "Navigation" in names
    assert "Menu" not in names
    press(hand, Qt.Key.Key_Z, CTRL)
    assert types(hand) == ["Menu", "Sidebar"]
    assert stored(hand) == ["Menu", "Sidebar"] * 2
    assert of_workspace(hand.workbench.workspace) is None
    press(hand, Qt.Key.Key_Z, CTRL | SHIFT)
    assert stored(hand) == ["Navigation", "Sidebar"] * 2


def test_the_letter_gives_the_new_name_and_the_menu_shows_it(hand, window):
    rename(hand, window, "Menu", "Navigation")
    mark = hand.session.open.gold.marks[1]
    hand.session.selection.set_selected((mark.id,))
    press(hand, Qt.Key.Key_N)
    assert types(hand) == ["Navigation", "Navigation"]
    window.actions_.tick(hand.workbench)
    assert window.actions_["type-menu"].text() == "Navigation"


@pytest.mark.slow
def test_a_name_that_is_there_joins_both_types(hand, window):
    rename(hand, window, "Menu", "Sidebar")
    assert stored(hand) == ["Sidebar"] * 4
    page = of_workspace(hand.workbench.workspace).page("Sidebar")
    assert "## Formerly: Menu\n\nNavigation: links to the parts" in page.text
    press(hand, Qt.Key.Key_Z, CTRL)
    assert stored(hand) == ["Menu", "Sidebar"] * 2


@pytest.mark.slow
def test_after_a_restart_undo_on_one_page_still_takes_back_all(hand, window):
    rename(hand, window, "Menu", "Navigation")
    history = hand.workbench.page_session.history
    history._steps.clear()  # as in a window that was opened since
    history._index = 0
    hand.workbench.navigation.reload()
    with hand.qtbot.waitSignal(hand.session.open.page_changed, timeout=20_000):
        pass
    hand.wait_for_methods()
    press(hand, Qt.Key.Key_Z, CTRL)
    assert stored(hand) == ["Menu", "Sidebar"] * 2
    press(hand, Qt.Key.Key_Z, CTRL | SHIFT)
    assert stored(hand) == ["Navigation", "Sidebar"] * 2


@pytest.mark.slow
def test_the_page_of_the_guideline_leads_to_its_name(hand, window):
    press(hand, Qt.Key.Key_F1, SHIFT)
    dock = window.findChild(GuidelineDock)
    hand.qtbot.waitUntil(dock.isVisible)
    window.session.get(GuidelineState).turn_to("Menu")
    assert "Rename this type everywhere…" in dock.text.toPlainText()
    dock.text.anchorClicked.emit(QUrl("rename:"))
    type_in(hand, window, "Navigation")
    assert stored(hand) == ["Navigation", "Sidebar"] * 2
    window.session.get(GuidelineState).turn_to("Navigation")
    hand.qtbot.waitUntil(lambda: "Formerly: Menu" in dock.text.toPlainText())
    if folder := os.environ.get("PAGELET_PICTURES"):
        window.grab().save(f"{folder}/retyped.png")
