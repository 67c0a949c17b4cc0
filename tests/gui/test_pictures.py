"""Pictures of the documentation show what the window says now."""

import subprocess
import sys

import pytest
from PySide6.QtWidgets import QLabel, QWidget

from resources import path
from tests.gui.shown_texts import changes_of, shown_texts, stored_texts
from tests.gui.take_docs import SCENES
from tests.typed_commands import ROOT

OFTEN = [name for name in SCENES if name.startswith(("why-", "agreement-"))]
"""Pictures of statements, which change with the methods."""


def stale(*names: str, module: str = "tests.gui.take_docs") -> str:
    """Return what the window says otherwise than pictures of it, a line each."""
    command = [sys.executable, "-m", module, "--check", *names]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout


@pytest.mark.slow
@pytest.mark.web
def test_pictures_of_statements_match_the_window():
    assert stale(*OFTEN) == ""


@pytest.mark.long
@pytest.mark.web
def test_all_other_pictures_match_the_window():
    assert stale("report", *(name for name in SCENES if name not in OFTEN)) == ""


@pytest.mark.slow
@pytest.mark.web
def test_pictures_of_figures_match_the_figures():
    assert stale(module="tests.plugins.figure.take_figures").split() == []


def test_each_picture_of_the_documentation_has_its_texts_kept():
    pictures = path("pictures")
    names = {
        file.relative_to(pictures).with_suffix("").as_posix() for file in pictures.rglob("*.webp")
    }
    assert names == {name.replace("+", "-") for name in stored_texts()}


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
