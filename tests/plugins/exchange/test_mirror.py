"""Marks kept in files beside pages, and edits of these files taken back, in the window."""

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from gui.plugins.exchange.mirror import IS_ON, Mirror
from tests.gui.annotated import PAGE
from tests.gui.parts import press
from tests.hand import Hand

pytestmark = pytest.mark.web

CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def hand(window, qtbot, tmp_path):
    """Open a page with one block, and keep its marks beside it."""
    made = Hand(window.workbench, qtbot, tmp_path)
    made.open(PAGE, "news.html")
    mark(made, "#nav", Qt.Key.Key_N)
    window.workbench.get(Mirror).toggle()
    rest(made)
    yield made
    window.workbench.workspace.set_setting(IS_ON, False)


def mark(hand, at, letter):
    press(hand, Qt.Key.Key_1)
    count = len(hand.session.open.gold.marks)
    hand.click(at)
    hand.qtbot.waitUntil(lambda: len(hand.session.open.gold.marks) > count, timeout=20_000)
    press(hand, letter)


def rest(hand):
    mirror = hand.workbench.get(Mirror)
    hand.qtbot.waitUntil(lambda: not mirror.is_busy)


def beside(hand):
    return hand.folder / "news.gold.json"


def types(hand):
    return [mark.type for mark in hand.session.open.gold.marks]


def change_type(hand, old, new):
    """Edit the file as another program would: in place of the old one."""
    text = beside(hand).read_text(encoding="utf-8").replace(f'"type": "{old}"', f'"type": "{new}"')
    other = hand.folder / "edited"
    other.write_text(text, encoding="utf-8")
    other.replace(beside(hand))


def asked(hand):
    mirror = hand.workbench.get(Mirror)
    hand.qtbot.waitUntil(lambda: mirror.changed_file == beside(hand))


def test_each_save_changes_the_lines_of_the_changed_marks_alone(hand):
    before = beside(hand).read_text(encoding="utf-8").splitlines()
    mark(hand, "#side", Qt.Key.Key_S)
    rest(hand)
    after = beside(hand).read_text(encoding="utf-8").splitlines()
    assert len(after) == len(before) + 1
    stored = hand.workbench.workspace.store.all("SELECT record FROM marks ORDER BY place")
    written = json.loads(beside(hand).read_text(encoding="utf-8"))["marks"]
    by_id = {record["id"]: record for record in written}
    assert by_id == {r["id"]: r for r in (json.loads(text) for (text,) in stored)}
    assert len(set(before) & set(after)) >= len(before) - 1  # but for a comma
    assert [each.name for each in hand.folder.iterdir() if each.suffix == ".part"] == []


def test_marks_of_a_file_changed_outside_are_taken_at_a_click_and_undone(hand, window):
    change_type(hand, "Menu", "Link list")
    asked(hand)
    banner = window.found.banner
    assert banner.isVisible()
    assert banner.text == "The file news.gold.json was changed outside"
    assert types(hand) == ["Menu"]
    QTest.mouseClick(banner.buttons[0], Qt.MouseButton.LeftButton)
    assert types(hand) == ["Link list"]
    assert banner.isHidden()
    rest(hand)
    press(hand, Qt.Key.Key_Z, CTRL)
    assert types(hand) == ["Menu"]
    rest(hand)
    assert '"type": "Menu"' in beside(hand).read_text(encoding="utf-8")
    assert hand.workbench.get(Mirror).changed_file is None


def test_a_changed_file_is_not_overwritten_before_the_answer(hand, window):
    change_type(hand, "Menu", "Ad")
    asked(hand)
    mark(hand, "#side", Qt.Key.Key_S)
    rest(hand)
    assert '"type": "Ad"' in beside(hand).read_text(encoding="utf-8")
    QTest.mouseClick(window.found.banner.buttons[1], Qt.MouseButton.LeftButton)
    rest(hand)
    text = beside(hand).read_text(encoding="utf-8")
    assert '"type": "Ad"' not in text
    assert text.count('"level"') == 2
    assert types(hand) == ["Menu", "Sidebar"]


def test_a_file_that_cannot_be_written_gives_one_sentence_and_the_marks_are_saved(hand):
    beside(hand).unlink()
    beside(hand).mkdir()
    mark(hand, "#side", Qt.Key.Key_S)
    rest(hand)
    assert hand.session.messages.message.startswith("the marks are saved, but not beside the page")
    assert hand.workbench.saving.is_all_saved
