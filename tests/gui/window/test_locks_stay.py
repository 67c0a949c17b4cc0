"""Whatever is done in the window: nothing drops the locks that it has on its workspace."""

import os
import sys
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtCore import QProcess
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication, QFileDialog

from annotate import workspace_file
from gui.state.session import Mode
from gui.window.actions import ACTIONS
from tests.hand import Hand

pytestmark = [
    pytest.mark.web,
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="reads the kernel's list of locks"),
]

PAGE = "".join(f"<h2>Part {k}</h2><p id=p{k}>Paragraph {k}.</p>" for k in range(9))

LEFT = {"quit", "full-screen", "repeatable", "reload"}
"""They end the window, or load the page again."""


def locks(path):
    """The POSIX locks this process has on a file, as the kernel says."""
    inode = path.stat().st_ino
    rows = (line.split() for line in Path("/proc/locks").read_text().splitlines())
    return [r for r in rows if r[1] == "POSIX" and r[4] == str(os.getpid())
            and r[5].endswith(f":{inode}")]  # fmt: skip


@pytest.fixture
def hand(window, qtbot, tmp_path, monkeypatch):
    monkeypatch.setattr(QProcess, "startDetached", lambda *_words: (True, 1))
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _url: True)
    made = Hand(window.workbench, qtbot, tmp_path)
    made.open(PAGE)
    window.dialogs._settings.setValue("folder", str(tmp_path))
    made.workbench.set_mode(Mode.LEVEL_1)
    made.session.set_candidate(made.row("#p1"))
    made.workbench.take_candidate()
    return made


def test_no_action_drops_the_locks(hand, window, qtbot):
    path = hand.workbench.workspace.path
    dropped, run = [], 0
    with closing(workspace_file.connect(path, "ro", 1)) as reader:
        for action in ACTIONS:
            hand.session.set_selected([mark.id for mark in hand.session.gold.marks[:1]])
            if action.name in LEFT or not window.actions_[action.name].isEnabled():
                continue
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM pages").fetchone()
            assert locks(path), "nothing is locked: the test would see nothing"
            window.actions_[action.name].trigger()
            run += 1
            qtbot.wait(20)
            close_dialogs()
            if not locks(path):
                dropped.append(action.name)
            reader.execute("COMMIT")
            qtbot.waitUntil(lambda: not hand.workbench.saving.is_waiting)
    assert not dropped
    assert run > 60
    print(f"{run} actions, none dropped a lock")


def close_dialogs():
    for each in QApplication.topLevelWidgets():
        for dialog in each.findChildren(QFileDialog):
            dialog.reject()


def test_a_plain_reader_in_this_process_would_be_seen(hand):
    path = hand.workbench.workspace.path
    with closing(workspace_file.connect(path, "ro", 1)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM pages").fetchone()
        assert locks(path)
        path.read_bytes()
        assert not locks(path)
