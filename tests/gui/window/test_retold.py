"""What a view shows is copied as a command and as Python, and both give its numbers again."""

import csv
import shlex
import shutil
import subprocess
import sys

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from algorithms.explain.explanations import Location
from gui.features.evaluate.view import EvaluateView
from gui.features.why.state import WhyState
from gui.window.retold import WORDS, asked_words
from resources import path
from tests.gui.parts import NODES, STORY, press
from tests.hand import Hand

pytestmark = pytest.mark.web

KEYS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def hand(window, qtbot, tmp_path, monkeypatch):
    """Open three sample pages with two methods, of which one has a parameter of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    made = Hand(window.workbench, qtbot, tmp_path)
    folder = tmp_path / "sample pages"
    folder.mkdir()
    for name in ("blog", "forum", "news"):
        for ending in ("html", "gold.json"):
            shutil.copy(path("corpus") / name / f"index.{ending}", folder / f"{name}.{ending}")
    layers = made.session.layers
    layers.set_layers(tuple(layer for layer in layers.all if layer.is_gold))
    layers.add_method("bte")
    layers.add_method("dsc")
    made.open_path(folder)
    made.window = window
    return made


def copied(hand) -> list[str]:
    press(hand, Qt.Key.Key_Period, KEYS)
    return shlex.split(QGuiApplication.clipboard().text())


def run(hand, arguments: list[str]) -> str:
    """Run what was copied in a process of its own."""
    assert arguments[0] == "pagelet"
    call = [sys.executable, "-m", "pagelet_command", *arguments[1:]]
    done = subprocess.run(call, cwd=hand.folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def script(hand) -> dict:
    """Run the copied script; return its names."""
    hand.window.actions_["copy-python"].trigger()
    names: dict = {}
    exec(QGuiApplication.clipboard().text(), names)
    return names


@pytest.mark.slow
def test_a_method_s_result_is_the_same_by_command_and_by_python(hand):
    hand.session.layers.set_current_layer("bte")
    shown = hand.session.layers.outcomes["bte"].result.text.split()
    assert len(shown) > 50
    assert run(hand, copied(hand)).split() == shown
    assert script(hand)["run"].text.split() == shown


@pytest.mark.slow
def test_the_table_s_means_are_the_same_by_command_and_by_python(hand):
    press(hand, Qt.Key.Key_F8)
    table = hand.window.main_area.get(EvaluateView)
    hand.qtbot.mouseClick(table.placeholder.button("Run"), Qt.MouseButton.LeftButton)
    hand.qtbot.waitUntil(lambda: not table.running.is_running, timeout=90_000)
    shown = table.model.shown
    means = {
        each.method: shown.mean(number).value for number, each in enumerate(shown.table.columns)
    }
    run(hand, [*copied(hand), "--report", "none", "--out", "out", "--jobs", "1"])
    with (hand.folder / "out" / "scores.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for method, mean in means.items():
        values = [float(row["value"]) for row in rows
                  if row["method"] == method and row["measure"] == "ws"]  # fmt: skip
        assert sum(values) / len(values) == pytest.approx(mean)
    lines = script(hand)["results"].summary("numpy")
    found = {line["method"]: line["value"] for line in lines if line["measure"] == "ws"}
    assert found == pytest.approx(means)


@pytest.mark.slow
def test_a_question_is_copied_with_its_words(hand):
    page = hand.session.open.page.rendered()
    row = next(k for k in range(len(page)) if len(page.text_below(k).split()) == 9)
    state = hand.session.get(WhyState)
    state.show(True)
    state.location = Location(row, 0)
    arguments = copied(hand)
    words = " ".join(page.text_below(row).split()[:WORDS])
    assert arguments[1] == "why"
    assert arguments[-2:] == ["--text", words]
    assert run(hand, arguments)


def test_gold_that_was_changed_in_the_workspace_is_read_from_there(hand):
    assert hand.window.retold._places() == [str(hand.folder / "sample pages")]
    hand.session.selection.set_selected([hand.session.open.gold.marks[0].id])
    hand.workbench.marking.commands.delete()
    workspace = hand.workbench.workspace
    hand.qtbot.waitUntil(lambda: bool(workspace.gold_digests()))
    assert hand.window.retold._places() == [str(workspace.path)]


def test_words_are_whole_from_the_asked_one_on():
    assert asked_words(NODES, STORY, 8) == "returned this morning."
