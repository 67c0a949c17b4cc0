"""Checks in the window: quiet until asked for, shown by key, fixed where safe."""

import pytest
from PySide6.QtCore import Qt

from annotate.marks import edits
from annotate.marks.gold import Target
from gui.features.checks import controller
from gui.features.checks.panel import ChecksDock
from gui.features.checks.state import CheckWalk
from gui.features.outline.panel import OutlineDock
from gui.widgets.theme import DARK, LIGHT
from tests.features.drafts.test_drafts import PAGE
from tests.gui.parts import press
from tests.hand import Hand, hand_in_window

pytestmark = pytest.mark.web

SHIFT, ALT = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.AltModifier
WAIT = 60_000
hand = hand_in_window


def mark(window, hand, selector, level, kind=""):
    target = Target(hand.row(selector))
    window.workbench.marking.change(
        "mark", lambda gold, nodes: edits.add_block(gold, nodes, [target], level, kind)
    )


def test_findings_are_counted_in_the_status_bar_and_shown_in_the_outline(window, hand):
    mark(window, hand, "#story", 1, "Content")
    mark(window, hand, "#foot", 2)
    hand.qtbot.waitUntil(
        lambda: any(
            "outside every" in entry.finding for entry in window.panel(OutlineDock).entries()
        ),
        timeout=WAIT,
    )
    findings = {entry.type: entry.finding for entry in window.panel(OutlineDock).entries()}
    assert findings["Content"] == ""
    assert window.status_bar.checks.text == f"{len(window.session.get(CheckWalk).items)} to check"
    assert not window.panel(ChecksDock).isVisible()


def test_one_key_shows_a_finding_and_another_ignores_it(window, hand):
    mark(window, hand, "#story", 1, "Content")
    mark(window, hand, "#foot", 2)
    press(hand, Qt.Key.Key_I, ALT)
    walk = window.session.get(CheckWalk)
    assert window.panel(ChecksDock).isVisible()
    assert window.panel(ChecksDock).entries() == [each.says for each in walk.items]
    assert window.session.selection.selected == walk.current.marks
    count = len(walk.items)
    press(hand, Qt.Key.Key_I, SHIFT)
    assert len(walk.items) == count - 1


@pytest.mark.slow
def test_icons_in_the_list_have_the_warning_colour_of_the_theme(window, hand):
    mark(window, hand, "#foot", 2)
    press(hand, Qt.Key.Key_I, ALT)
    seen = []
    for choice, colors in (("dark", DARK), ("light", LIGHT)):
        window.themes.choose(choice)
        image = window.panel(ChecksDock).list.item(0).icon().pixmap(24, 24).toImage()
        inks = {
            image.pixelColor(x, y).name()
            for x in range(image.width())
            for y in range(image.height())
            if image.pixelColor(x, y).alpha() == 255
        }
        seen.append(colors.warn in inks)
    assert seen == [True, True]


@pytest.mark.slow
def test_one_key_deletes_an_empty_mark_and_undo_restores_it(window, qtbot, tmp_path):
    hand = Hand(window.workbench, qtbot, tmp_path)
    hand.open("<p id=full>The ferry is back.</p><p id=void style='margin:0'></p>", "void.html")
    mark(window, hand, "#void", 1, "Content")
    press(hand, Qt.Key.Key_I, ALT)
    assert window.panel(ChecksDock).fix.isEnabled()
    press(hand, Qt.Key.Key_M, SHIFT)
    assert window.session.open.gold.marks == ()
    press(hand, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert len(window.session.open.gold.marks) == 1


def test_d_pressed_twice_marks_a_page_with_findings_as_done(window, hand):
    mark(window, hand, "#foot", 2)
    document = window.session.open.document
    press(hand, Qt.Key.Key_D)
    assert window.workbench.pages.status(document) != "done"
    assert "D again" in window.session.messages.message
    press(hand, Qt.Key.Key_D)
    assert window.workbench.pages.status(document) == "done"


def test_a_refused_d_leaves_the_status_buttons_unchanged(window, hand):
    button = window.toolbar.done
    others = ("status-open", "status-progress")
    before = [window.actions_[name].isChecked() for name in others]
    press(hand, Qt.Key.Key_D)
    assert (
        window.session.messages.message
        == "nothing is marked: D again if the page is done all the same"
    )
    assert [window.actions_[name].isChecked() for name in others] == before
    assert not button.isChecked()
    press(hand, Qt.Key.Key_D)
    assert button.isChecked()


def test_d_pressed_twice_marks_a_page_without_marks_as_done(window, hand):
    document = window.session.open.document
    press(hand, Qt.Key.Key_D)
    assert window.workbench.pages.status(document) != "done"
    assert (
        window.session.messages.message
        == "nothing is marked: D again if the page is done all the same"
    )
    press(hand, Qt.Key.Key_D)
    assert window.workbench.pages.status(document) == "done"


def test_a_repeated_d_does_not_finish_the_next_page(window, hand, tmp_path, monkeypatch):
    for name in ("one", "two"):
        (tmp_path / "two pages").mkdir(exist_ok=True)
        (tmp_path / "two pages" / f"{name}.html").write_text(f"<!doctype html>{PAGE}", "utf-8")
    hand.open_path(tmp_path / "two pages")
    first, second = window.session.documents
    mark(window, hand, "#story", 1, "Content")
    press(hand, Qt.Key.Key_D)
    press(hand, Qt.Key.Key_D)
    assert window.session.open.document == second
    window.session.messages.say("")
    press(hand, Qt.Key.Key_D)
    press(hand, Qt.Key.Key_D)
    assert window.workbench.pages.status(first) == "done"
    assert window.workbench.pages.status(second) != "done"
    assert "D again" not in window.session.messages.message
    hand.qtbot.waitUntil(lambda: window.session.open.page is not None, timeout=WAIT)
    monkeypatch.setattr(controller, "CHECK_S", 0.0)  # as if the page had been shown long enough
    press(hand, Qt.Key.Key_D)
    assert "nothing is marked: D again" in window.session.messages.message


@pytest.mark.slow
def test_the_first_d_in_another_folder_counts_right_after_a_finished_page(
    window, hand, tmp_path, monkeypatch
):
    monkeypatch.setattr(controller, "CHECK_S", 60.0)
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        for page in ("one", "two"):
            (tmp_path / name / f"{page}.html").write_text(f"<!doctype html>{PAGE}", "utf-8")
    hand.open_path(tmp_path / "first")
    press(hand, Qt.Key.Key_D)
    press(hand, Qt.Key.Key_D)
    hand.qtbot.waitUntil(lambda: window.session.open.page is not None, timeout=WAIT)
    hand.open_path(tmp_path / "second")
    window.session.messages.say("")
    press(hand, Qt.Key.Key_D)
    assert "nothing is marked: D again" in window.session.messages.message
