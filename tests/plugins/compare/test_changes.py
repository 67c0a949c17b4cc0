"""Changes in the window: two versions run in the background; pages are walked by key."""

import csv
import json

import pytest
from PySide6.QtCore import Qt

from gui.plugins.compare.controller import ChangeBundle, ComparisonController
from gui.plugins.compare.panel import ChangesDock
from gui.plugins.compare.state import ChangeWalk
from tests.gui.parts import press
from tests.hand import Hand
from tests.method_packages import KEEPS_ALL, LOSES_LISTS, method_file, pages

pytestmark = pytest.mark.web

CTRL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)
WAIT = 60_000


@pytest.fixture
def hand(window, qtbot, tmp_path):
    made = Hand(window.workbench, qtbot, tmp_path)
    made.open_path(pages(tmp_path / "set"))
    return made


@pytest.fixture
def walk(window, hand, tmp_path):
    """Compare two versions of a method file, of which the later loses lists."""
    press(hand, Qt.Key.Key_V, CTRL | SHIFT)
    panel, result = window.panel(ChangesDock), window.session.get(ChangeWalk)
    for name, field, code in (
        ("a.py", panel.before, KEEPS_ALL),
        ("b.py", panel.after, LOSES_LISTS),
    ):
        field.setEditText(str(method_file(tmp_path, name, code)))
    panel.run.click()
    hand.qtbot.waitUntil(lambda: not result.is_running, timeout=2 * WAIT)
    assert not result.trouble, result.trouble
    assert result.compared is not None
    return result


def assert_listed_by_type(panel, walk):
    says = [panel.sort.itemText(k) for k in range(panel.sort.count())]
    assert any(each.startswith("listing: 1 of 1, mean −") for each in says)
    article = next(k for k, each in enumerate(says) if each.startswith("article"))
    panel.sort.activated.emit(article)
    assert walk.items == ()
    panel.sort.activated.emit(0)
    assert len(walk.items) == 1


@pytest.mark.slow
def test_changed_pages_are_listed_with_lost_text_drawn_and_exported(window, hand, walk, tmp_path):
    panel, comparing = window.panel(ChangesDock), window.workbench.get(ComparisonController)
    (entry,) = panel.entries()
    assert "lost “One thing Another thing”" in entry
    assert "text lost" in entry
    assert panel.remark() == "1 of 3 pages"
    assert "0 gained more than 0.05, 1 lost; the worst −0.25" in panel.summary.text()
    assert_listed_by_type(panel, walk)
    window.workbench.navigation.open_document(0)
    hand.wait_for_methods()
    press(hand, Qt.Key.Key_N, CTRL | ALT)
    hand.qtbot.waitUntil(lambda: bool(comparing.parts), timeout=WAIT)
    assert window.session.open.document.address.endswith("2.html")
    (part,) = comparing.parts
    assert " ".join(part.text.split()) == "One thing Another thing"
    assert part.ranges
    assert "4 words lost" in panel.detail.text()
    drawn = [each for each in window.workbench.drawing._overlays if each.is_shown()]
    (spec,) = drawn[0].specs(window.workbench.canvas.pieces)
    assert spec["dash"] == "dashed"
    assert "line" not in spec, "struck through is what an error has too much"
    assert spec["boxes"][0]["label"] == "lost: 4 words"

    comparing.write(str(tmp_path / "changes.csv"))
    comparing.write(str(tmp_path / "changes.json"))
    comparing.write(str(tmp_path / "changes.md"))
    (row,) = csv.DictReader((tmp_path / "changes.csv").read_text().splitlines())
    assert row["words_lost"] == "4"
    assert json.loads((tmp_path / "changes.json").read_text())["changed"] == 1
    assert "One thing Another thing" in (tmp_path / "changes.md").read_text()
    bundle = window.workbench.get(ChangeBundle)
    bundle.write(str(tmp_path / "web"))
    hand.qtbot.waitUntil(lambda: not bundle.is_busy, timeout=WAIT)
    assert (tmp_path / "web" / "index.html").is_file()


def test_missing_and_unknown_versions_are_reported(window, hand):
    panel, walk = window.panel(ChangesDock), window.session.get(ChangeWalk)
    press(hand, Qt.Key.Key_V, CTRL | SHIFT)
    panel.run.click()
    assert panel.none.text().startswith("Name two versions")
    panel.before.setEditText("bte")
    panel.after.setEditText("no-such-thing")
    panel.run.click()
    hand.qtbot.waitUntil(lambda: bool(walk.trouble), timeout=WAIT)
    assert "no-such-thing" in panel.none.text()
