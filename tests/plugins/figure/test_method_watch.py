"""A method in a file: it runs again when the file is saved, and errors name the line."""

import os
import shutil
from pathlib import Path

import pytest

import resources
from algorithms.own import method_files
from gui.plugins.figure.panel import FigureDock
from tests.gui.core.test_method_watch import LONG


@pytest.fixture
def file(tmp_path, monkeypatch):
    made = Path(shutil.copy(resources.path("plugins/template.py"), tmp_path / "long_texts.py"))
    monkeypatch.setenv("PAGELET_SETTINGS", str(tmp_path / "settings"))
    method_files.name(made)
    method_files.refresh()
    yield made
    os.environ.pop(method_files.NAMED, None)
    method_files.refresh()


@pytest.mark.web
def test_the_figure_of_a_method_file_is_shown_in_the_panel(file, hand, qtbot):
    hand.open(f"<p>{LONG}</p><a href=x>short link</a>")
    dock = FigureDock(hand.workbench)
    qtbot.addWidget(dock)
    dock.show()
    hand.session.layers.add_method("long-texts")
    hand.wait_for_methods()
    qtbot.waitUntil(lambda: "Length of each text" in dock.titles, timeout=9000)
    assert dock.plot.line("words").value() == 12
