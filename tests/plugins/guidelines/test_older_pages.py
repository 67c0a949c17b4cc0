"""Pages marked under an older version of the guideline: found, opened and confirmed by keys."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from annotate.workspace.guideline_versions import older_pages
from annotate.workspace.workspace import page_key
from gui.features.pages.panel import PagesDock
from gui.plugins.guidelines.controller import GuidelineController
from gui.plugins.guidelines.older_pages import OlderPages
from gui.plugins.guidelines.state import GuidelineState
from tests.gui.annotated import PAGE
from tests.gui.parts import press
from tests.hand import Hand

pytestmark = pytest.mark.web

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def hand(window, qtbot, tmp_path):
    """Mark two pages, and take a guideline of the project's own."""
    made = Hand(window.workbench, qtbot, tmp_path)
    for name in ("one.html", "two.html"):
        (tmp_path / name).write_text(f"<!doctype html>{PAGE}", encoding="utf-8")
    made.open_path(tmp_path)
    for row in (0, 1):
        if row:
            with qtbot.waitSignal(made.session.open.page_changed, timeout=20_000):
                window.workbench.navigation.open_document(row)
            made.wait_for_methods()
        mark(made, "#nav")
    use(made, "# Menu\n\nLinks.\n")
    yield made
    window.session.get(GuidelineState).show(False)


def mark(hand, at):
    press(hand, Qt.Key.Key_1)
    count = len(hand.session.open.gold.marks)
    hand.click(at)
    hand.qtbot.waitUntil(lambda: len(hand.session.open.gold.marks) > count, timeout=20_000)


def use(hand, text):
    file = hand.folder / "ours.md"
    file.write_text(text, encoding="utf-8")
    hand.workbench.get(GuidelineController).use(str(file))


def names(hand):
    keys = older_pages(hand.workbench.workspace)
    assert keys.keys() == hand.workbench.get(OlderPages).found.keys()
    return [each.name for each in hand.session.documents if page_key(each) in keys]


def palette(hand, window, *lines):
    press(hand, Qt.Key.Key_P, CTRL | SHIFT)
    for line in lines:
        QTest.keyClicks(window.main_area.field.line, line)
        QTest.keyClick(window.main_area.field.line, Qt.Key.Key_Return)


def test_pages_of_an_older_guideline_are_found_and_confirmed_at_once(hand, window):
    assert names(hand) == ["one.html", "two.html"]
    mark(hand, "#side")  # changed under the present one
    assert names(hand) == ["one.html"]
    search = window.panel(PagesDock).filter
    QTest.keyClicks(search, "older guideline")
    hand.qtbot.waitUntil(lambda: len(hand.session.listed) == 1, timeout=10_000)
    with hand.qtbot.waitSignal(hand.session.open.page_changed, timeout=20_000):
        palette(hand, window, "pages of an older guideline", "one")
    assert hand.session.open.document.name == "one.html"
    palette(hand, window, "confirm this page under")
    assert names(hand) == []
    press(hand, Qt.Key.Key_Z, CTRL)
    assert names(hand) == ["one.html"]
    search.clear()


def test_the_former_guideline_makes_its_pages_current_again(hand):
    hand.workbench.get(GuidelineController).drop()
    assert names(hand) == []
    use(hand, "# Menu\n\nLinks, and nothing else.\n")
    hand.workbench.get(OlderPages).confirm_listed()
    assert names(hand) == []
    use(hand, "# Menu\n\nLinks.\n")
    assert names(hand) == ["one.html", "two.html"]
