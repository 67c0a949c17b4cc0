"""Pictures of the documentation show what the window says now."""

import subprocess
import sys

import pytest
from PySide6.QtWidgets import QLabel, QWidget

from tests.gui.shown_texts import changes_of, shown_texts
from tests.gui.take_docs import SCENES
from tests.typed_commands import ROOT

OFTEN = [name for name in SCENES if name.startswith(("why-", "agreement-"))]
"""Pictures of statements, which change with the methods."""


def stale(*names: str) -> str:
    """Return what the window says otherwise than pictures of it, a line each."""
    command = [sys.executable, "-m", "tests.gui.take_docs", "--check", *names]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout


@pytest.mark.slow
@pytest.mark.web
def test_pictures_of_statements_show_what_the_window_says():
    assert stale(*OFTEN) == ""


@pytest.mark.long
@pytest.mark.web
def test_all_other_pictures_show_what_the_window_says():
    assert stale(*(name for name in SCENES if name not in OFTEN)) == ""


def test_a_withdrawn_statement_is_found(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    label = QLabel("rests on class and id", window)
    window.show()
    before = shown_texts(window)
    assert before == ["rests on class and id"]
    label.setText("weaker without class and id")
    assert changes_of("why", before, shown_texts(window)) == [
        "why: no longer: rests on class and id",
        "why: not shown: weaker without class and id",
    ]
    label.setText("12 tries")
    assert shown_texts(window) == ["…"]
