"""Comments of all pages are listed, reached by key, resolved and exported."""

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from annotate.plugins.team_work import assignments
from annotate.plugins.team_work.assignments import Assigned
from annotate.plugins.team_work.comments import CommentKind
from annotate.workspace import annotators
from annotate.workspace.annotators import Role
from annotate.workspace.workspace import page_key
from gui.features.pages.panel import PagesDock
from gui.plugins.team_work.team.controller import TeamController
from gui.plugins.team_work.team.panel import CommentsDock
from tests.gui.parts import press
from tests.hand import Hand

pytestmark = pytest.mark.web

CTRL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
PAGES = {
    "a.html": "<title>Ferry</title><h1 id=top>The ferry is back</h1>",
    "b.html": "<title>Mill</title><h1 id=top>The mill is shut</h1>",
}


@pytest.fixture
def hand(window, qtbot, tmp_path):
    """Two pages, each with a block and a comment on it; the second is open."""
    made = Hand(window.workbench, qtbot, tmp_path)
    folder = tmp_path / "site"
    folder.mkdir()
    for name, html in PAGES.items():
        (folder / name).write_text(f"<!doctype html>{html}", encoding="utf-8")
    made.open_path(folder)
    team, session = window.workbench.get(TeamController), window.session
    for number, said in enumerate(("Is this a title?", "Too large")):
        if number:
            with qtbot.waitSignal(session.open.page_changed, timeout=60_000):
                press(made, Qt.Key.Key_Period)
        press(made, Qt.Key.Key_1)
        made.click("#top")
        qtbot.waitUntil(lambda: bool(session.open.gold.marks), timeout=60_000)
        kind = CommentKind.COMMENT if number else CommentKind.QUESTION
        team.say(said, kind, mark=session.open.gold.marks[0].id)
    return made


def title(window):
    return window.workbench.pages.title(window.session.open.document)


@pytest.mark.slow
def test_comments_of_all_pages_are_listed_and_reached_by_key_across_pages(window, hand):
    dock, session = window.panel(CommentsDock), window.session
    press(hand, Qt.Key.Key_N, CTRL | SHIFT)
    assert dock.entries() == ["Ferry", "?  Is this a title?", "Mill", "Too large"]
    with hand.qtbot.waitSignal(session.open.page_changed, timeout=60_000):
        press(hand, Qt.Key.Key_K, ALT)  # the first is on the other page
    assert title(window) == "Ferry"
    assert session.selection.selected == (session.open.gold.marks[0].id,)
    with hand.qtbot.waitSignal(session.open.page_changed, timeout=60_000):
        press(hand, Qt.Key.Key_K, ALT)
    assert title(window) == "Mill"
    assert session.selection.selected == (session.open.gold.marks[0].id,)
    with hand.qtbot.waitSignal(session.open.page_changed, timeout=60_000):
        press(hand, Qt.Key.Key_K, ALT | SHIFT)
    assert title(window) == "Ferry"


def test_a_resolved_comment_is_not_open_and_all_comments_are_exported(window, hand, tmp_path):
    dock = window.panel(CommentsDock)
    press(hand, Qt.Key.Key_Y, ALT | SHIFT)
    assert "choose a comment" in window.session.messages.message
    press(hand, Qt.Key.Key_K, ALT)
    assert dock.entries() == ["Too large"]
    press(hand, Qt.Key.Key_Y, ALT | SHIFT)
    assert dock.entries() == [" ✓  Too large"]
    window.actions_["comments-open"].trigger()
    assert dock.entries() == ["Ferry", "?  Is this a title?"]
    QTest.mouseClick(dock.scope.button("all"), Qt.MouseButton.LeftButton)
    assert len(dock.entries()) == 4
    window.workbench.get(TeamController).export_comments(str(tmp_path / "out.json"))
    rows = json.loads((tmp_path / "out.json").read_text("utf-8"))
    assert [(row["quote"], row["resolved"]) for row in rows] == [
        ("The ferry is back", False), ("The mill is shut", True),
    ]  # fmt: skip
    assert rows[1]["page"] == page_key(window.session.open.document)
    assert "2 comments written" in window.session.messages.message


@pytest.mark.slow
def test_switching_to_an_annotator_lists_the_pages_assigned_to_that_name(window, hand):
    session, store = window.session, window.workbench.workspace.store
    second = page_key(session.open.document)
    with store.saving():
        annotators.add(store, "Ben")
    assignments.assign(store, {"Ben": [Assigned(second)]})
    window.workbench.get(TeamController).work_as("Ben", Role.ANNOTATOR)
    assert session.messages.message.endswith("; listed is the 1 page assigned")
    assert window.panel(PagesDock).titles() == ["Mill"]
