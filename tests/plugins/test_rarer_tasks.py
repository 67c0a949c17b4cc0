"""Twelve tasks of careful annotators, by real events: each click, key, drag and typed text counts.

A text typed into a field is one action, the key that takes it another.
"""

import json
import shutil
from datetime import UTC, datetime, timedelta

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from algorithms.segmentation.terrain import TerrainParams
from annotate.marks import edits
from annotate.marks.drafts import seed_of
from annotate.marks.gold import MarkState, Target
from annotate.marks.guideline import Guideline, GuidelinePage
from annotate.workspace import backups
from annotate.workspace.guideline_versions import older_pages
from annotate.workspace.stored_guideline import store_in
from gui.core import new_window
from gui.features.history.panel import HistoryDock
from gui.features.rescue.report import ReportDock
from gui.plugins.exchange.mirror import IS_ON, Mirror
from gui.plugins.guidelines.controller import GuidelineController
from gui.plugins.guidelines.state import GuidelineState
from tests.gui.annotated import PAGE
from tests.gui.parts import press
from tests.hand import Hand

pytestmark = [pytest.mark.web, pytest.mark.slow]

NONE, ALT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.AltModifier
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
MENU = "Links.\n\n## Fields\n\n- place: choice (top, side)\n"


class Counted:
    """Counts what a hand does in a window."""

    def __init__(self, hand: Hand, window) -> None:
        self.hand, self.window, self.count = hand, window, 0

    def key(self, key: Qt.Key, keys=NONE, at=None) -> None:
        """Press a key on the page, or on another widget."""
        self.hand.qtbot.keyClick(at or self.hand.target, key, keys)
        self.count += 1

    def answer(self, *texts: str) -> None:
        """Type texts into the field over the page, each taken by Enter."""
        field = self.window.main_area.field
        for text in texts:
            self.hand.qtbot.waitUntil(field.isVisible)
            QTest.keyClicks(field.line, text)
            QTest.keyClick(field.line, Qt.Key.Key_Return)
            self.count += 2

    def find(self, *texts: str) -> None:
        """Do what the palette finds by some words, and answer its questions."""
        self.key(Qt.Key.Key_P, CTRL | SHIFT)
        self.answer(*texts)

    def click(self, widget, at: QPoint | None = None) -> None:
        self.hand.qtbot.waitUntil(widget.isVisible)
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton, NONE, at or widget.rect().center())
        self.count += 1

    def drag(self, start: QPoint, end: QPoint) -> None:
        self.hand.drag(start, end)
        self.count += 1

    def wait(self, holds) -> None:
        self.hand.qtbot.waitUntil(holds, timeout=20_000)


@pytest.fixture
def counted(window, qtbot, tmp_path):
    """Open a page whose menu is a block, selected."""
    hand = Hand(window.workbench, qtbot, tmp_path)
    hand.open(PAGE, "news.html")
    press(hand, Qt.Key.Key_1)
    hand.click("#nav")
    qtbot.waitUntil(lambda: len(hand.session.open.gold.marks) == 1, timeout=20_000)
    press(hand, Qt.Key.Key_N)
    yield Counted(hand, window)
    shutil.rmtree(backups.folder_of(window.workbench.workspace.path), ignore_errors=True)


@pytest.fixture
def restored(window):
    """Afterwards, the guideline that ships, and no files beside pages."""
    yield
    window.workbench.workspace.set_setting(IS_ON, False)
    use(window, None)
    window.session.get(GuidelineState).show(False)


def use(window, text: str | None) -> None:
    """Have a guideline with one page, for menus, or the one that ships."""
    own = None if text is None else Guideline("ours", (GuidelinePage("Menu", text),))
    store_in(window.workbench.workspace, own)
    window.workbench.requests.others_marked.emit()


def marks(counted):
    return counted.hand.session.open.gold.marks


@pytest.mark.usefixtures("restored")
def test_five_actions_set_a_field_of_a_mark(counted, window):
    use(window, MENU)
    counted.key(Qt.Key.Key_O, ALT)
    counted.answer("place", "side")
    assert dict(marks(counted)[0].fields) == {"place": "side"}
    assert counted.count == 5


@pytest.mark.usefixtures("restored")
def test_a_page_is_confirmed_under_the_new_guideline_in_three_actions(counted, window):
    workspace, file = window.workbench.workspace, counted.hand.folder / "ours.md"
    file.write_text("# Menu\n\nLinks.\n", encoding="utf-8")
    window.workbench.get(GuidelineController).use(str(file))
    assert len(older_pages(workspace)) == 1
    counted.find("confirm this page under")
    counted.wait(lambda: not older_pages(workspace))
    assert counted.count == 3


@pytest.mark.usefixtures("restored")
def test_files_beside_pages_need_three_actions_and_a_change_of_one_needs_one(counted, window):
    mirror, file = window.workbench.get(Mirror), counted.hand.folder / "news.gold.json"
    counted.find("keep marks in files beside")
    counted.wait(lambda: file.exists() and not mirror.is_busy)
    assert counted.count == 3
    text = file.read_text("utf-8").replace('"type": "Menu"', '"type": "Link list"')
    other = counted.hand.folder / "edited"
    other.write_text(text, encoding="utf-8")
    other.replace(file)
    counted.wait(lambda: mirror.changed_file == file)
    counted.click(window.found.banner.buttons[0])
    assert marks(counted)[0].type == "Link list"
    assert counted.count == 4


def test_a_handle_changes_what_a_mark_takes_in_one_action(counted):
    hand = counted.hand
    press(hand, Qt.Key.Key_V)
    targets = [Target(hand.row("#story"))]
    hand.workbench.marking.change("mark", lambda g, n: edits.add_block(g, n, targets, 1))
    made = marks(counted)[-1]
    hand.session.selection.set_selected([made.id])
    hand.workbench.drawing.draw()
    spots = {each["name"]: each["at"] for each in hand.ask("pagelet.handles.spots()")}
    zoom = hand.workbench.canvas.view.zoomFactor()
    start = QPoint(*(round(x * zoom) for x in spots["s"]))
    floor = hand.ask("document.querySelector('#second').getBoundingClientRect().bottom")
    counted.drag(start, QPoint(start.x(), round((floor + 4) * zoom)))
    counted.wait(lambda: hand.session.open.gold.find(made.id).targets != made.targets)
    assert counted.count == 1


def test_the_history_leads_to_an_earlier_state_in_two_actions(counted, window):
    counted.key(Qt.Key.Key_H, CTRL)
    dock = window.findChild(HistoryDock)
    counted.wait(lambda: dock.isVisible() and bool(dock.items()))
    place = dock.tree.visualItemRect(dock.items()[-1]).center()
    counted.click(dock.tree.viewport(), place)
    counted.wait(lambda: not marks(counted))
    assert counted.count == 2


def test_one_action_copies_a_command(counted):
    QGuiApplication.clipboard().setText("")
    counted.key(Qt.Key.Key_Period, CTRL | SHIFT)
    assert QGuiApplication.clipboard().text().startswith("pagelet ")
    assert counted.count == 1


def test_five_actions_restore_a_backup(counted, window, monkeypatch):
    path, opened = window.workbench.workspace.path, []
    monkeypatch.setattr(new_window, "open_window", lambda *words: bool(opened.append(words)))
    backups.rotate(path, datetime.now(UTC) - timedelta(hours=6))
    field = window.main_area.field
    counted.find("restore an earlier state")
    counted.wait(lambda: any("mark" in each.remark for each in field._offered))
    counted.key(Qt.Key.Key_Down, at=field.line)  # to the newest: nothing is chosen at first
    counted.key(Qt.Key.Key_Return, at=field.line)
    counted.wait(lambda: bool(opened))
    assert counted.count == 5


def test_a_report_of_a_problem_is_copied_in_four_actions(counted, window):
    QGuiApplication.clipboard().setText("")
    counted.find("report a problem")
    dock = window.findChild(ReportDock)
    counted.wait(dock.isVisible)
    copy = next(each for each in dock.findChildren(QPushButton) if each.text() == "Copy")
    counted.click(copy)
    assert "Chromium" in QGuiApplication.clipboard().text()
    assert counted.count == 4
    dock.hide()


@pytest.mark.usefixtures("restored")
def test_a_type_is_renamed_everywhere_in_seven_actions(counted):
    counted.find("rename a type everywhere", "Menu", "Navigation")
    counted.wait(lambda: marks(counted)[0].type == "Navigation")
    (record,) = counted.hand.workbench.workspace.store.all("SELECT record FROM marks")
    assert json.loads(record[0])["type"] == "Navigation"
    assert counted.count == 7


def test_one_action_drops_a_draft_and_three_restore_it(counted):
    hand = counted.hand
    targets = [Target(hand.row("#side"))]
    hand.workbench.marking.change("mark", lambda g, n: edits.add_block(g, n, targets, 1))
    made = marks(counted)[-1]
    seed = seed_of("terrain", "1", TerrainParams(), "rendered")
    draft = made.with_(state=MarkState.DRAFT, seed=seed)
    hand.workbench.marking.change(
        "draft", lambda g, _n: type(g)(tuple(draft if m.id == made.id else m for m in g.marks))
    )
    hand.session.selection.set_selected([made.id])
    counted.key(Qt.Key.Key_Delete)
    assert hand.session.open.gold.find(made.id) is None
    counted.wait(lambda: hand.session.open.dropped == 1)
    assert counted.count == 1
    counted.find("bring back dropped")
    counted.wait(lambda: hand.session.open.gold.find(made.id) is not None)
    assert hand.session.open.gold.find(made.id).is_draft
    assert counted.count == 4
