"""The memory limit of a page, set in the window."""

import os

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest

from engine import memory
from gui.window.memory_setting import MemorySetting

pytestmark = pytest.mark.web


@pytest.fixture(autouse=True)
def no_variable(monkeypatch):
    monkeypatch.setenv(memory.VARIABLE, "")
    monkeypatch.delenv(memory.VARIABLE)


def set_by_keys(window, text):
    window.actions_["memory"].trigger()
    QTest.keyClicks(window.type_field.line, text)
    QTest.keyClick(window.type_field.line, Qt.Key.Key_Return)


def restart(window):
    """Read the stored settings as a window that starts now does."""
    settings = QSettings(window._settings.fileName(), window._settings.format())
    MemorySetting(settings, window.type_field, window.session)


def test_a_typed_limit_applies_at_once_to_child_processes_and_after_a_restart(window):
    assert memory.limit() == 1_500_000_000
    set_by_keys(window, "2.5 GB")
    assert memory.limit() == 2_500_000_000
    assert os.environ[memory.VARIABLE] == "2.5"
    del os.environ[memory.VARIABLE]
    restart(window)
    assert memory.limit() == 2_500_000_000


def test_the_limit_of_the_command_line_overrides_the_stored_one(window):
    set_by_keys(window, "4")
    memory.set_limit("3")
    restart(window)
    assert memory.limit() == 3_000_000_000


def test_an_invalid_limit_is_refused_with_a_message(window):
    messages = []
    window.session.messages.message_changed.connect(
        lambda: messages.append(window.session.messages.message)
    )
    for text in ("much", "0.1"):
        set_by_keys(window, text)
    assert memory.limit() == 1_500_000_000
    assert messages == [
        f"memory for a page must be a number of GB, at least 0.5, got {text!r}"
        for text in ("much", "0.1")
    ]
