"""A quiz page is marked, compared with the known gold mark by mark, and counted."""

import pytest
from PySide6.QtCore import Qt

from annotate.marks import gold_file
from annotate.marks.gold import Gold
from annotate.plugins.team_work import assignments
from annotate.plugins.team_work.assignments import Assigned, deal
from annotate.plugins.team_work.quiz import QuizResult, results
from annotate.workspace import annotators
from annotate.workspace.annotators import Role
from annotate.workspace.workspace import page_key
from engine.errors import InputError
from gui.plugins.team_work.review.feedback_panel import FeedbackDock
from gui.plugins.team_work.review.feedback_state import FeedbackState
from gui.plugins.team_work.team.panel import TeamDock
from tests.gui.annotated import PAGE, gold_of
from tests.gui.parts import press
from tests.hand import Hand
from tests.plugins.team_work.test_feedback import mark
from tests.plugins.team_work.test_review import ALT, CTRL

pytestmark = pytest.mark.web

KNOWN = [(1, "Header", "#top"), (1, "Menu", "#nav"), (1, "Footer", "#foot")]
MINE = [(1, "Header", "#top"), (1, "Link list", "#nav")]


@pytest.fixture
def hand(window, qtbot, tmp_path):
    """Open a folder as Anna with a quiz page and another page."""
    made = Hand(window.workbench, qtbot, tmp_path)
    folder = tmp_path / "site"
    folder.mkdir()
    made.folder = folder
    made.open(PAGE, "ferry.html")
    session, workspace = window.session, window.workbench.workspace
    gold_file.write(folder / "ferry.gold.json", session.open.page, gold_of(made, KNOWN, ["#first"]))
    (folder / "mill.html").write_text("<!doctype html><title>Mill</title><p>Shut", "utf-8")
    annotators.change(workspace.store, workspace.annotator, "Anna", Role.ANNOTATOR)
    key = page_key(session.open.document)
    assignments.assign(workspace.store, {"Anna": [Assigned(key, True, True)]})
    made.open_path(folder)
    return made


def test_a_quiz_page_hides_its_gold_until_done_then_shows_the_differences(window, hand):
    session, state = window.session, window.session.get(FeedbackState)
    dock, team = window.panel(FeedbackDock), window.panel(TeamDock)
    quiz = session.open.document
    assert session.open.gold == Gold()  # its gold is known, and not shown
    assert not state.items
    hand.qtbot.waitUntil(
        lambda: session.messages.message.startswith("this page is a quiz"), timeout=60_000
    )
    mark(window, gold_of(hand, MINE, ["#first"]))
    press(hand, Qt.Key.Key_D)
    if session.messages.message.endswith("D again if the page is done all the same"):
        press(hand, Qt.Key.Key_D)
    hand.qtbot.waitUntil(lambda: bool(state.items), timeout=60_000)
    assert session.open.document == quiz  # it stays open, so that its result can be read
    assert dock.isVisible()
    assert dock.summary.text() == "Quiz: 2 of 4 right; 1 added and 1 retyped."
    press(hand, Qt.Key.Key_J, CTRL | ALT)
    assert dock.entries()[0].startswith("Retyped: Link list → Menu")
    assert dock.rule.text() == "Menu: Navigation: links to the parts of the site or of the page."
    press(hand, Qt.Key.Key_J, CTRL | ALT)
    assert dock.rule.text().startswith("Footer: The area at the bottom")
    window.actions_["team"].trigger()
    assert team.entries() == ["Anna: 1 of 1 page done, quiz 2 of 4 right"]
    mark(window, gold_of(hand, KNOWN, ["#first"]))  # after the answers are shown
    hand.qtbot.waitUntil(lambda: not state.items, timeout=60_000)
    uid = window.workbench.workspace.annotator.uid
    assert results(window.workbench.workspace) == {uid: QuizResult(2, 4)}


def test_quizzes_are_assigned_first_and_to_all():
    dealt = deal(list("abcdef"), ["Anna", "Ben"], controls=["c"], quizzes=["q", "c"])
    for mine in dealt.values():
        assert mine[:2] == (Assigned("q", True, True), Assigned("c", True, True))
        assert not any(each.is_quiz for each in mine[2:])
    assert assignments.parse_assignments("Anna, Ben; 20 %; 5; 1") == (["Anna", "Ben"], 0.2, 5, 1)
    in_words = "Anna, Ben; 30 % by two; 5 controls; 1 quiz"
    assert assignments.parse_assignments(in_words) == (["Anna", "Ben"], 0.3, 5, 1)
    assert assignments.parse_assignments("Anna; 2 quizzes") == (["Anna"], 0.2, 0, 2)
    with pytest.raises(InputError, match="as in Anna, Ben"):
        assignments.parse_assignments("Anna; two controls")
