"""Earlier states are listed with date and counts; a report shows what it holds."""

import logging
import os
import random
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from annotate.workspace import backups
from annotate.workspace.workspace import Workspace
from engine.document import Document
from gui.core import new_window
from gui.features.rescue.report import ReportDock, Reporter
from tests.annotate.pages import nodes_of
from tests.gui.annotated import PAGE
from tests.gui.parts import press
from tests.hand import Hand
from tests.oracles.test_types_everywhere import IDS, mark_some

pytestmark = pytest.mark.web

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
SECRET = "The ferry returned"


@pytest.fixture
def hand(window, qtbot, tmp_path):
    made = Hand(window.workbench, qtbot, tmp_path)
    made.open(PAGE)
    yield made
    shutil.rmtree(backups.folder_of(window.workbench.workspace.path), ignore_errors=True)


def choose(hand, window, *lines):
    press(hand, Qt.Key.Key_P, CTRL | SHIFT)
    for line in lines:
        field = window.main_area.field
        hand.qtbot.waitUntil(field.isVisible)
        QTest.keyClicks(field.line, line)
        QTest.keyClick(field.line, Qt.Key.Key_Return)


def count_in(path):
    with closing(sqlite3.connect(path)) as db:
        return db.execute("SELECT count(*) FROM marks").fetchone()[0]


def test_backups_are_listed_with_date_and_counts_the_newest_first(hand, window):
    path, now = window.workbench.workspace.path, datetime.now(UTC)
    for hours in (30, 6):
        copy = backups.rotate(path, now - timedelta(hours=hours))
        if copy is None:  # nothing has changed since
            os.utime(path)
            copy = backups.rotate(path, now - timedelta(hours=hours))
        assert copy is not None
    (backups.folder_of(path) / f"{now:%Y-%m-%dT%H-%M-%S}.pagelet").write_bytes(b"no workspace")
    press(hand, Qt.Key.Key_1)
    hand.click("#nav")
    hand.qtbot.waitUntil(lambda: len(hand.session.open.gold.marks) == 1, timeout=20_000)
    choose(hand, window, "restore an earlier state")
    field = window.main_area.field
    hand.qtbot.waitUntil(field.isVisible)
    offered = field._offered
    assert len(offered) == 2
    assert offered[0].remark == "1 page, 0 marks (−1)"
    if folder := os.environ.get("PAGELET_PICTURES"):
        window.grab().save(f"{folder}/restore.png")
    QTest.keyClick(field.line, Qt.Key.Key_Escape)


def test_an_earlier_state_opens_in_a_new_window_and_the_present_one_is_kept(
    hand, window, monkeypatch
):
    path, opened = window.workbench.workspace.path, []
    monkeypatch.setattr(new_window, "open_window", lambda *words: bool(opened.append(words)))
    backups.rotate(path, datetime.now(UTC) - timedelta(hours=6))
    press(hand, Qt.Key.Key_1)
    hand.click("#nav")
    hand.qtbot.waitUntil(lambda: len(hand.session.open.gold.marks) == 1, timeout=20_000)
    (before,) = backups.listed(path)
    window.workbench.restoring.put_back(before)
    assert opened[0][-1] == str(path)
    assert count_in(path) == 0
    newest = backups.listed(path)[0]
    assert (newest.path.stem.partition(" ")[0], newest.marks) == ("restored", 1)
    assert newest.path.name in hand.session.messages.message
    backups.put_back(path, newest)
    assert count_in(path) == 1


@pytest.mark.parametrize("is_damaged", [False, True])
def test_a_damaged_backup_leaves_the_workspace_as_it_is(tmp_path, is_damaged):
    """The planted fault: half of the backup is gone."""
    path, nodes = tmp_path / "work.pagelet", nodes_of("".join(f"<p id={x}>{x}</p>" for x in IDS))
    with Workspace.open(path) as workspace:
        keys = [f"https://example.org/{number}" for number in range(4)]
        workspace.add_pages([Document(key, key) for key in keys])
        mark_some(workspace, nodes, random.Random(1), 10)
    backups.rotate(path)
    (copy,) = backups.listed(path)
    with Workspace.open(path) as workspace:
        mark_some(workspace, nodes, random.Random(2), 10)
    now = count_in(path)
    if is_damaged:
        with copy.path.open("r+b") as file:
            file.truncate(copy.path.stat().st_size // 2)
        with pytest.raises((sqlite3.Error, OSError)):
            backups.put_back(path, copy)
    else:
        backups.put_back(path, copy)
    assert count_in(path) == (now if is_damaged else copy.marks)


def test_a_report_shows_what_it_holds_and_no_page_unless_ticked(hand, window, tmp_path):
    logging.getLogger("pagelet").warning("cannot read https://example.org/secret of “Anna”")
    choose(hand, window, "report a problem")
    dock = window.findChild(ReportDock)
    hand.qtbot.waitUntil(dock.isVisible)
    text = dock.preview.toPlainText()
    assert "Chromium" in text
    assert "cannot read … of …" in text
    for private in ("example.org", "Anna", SECRET, str(tmp_path)):
        assert private not in text
    if folder := os.environ.get("PAGELET_PICTURES"):
        window.grab().save(f"{folder}/report.png")
    dock.has_page.setFocus()
    QTest.keyClick(dock.has_page, Qt.Key.Key_Space)
    full = dock.preview.toPlainText()
    assert SECRET in full
    assert "https://example.org/secret" in full
    hand.workbench.get(Reporter).copy(full)
    assert QGuiApplication.clipboard().text() == full
    hand.workbench.get(Reporter).write(str(tmp_path / "report.txt"), text)
    assert (tmp_path / "report.txt").read_text("utf-8") == text
    hand.workbench.get(Reporter).write(str(tmp_path / "no" / "report.txt"), text)
    assert hand.session.messages.message.startswith("not saved: ")
    choose(hand, window, "report a problem")
    hand.qtbot.waitUntil(lambda: not dock.isVisible())
