"""Learn from my marks: a model of the workspace's gold is trained in the background."""

import json
import os
import shutil
import sys

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

import resources
from algorithms.core.catalogue import method
from algorithms.own import method_files
from annotate.marks.gold import MAIN, Gold
from annotate.workspace.workspace import page_key
from engine.document import Document
from gui.core.method_watch import MethodWatch
from gui.plugins.training.controller import SETTING, TrainingController
from gui.plugins.training.trainer import Learned
from gui.state.selection import Mode
from tests.annotate.datasets.layouts import put
from tests.gui.parts import HEADER, NODES, TITLE, mark
from tests.hand import Hand

pytestmark = pytest.mark.web

SENTENCES = "The {0} was late that day. Nobody in the {0} knew why it took so long, or how far. "


def page(number):
    address = f"http://site{number}.example/"
    return (
        f"<!doctype html><meta charset=utf-8><title>Late {number}</title>"
        f"<link rel=canonical href={address}><ul class=menu><li><a href=/>Home</a></ul>"
        f"<div class=story id=story><p>{SENTENCES.format(f'ferry{number}') * 3}</p></div>"
        f"<div class=advice><p>{SENTENCES.format('shop') * 2}</p></div>"
    )


@pytest.fixture(autouse=True)
def settings(tmp_path, monkeypatch):
    """Use an empty settings folder, and no method file of the environment."""
    monkeypatch.setenv("PAGELET_SETTINGS", str(tmp_path / "settings"))
    monkeypatch.delenv(method_files.NAMED, raising=False)
    method_files.refresh()
    yield tmp_path / "settings"
    os.environ.pop(method_files.NAMED, None)
    monkeypatch.setenv("PAGELET_SETTINGS", str(tmp_path / "nothing"))
    method_files.refresh()


@pytest.fixture
def hand(window, qtbot, tmp_path):
    made = Hand(window.workbench, qtbot, tmp_path)
    put(tmp_path / "pages", {f"{number:02}.html": page(number) for number in range(11)})
    made.open_path(tmp_path / "pages")
    return made


def mark_story(window, hand):
    window.session.selection.set_mode(Mode.MAIN)
    hand.click("#story")
    hand.qtbot.waitUntil(lambda: bool(window.session.open.gold.marks))


def test_learning_from_too_few_marked_pages_is_refused_with_their_number(window, hand):
    pytest.importorskip("lightgbm", reason="training needs pagelet[train]")
    mark_story(window, hand)
    window.actions_["learn"].trigger()
    assert (
        window.session.messages.message == "mark 10 pages first: 1 have main content, 0 have blocks"
    )
    assert not window.workbench.get(TrainingController).is_busy


def test_learning_without_lightgbm_names_the_package_to_install(window, hand, monkeypatch):
    monkeypatch.setitem(sys.modules, "lightgbm", None)
    window.actions_["learn"].trigger()
    assert (
        window.session.messages.message == 'training needs LightGBM: pip install "pagelet[train]"'
    )


@pytest.mark.slow
def test_a_model_of_ten_marked_pages_is_a_layer_and_can_be_trained_again(window, hand, settings):
    pytest.importorskip("lightgbm", reason="training needs pagelet[train]")
    session, learning = window.session, window.workbench.get(TrainingController)
    for number in range(10):
        if number:
            with hand.qtbot.waitSignal(session.open.page_changed, timeout=20_000):
                window.workbench.navigation.next_page()
            hand.wait_for_methods()
        mark_story(window, hand)
    window.actions_["learn"].trigger()
    assert learning.is_busy
    assert session.messages.message.endswith("go on meanwhile")
    with hand.qtbot.waitSignal(
        session.open.page_changed, timeout=20_000
    ):  # training blocks nothing
        window.workbench.navigation.next_page()
    hand.qtbot.waitUntil(lambda: "Learning: page" in notes(window), timeout=60_000)
    hand.qtbot.waitUntil(lambda: not learning.is_busy, timeout=120_000)
    assert session.messages.message.startswith("Gleaner learned from 10 pages: F1 ")
    assert notes(window) == ""
    key = "gleaner-marks"
    hand.qtbot.waitUntil(lambda: session.layers.current_layer == key, timeout=20_000)
    hand.qtbot.waitUntil(lambda: text_of(session, key) is not None, timeout=20_000)
    assert text_of(session, key).split() == (SENTENCES.format("ferry10") * 3).split()
    file = settings / "methods" / "gleaner-marks.npz"
    card = json.loads(file.with_suffix(".card.json").read_text("utf-8"))
    assert card["data"] == [{"name": "marks.pagelet", "pages": 10, "weight": 1.0}]
    f1 = card["scores"]["by_data"]["marks.pagelet"]["f1"]
    assert f"F1 {f1:.2f} on sites it had not seen" in method(key).summary

    before = method(key).version
    mark_story(window, hand)
    merged = [{"name": "mill", "digest": "ab"}]  # as a merge writes it
    window.workbench.workspace.set_setting("guidelines merged", merged)
    window.actions_["learn"].trigger()
    hand.qtbot.waitUntil(lambda: not learning.is_busy, timeout=120_000)
    hand.qtbot.waitUntil(lambda: method(key).version != before, timeout=20_000)
    assert "; marks: gold was made by 2 guidelines (no guideline named, mill (ab))" in (
        session.messages.message
    )
    assert window.workbench.workspace.setting(SETTING) == {"gleaner": file.name}
    assert len([layer for layer in session.layers.all if layer.key == key]) == 1

    window.actions_["learn"].trigger()
    window.actions_["stop"].trigger()
    assert session.messages.message == "training stopped: no model has changed"
    assert not learning.is_busy


def text_of(session, key):
    outcome = session.layers.outcomes.get(key)
    return None if outcome is None or outcome.result is None else outcome.result.text


def notes(window):
    return window.workbench.notes.get("learning", ("", ""))[0]


# without a browser -----------------------------------------------------------------------------
def mark_pages(window, main, blocks):
    """Store gold on pages: `main` of them get main content, `blocks` of them get blocks."""
    workspace = window.workbench.workspace
    documents = [
        Document(f"https://example.org/{number}", f"https://example.org/{number}")
        for number in range(max(main, blocks))
    ]
    workspace.add_pages(documents)
    for number, document in enumerate(documents):
        marks = [mark("m", MAIN, TITLE)] * (number < main)
        marks += [mark("b", 1, HEADER, type="Header")] * (number < blocks)
        key = page_key(document)
        workspace.load_gold(key, NODES)
        workspace.save_gold(key, Gold(tuple(marks)), NODES, "mark")


@pytest.fixture
def learning(window):
    pytest.importorskip("lightgbm", reason="training needs pagelet[train]")
    made = window.workbench.get(TrainingController)
    yield made
    made.stop()


def test_methods_with_enough_marked_pages_are_trained_until_stopped(window, learning, settings):
    messages, learn = window.session.messages, window.actions_["learn"]
    mark_pages(window, 9, 9)
    learn.trigger()
    assert messages.message == "mark 10 pages first: 9 have main content, 9 have blocks"
    assert (learning.is_busy, notes(window)) == (False, "")
    mark_pages(window, 9, 10)
    learn.trigger()
    assert learning.is_busy
    assert notes(window) == "Learning: reading pages"
    assert "Terrain, learned on your marks" in window.workbench.notes["learning"][1]
    learn.trigger()
    assert messages.message == "a model is being trained already: Ctrl+. stops it"
    QTest.keyClick(window.windowHandle(), Qt.Key.Key_Period, Qt.KeyboardModifier.ControlModifier)
    assert messages.message == "training stopped: no model has changed"
    assert (learning.is_busy, notes(window)) == (False, "")
    messages.say("")
    window.actions_["stop"].trigger()
    assert messages.message == ""
    assert not settings.exists() or not [*settings.rglob("*.npz")]


def test_a_failed_training_is_reported_and_the_next_method_is_trained(window, learning):
    messages = window.session.messages
    mark_pages(window, 10, 10)
    window.actions_["learn"].trigger()
    assert "Trains Gleaner" in window.workbench.notes["learning"][1]
    learning._worker.progressed.emit("page 3 of 10")
    assert notes(window) == "Learning: page 3 of 10"
    learning._worker.failed.emit("training took too much memory")
    assert messages.message == "Gleaner was not trained: training took too much memory"
    assert "Trains Terrain, learned" in window.workbench.notes["learning"][1]
    assert notes(window) == "Learning: reading pages"
    learning._worker.answered.emit(Learned(8, 2, 0.914, None, ("two guidelines",)))
    assert messages.message == (
        "Terrain, learned learned from 8 pages (2 left out): F1 0.91 on sites it had not seen; "
        "two guidelines"
    )
    assert (learning.is_busy, notes(window)) == (False, "")


@pytest.mark.parametrize(
    ("learned", "said"),
    [
        (Learned(1, 0, None, None), "1 page; all are of one site, so how good it is on others is"),
        (Learned(10, 0, 0.5, 0.75), "F1 0.50 on sites it had not seen, Pagelet's own model 0.75"),
    ],
)
def test_the_message_names_the_score_of_a_model_if_it_is_known(window, learning, learned, said):
    mark_pages(window, 10, 0)
    window.actions_["learn"].trigger()
    learning._worker.answered.emit(learned)
    assert said in window.session.messages.message


def test_a_model_of_a_stopped_training_is_not_added_as_a_layer(window, learning, settings, qtbot):
    watch, session = window.workbench.get(MethodWatch), window.session
    mark_pages(window, 10, 0)
    window.actions_["learn"].trigger()
    window.actions_["stop"].trigger()
    (settings / "methods").mkdir(parents=True)
    model = settings / "methods" / window.workbench.workspace.setting(SETTING)["gleaner"]
    shutil.copy(resources.path("gleaner") / "model.npz", model)  # as `pagelet train` writes it
    with qtbot.waitSignal(watch.read, timeout=20_000):
        watch.read_again()
    assert model.stem not in [layer.key for layer in session.layers.all]
    assert "add it with + in the layers" in session.messages.message


def test_a_model_never_overwrites_a_file_outside_its_workspace(window, learning, settings):
    workspace = window.workbench.workspace
    folder = settings / "methods"
    folder.mkdir(parents=True)
    (folder / "gleaner-marks.npz").write_bytes(b"of another workspace")
    mark_pages(window, 10, 0)
    for stored in ({"gleaner": "../mine.npz"}, {"gleaner": "mine.py"}, ["gleaner"], None):
        workspace.set_setting(SETTING, stored)
        window.actions_["learn"].trigger()
        assert workspace.setting(SETTING) == {"gleaner": "gleaner-marks-2.npz"}
        window.actions_["stop"].trigger()
    workspace.set_setting(SETTING, {"gleaner": "mine.npz", "other": "kept"})
    window.actions_["learn"].trigger()
    assert workspace.setting(SETTING) == {"gleaner": "mine.npz", "other": "kept"}
    assert (folder / "gleaner-marks.npz").read_bytes() == b"of another workspace"
