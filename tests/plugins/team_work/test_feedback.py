"""Changes of a reviewer are shown to the annotator mark by mark."""

import pytest
from PySide6.QtCore import Qt

from annotate.marks.gold import MAIN, Gold
from annotate.plugins.team_work.feedback import Change, change, differences
from annotate.workspace import annotators
from annotate.workspace.annotators import Role
from annotate.workspace.workspace import PageStatus, page_key
from gui.plugins.team_work.review.feedback_panel import FeedbackDock
from gui.plugins.team_work.review.feedback_state import FeedbackState
from gui.plugins.team_work.team.controller import TeamController
from tests.gui.annotated import PAGE, gold_of
from tests.gui.parts import press
from tests.hand import Hand
from tests.plugins.team_work.test_review import ALT, CTRL

pytestmark = pytest.mark.web

ANNA = [(1, "Header", "#top"), (1, "Menu", "#nav"), (1, "Sidebar", "#side"), (2, "Ad", "#one")]
RUTH = [(1, "Header", "#top"), (1, "Link list", "#nav"), (1, "Sidebar", "#two"),
        (1, "Footer", "#foot")]  # fmt: skip


def as_annotator(window, hand, name, role=Role.ANNOTATOR):
    with hand.qtbot.waitSignal(window.session.open.page_changed, timeout=60_000):
        window.workbench.get(TeamController).work_as(name, role)


@pytest.fixture
def hand(window, qtbot, tmp_path):
    """Open a page and mark it as Anna."""
    made = Hand(window.workbench, qtbot, tmp_path)
    made.open(PAGE, "ferry.html")
    store = window.workbench.workspace.store
    annotators.change(store, window.workbench.workspace.annotator, "Anna", Role.ANNOTATOR)
    mark(window, gold_of(made, ANNA, ["#first", "#second"]))
    return made


def mark(window, gold):
    window.workbench.marking.change("mark", lambda _gold, _nodes: gold)


@pytest.mark.slow
def test_changes_of_a_reviewed_page_are_listed_and_reached_by_key(window, hand):
    session, dock = window.session, window.panel(FeedbackDock)
    state = session.get(FeedbackState)
    press(hand, Qt.Key.Key_J, CTRL | ALT)
    assert "no reviewer has said" in session.messages.message
    as_annotator(window, hand, "Ruth", Role.REVIEWER)
    mark(window, gold_of(hand, RUTH, ["#first", "#second", "#third"]))
    as_annotator(window, hand, "Anna")
    assert not state.items  # not done yet
    as_annotator(window, hand, "Ruth", Role.REVIEWER)
    key = page_key(session.open.document)
    window.workbench.workspace.set_status(key, PageStatus.DONE)
    as_annotator(window, hand, "Anna")
    hand.qtbot.waitUntil(lambda: bool(state.items), timeout=60_000)
    assert dock.isVisible()
    assert session.messages.message == (
        "Ruth reviewed this page: 2 added, 1 moved, 1 removed and 1 retyped"
    )
    assert dock.entries()[0] == "Retyped: Menu → Link list: Home Ferries Tide tables"
    seen = []
    for _ in state.items:
        press(hand, Qt.Key.Key_J, CTRL | ALT)
        seen.append(change(state.current))
        assert state.status in dock.bar.status.text()
    assert sorted(seen) == sorted(
        [Change.RETYPED, Change.ADDED, Change.MOVED, Change.REMOVED, Change.ADDED]
    )
    press(hand, Qt.Key.Key_R, CTRL | ALT)
    assert not dock.isVisible()


def test_feedback_is_updated_by_the_next_marks_of_the_annotator(window, hand):
    state = window.session.get(FeedbackState)
    as_annotator(window, hand, "Ruth", Role.REVIEWER)
    ruth = gold_of(hand, RUTH[:2], ["#first", "#second"])
    mark(window, ruth)
    key = page_key(window.session.open.document)
    window.workbench.workspace.set_status(key, PageStatus.DONE)
    assert not state.items  # a reviewer gets no feedback
    as_annotator(window, hand, "Anna")
    hand.qtbot.waitUntil(lambda: len(state.items) == 3, timeout=60_000)
    mark(window, ruth)
    hand.qtbot.waitUntil(lambda: not state.items, timeout=60_000)
    assert (
        "Ruth reviewed this page and changed nothing." in window.panel(FeedbackDock).summary.text()
    )


@pytest.mark.slow
def test_every_kind_of_change_is_named(window, hand):
    nodes = window.session.open.page.rendered()

    def named(mine, theirs):
        return [change(each) for each in differences(nodes, mine, theirs, "Ruth")]

    menu = gold_of(hand, [(1, "Menu", "#nav")], [])
    unsure = Gold(tuple(each.with_(is_unsure=True) for each in menu.marks))
    parts = gold_of(hand, [(1, "Content", f"#{name}") for name in ("first", "second", "third")], [])
    assert named(menu, Gold()) == [Change.REMOVED]
    assert named(Gold(), menu) == [Change.ADDED]
    assert named(menu, gold_of(hand, [(1, "Ad", "#nav")], [])) == [Change.RETYPED]
    assert named(gold_of(hand, [(1, "Content", "#story")], []), parts) == [Change.SPLIT]
    assert named(unsure, menu) == [Change.CONFIRMED]
    main = differences(nodes, gold_of(hand, [], ["#first"]), gold_of(hand, [], ["#second"]), "Ruth")
    assert [(each.level, change(each)) for each in main] == [
        (MAIN, Change.REMOVED), (MAIN, Change.ADDED),
    ]  # fmt: skip
