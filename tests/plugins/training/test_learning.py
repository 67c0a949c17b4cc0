"""Learn from my marks: a model of the workspace's own gold, as a layer, while one goes on."""

import json
import os
import sys

import pytest

from algorithms.core.catalogue import method
from algorithms.own import method_files
from gui.plugins.training.controller import SETTING, TrainingController
from gui.state.selection import Mode
from tests.annotate.datasets.layouts import put
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
    """Settings of its own, and no file named before."""
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


def test_without_enough_marked_pages_it_says_how_many_there_are(window, hand):
    pytest.importorskip("lightgbm", reason="training needs pagelet[train]")
    mark_story(window, hand)
    window.actions_["learn"].trigger()
    assert (
        window.session.messages.message == "mark 10 pages first: 1 have main content, 0 have blocks"
    )
    assert not window.workbench.get(TrainingController).is_busy


def test_without_what_trains_it_says_what_to_install(window, hand, monkeypatch):
    monkeypatch.setitem(sys.modules, "lightgbm", None)
    window.actions_["learn"].trigger()
    assert (
        window.session.messages.message == 'training needs LightGBM: pip install "pagelet[train]"'
    )


@pytest.mark.slow
def test_a_model_of_ten_marked_pages_is_a_layer_and_is_learned_anew(window, hand, settings):
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
    with hand.qtbot.waitSignal(session.open.page_changed, timeout=20_000):  # nothing waits for it
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
