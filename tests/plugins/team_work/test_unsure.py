"""A mark that one annotator is unsure of is reviewed."""

import pytest
from PySide6.QtCore import Qt

from annotate.marks import edits
from annotate.workspace import annotators
from annotate.workspace.annotators import Role
from gui.plugins.team_work.review.panel import ReviewDock
from gui.plugins.team_work.review.state import ReviewState
from tests.features.unsure.test_unsure import CTRL, SHIFT
from tests.gui.annotated import PAGE, gold_of, mark_as  # noqa: F401
from tests.gui.parts import press
from tests.hand import hand_in_window

pytestmark = pytest.mark.web
hand = hand_in_window


def test_a_mark_that_one_annotator_is_unsure_of_is_reviewed(window, hand):
    workspace, session = window.workbench.workspace, window.session
    annotators.change(workspace.store, workspace.annotator, "Ruth", Role.REVIEWER)
    blocks = [(1, "Header", "#top"), (1, "Menu", "#nav"), (1, "Footer", "#foot")]
    anna = gold_of(hand, blocks, [])
    flagged = edits.set_unsure(anna, [anna.marks[1].id], True)
    mark_as(window, "Anna", flagged)
    press(hand, Qt.Key.Key_R, CTRL | SHIFT)
    review, dock = session.get(ReviewState), window.panel(ReviewDock)
    hand.qtbot.waitUntil(lambda: bool(review.items), timeout=60_000)
    assert dock.entries() == ["agreed, but unsure, level 1: Anna: Menu · unsure: Anna"]
    assert dock.decisions.buttons["left"].isVisible()
    assert dock.decisions.buttons["left"].isEnabled()
    assert not dock.decisions.buttons["right"].isVisible()
    press(hand, Qt.Key.Key_Left, CTRL)
    assert [(mark.type, mark.is_unsure) for mark in session.open.gold.marks] == [("Menu", False)]
    assert review.open_count == 0
