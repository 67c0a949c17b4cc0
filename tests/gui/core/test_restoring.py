"""A damaged workspace offers its last backup without blocking the window."""

import pytest
from PySide6.QtCore import QProcess, Qt

from annotate.workspace import backups
from annotate.workspace.workspace import Workspace
from engine.document import Document
from tests.gui.parts import make_window

pytestmark = pytest.mark.web

KEYS = [f"https://example.org/{k}" for k in range(300)]


@pytest.fixture
def path(tmp_path):
    """Return a workspace with a backup, one of whose pages of 4 kB was overwritten since."""
    path = tmp_path / "marks.pagelet"
    with Workspace.open(path) as workspace:
        workspace.add_pages([Document(key, key, title="x" * 100) for key in KEYS])
    backups.rotate(path)
    data = bytearray(path.read_bytes())
    at = data.find(KEYS[150].encode()) // 4096 * 4096
    data[at : at + 4096] = bytes(4096)
    path.write_bytes(data)
    return path


@pytest.fixture
def started(monkeypatch):
    """Record the commands that would start new windows."""
    commands = []
    monkeypatch.setattr(
        QProcess, "startDetached", lambda program, words: (commands.append(words), (True, 1))[1]
    )
    return commands


def test_one_click_replaces_a_damaged_workspace_by_its_backup(path, qtbot, started):
    window = make_window(path.parent)
    qtbot.addWidget(window)
    assert "damaged" in window.workbench.workspace.damage
    assert window.restore.isVisible()
    assert "The workspace is damaged; the backup of" in window.restore.text
    (button,) = window.restore.buttons
    assert button.text() == "Take the backup"
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert not window.isVisible()
    window.close_down()
    (words,) = started
    assert words[-2:] == ["--workspace", str(path)]
    with Workspace.open(path) as workspace:
        assert not workspace.damage
        assert len(workspace.pages()) == len(KEYS)
    (remaining,) = path.parent.glob("marks damaged *.pagelet")
    assert remaining.stat().st_size


def test_an_undamaged_workspace_offers_no_backup(window):
    assert not window.restore.isVisible()
    assert not window.actions_["take-backup"].isEnabled()
