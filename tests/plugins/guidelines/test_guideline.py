"""Guideline panel: it follows the current type and shows examples from gold."""

import pytest
from PySide6.QtCore import Qt, QUrl

from annotate.workspace import annotators
from annotate.workspace.annotators import Role
from annotate.workspace.stored_guideline import of_workspace
from gui.plugins.guidelines.controller import GuidelineController
from gui.plugins.guidelines.panel import GuidelineDock
from gui.plugins.guidelines.state import GuidelineState
from tests.gui.annotated import PAGE, gold_of  # noqa: F401
from tests.gui.parts import press
from tests.hand import hand_in_window
from tests.plugins.team_work.test_feedback import as_annotator, mark

pytestmark = pytest.mark.web

SHIFT = Qt.KeyboardModifier.ShiftModifier
hand = hand_in_window


def shows(window, hand, title):
    dock = window.panel(GuidelineDock)
    hand.qtbot.waitUntil(lambda: dock.text.toPlainText().startswith(title), timeout=60_000)
    return dock.text.toPlainText()


def test_the_panel_follows_the_current_type_and_shows_a_chosen_page(window, hand):
    dock = window.panel(GuidelineDock)
    press(hand, Qt.Key.Key_F1, SHIFT)
    assert dock.isVisible()
    shows(window, hand, "Main content")
    press(hand, Qt.Key.Key_1)
    press(hand, Qt.Key.Key_N)  # the next blocks are menus
    assert "Navigation: links to the parts" in shows(window, hand, "Menu")
    hand.click("#foot")
    hand.qtbot.waitUntil(lambda: bool(window.session.open.gold.marks), timeout=60_000)
    press(hand, Qt.Key.Key_F)
    text = shows(window, hand, "Footer")
    assert "Belongs" in text
    assert "Does not belong" in text
    assert dock.pages.currentText() == "Footer"
    press(hand, Qt.Key.Key_M)
    press(hand, Qt.Key.Key_Escape)
    shows(window, hand, "Main content")
    dock.pages.setCurrentText("Logo")
    dock.pages.activated.emit(dock.pages.currentIndex())
    shows(window, hand, "Logo")
    press(hand, Qt.Key.Key_F1, SHIFT)
    assert not dock.isVisible()


def test_a_guideline_of_the_workspace_is_stored_shown_and_dropped(window, hand, tmp_path):
    own = tmp_path / "harbour.md"
    own.write_text("# Menu\n\nOnly the main menu.\n", encoding="utf-8")
    guiding, state = window.workbench.get(GuidelineController), window.session.get(GuidelineState)
    guiding.use(str(tmp_path / "missing.md"))
    assert "cannot be read" in window.session.messages.message
    guiding.use(str(own))
    assert of_workspace(window.workbench.workspace).name == "harbour"
    guiding.turn_to("Menu")
    assert "Only the main menu." in shows(window, hand, "Menu")
    assert window.panel(GuidelineDock).remark() == "harbour"
    guiding.turn_to("Footer")
    assert "no page on Footer" in shows(window, hand, "Footer")
    window.actions_["guideline-drop"].trigger()
    assert state.guideline.name == "Pagelet"


@pytest.mark.slow
def test_examples_are_cropped_from_gold_and_a_click_selects_their_marks(window, hand):
    store = window.workbench.workspace.store
    annotators.change(store, window.workbench.workspace.annotator, "Anna", Role.ANNOTATOR)
    mark(window, gold_of(hand, [(1, "Menu", "#nav"), (1, "Menu", "#foot")], []))
    as_annotator(window, hand, "Ruth", Role.REVIEWER)
    mark(window, gold_of(hand, [(1, "Menu", "#nav"), (1, "Footer", "#foot")], []))
    dock, guiding = window.panel(GuidelineDock), window.workbench.get(GuidelineController)
    press(hand, Qt.Key.Key_F1, SHIFT)
    hand.qtbot.waitUntil(lambda: not guiding.is_cropping, timeout=60_000)
    guiding.turn_to("Menu")
    good, other = dock.shown_examples
    assert (good.decided, other.decided) == ("", "Footer")
    assert good.png.startswith(b"\x89PNG")
    text = shows(window, hand, "Menu")
    assert "Examples from gold" in text
    assert "Harbour news: Footer" in text
    dock.text.anchorClicked.emit(QUrl("example:0"))
    assert window.session.selection.selected == (good.mark,)
