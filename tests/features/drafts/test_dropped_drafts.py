"""A draft that was dropped is not offered again, also after a restart, and can be brought back."""

import json
import os
import sqlite3
from contextlib import closing

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from annotate.marks.drafts import FREE_SHARE
from annotate.marks.gold import MarkState
from annotate.workspace.workspace import Workspace, page_key
from gui.features.drafts.controller import BEGINS
from gui.features.outline.panel import OutlineDock
from tests.features.drafts.test_drafts import PAGE
from tests.gui.parts import press
from tests.hand import Hand

pytestmark = pytest.mark.web

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def hand(window, qtbot, tmp_path):
    """Adopt the blocks of Terrain as drafts."""
    for setting in (BEGINS, FREE_SHARE):
        window.workbench.workspace.set_setting(setting, 0)
    made = Hand(window.workbench, qtbot, tmp_path)
    made.open(PAGE, "ferry.html")
    if all(layer.key != "terrain" for layer in window.session.layers.all):
        window.session.layers.add_method("terrain")
    window.session.layers.set_current_layer("terrain")
    qtbot.waitUntil(lambda: "terrain" in window.session.layers.outcomes, timeout=60_000)
    made.wait_for_methods()
    adopt(made)
    assert len(places(made)) > 2
    return made


def adopt(hand):
    press(hand, Qt.Key.Key_A, SHIFT)


def places(hand):
    return {(mark.level, mark.targets) for mark in hand.session.open.gold.drafts()}


def drop(hand, number=0):
    """Select a draft and delete it by its key; return its place."""
    mark = hand.session.open.gold.drafts()[number]
    hand.session.selection.set_selected((mark.id,))
    press(hand, Qt.Key.Key_Delete)
    assert hand.session.open.gold.find(mark.id) is None
    return mark.level, mark.targets


def stored_drops(path):
    """Return the drafts that left by an edit and did not come back, by SQLite and json alone."""
    state, gone = {}, set()
    with closing(sqlite3.connect(path)) as db:
        for step, what, delta in db.execute("SELECT step, what, delta FROM changes ORDER BY page,"
                                            " revision"):  # fmt: skip
            change = json.loads(delta)
            for each in change["drop"]:
                is_draft = state.pop(each).get("draft", False)
                if is_draft and step != "undo" and what.split()[0] in ("drop", "delete"):
                    gone.add(each)
            for record in change["set"]:
                state[record["id"]] = record
                gone.discard(record["id"])
    return gone


def count_shown(hand, window):
    remark = window.panel(OutlineDock).remark()
    return int(remark.split(" · ")[-1].split()[0]) if "dropped" in remark else 0


def choose(hand, window, line):
    press(hand, Qt.Key.Key_P, CTRL | SHIFT)
    field = window.main_area.field
    hand.qtbot.waitUntil(field.isVisible)
    QTest.keyClicks(field.line, line)
    QTest.keyClick(field.line, Qt.Key.Key_Return)


def test_a_dropped_draft_is_not_offered_again_and_counted(hand, window):
    every = places(hand)
    gone = {drop(hand), drop(hand)}
    adopt(hand)
    assert places(hand) == every - gone
    hand.qtbot.waitUntil(lambda: count_shown(hand, window) == 2)
    press(hand, Qt.Key.Key_Delete, SHIFT)  # drop all
    adopt(hand)
    assert places(hand) == set()
    assert f"the rest was dropped ({len(every)})" in hand.session.messages.message
    hand.qtbot.waitUntil(lambda: count_shown(hand, window) == len(every))
    assert len(stored_drops(hand.workbench.workspace.path)) == len(every)
    if folder := os.environ.get("PAGELET_PICTURES"):
        window.grab().save(f"{folder}/dropped.png")


def test_it_is_remembered_in_the_file_and_can_be_brought_back(hand, window):
    gone = drop(hand)
    key, nodes = page_key(hand.session.open.document), hand.session.open.page.rendered()
    with Workspace.reading(hand.workbench.workspace.path) as again:
        dropped = again.dropped_drafts(key, nodes)
    assert [(mark.level, mark.targets) for mark in dropped] == [gone]
    with hand.qtbot.waitSignal(hand.session.open.page_changed, timeout=20_000):
        hand.workbench.navigation.reload()
    hand.wait_for_methods()
    adopt(hand)
    assert gone not in places(hand)
    hand.qtbot.waitUntil(lambda: window.actions_["bring-back-dropped"].isEnabled())
    choose(hand, window, "bring back dropped")
    assert gone in places(hand)
    hand.qtbot.waitUntil(lambda: count_shown(hand, window) == 0)
    press(hand, Qt.Key.Key_Z, CTRL)
    assert gone not in places(hand)
    hand.qtbot.waitUntil(lambda: count_shown(hand, window) == 1)


def test_undone_drops_and_undone_adoptions_reject_nothing(hand, window):
    every = places(hand)
    drop(hand)
    press(hand, Qt.Key.Key_Z, CTRL)
    assert places(hand) == every
    press(hand, Qt.Key.Key_Z, CTRL)
    assert places(hand) == set()
    assert stored_drops(hand.workbench.workspace.path) == set()
    adopt(hand)
    assert places(hand) == every


def test_confirmed_marks_that_are_deleted_reject_nothing(hand, window):
    mark = hand.session.open.gold.drafts()[0]
    hand.session.selection.set_selected((mark.id,))
    press(hand, Qt.Key.Key_Y)
    assert hand.session.open.gold.find(mark.id).state is MarkState.EXACT
    hand.session.selection.set_selected((mark.id,))
    press(hand, Qt.Key.Key_Delete)
    adopt(hand)
    assert (mark.level, mark.targets) in places(hand)


def test_the_check_finds_a_window_that_forgets_drops(hand, window, monkeypatch):
    gone = drop(hand)
    monkeypatch.setattr(hand.workbench.marking, "dropped", tuple)
    adopt(hand)
    assert gone in places(hand)
