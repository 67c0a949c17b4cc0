"""Pages marked under an older version of the guideline: found, opened and confirmed by keys."""

import csv
from dataclasses import asdict

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from annotate.marks.gold_file import read_file
from annotate.plugins.exchange.box_writers import write_csv
from annotate.workspace.guideline_versions import mark_versions, older_pages, ref_in_use
from annotate.workspace.workspace import page_key
from gui.features.export.page_export import PageExport
from gui.features.pages.panel import PagesDock
from gui.plugins.exchange.controller import ExchangeController
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
    mark(hand, "#side")  # under the present one; the other mark stays one of the older
    assert names(hand) == ["one.html", "two.html"]
    two = hand.session.documents[1]
    assert str(older_pages(hand.workbench.workspace)[page_key(two)]).startswith("1 of 2 marks ")
    present = ref_in_use(hand.workbench.workspace)
    nav, side = hand.session.open.gold.marks
    versions = mark_versions(hand.workbench.workspace, page_key(two))
    assert versions[side.id] == present != versions[nav.id]
    file = hand.folder / "two.gold.json"
    hand.workbench.get(PageExport).save_gold(str(file))
    stored = {each["id"]: each.get("guideline") for each in read_file(file).records}
    assert stored == {side.id: None, nav.id: asdict(versions[nav.id])}
    (table,) = write_csv([hand.workbench.get(ExchangeController).marked()], hand.folder)
    with table.open(encoding="utf-8") as lines:
        named = [row["guideline"] for row in csv.DictReader(lines)]
    assert named == [str(versions[nav.id]), str(present)]
    hand.session.selection.set_selected([nav.id])
    press(hand, Qt.Key.Key_N)  # its type is set under the present version
    hand.qtbot.waitUntil(lambda: names(hand) == ["one.html"], timeout=20_000)
    press(hand, Qt.Key.Key_Z, CTRL)
    hand.qtbot.waitUntil(lambda: names(hand) == ["one.html", "two.html"], timeout=20_000)
    palette(hand, window, "confirm this page under")
    assert names(hand) == ["one.html"]
    assert set(mark_versions(hand.workbench.workspace, page_key(two)).values()) == {present}
    search = window.panel(PagesDock).filter
    QTest.keyClicks(search, "older guideline")
    hand.qtbot.waitUntil(lambda: len(hand.session.listed) == 1)
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
