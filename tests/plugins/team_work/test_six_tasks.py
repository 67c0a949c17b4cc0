"""Six tasks of a user study, by real events, with each click, key and drag counted."""

import pytest
from PySide6.QtCore import Qt

from annotate.workspace import annotators
from annotate.workspace.annotators import Role
from gui.plugins.team_work.review.state import ReviewState
from tests.gui.annotated import gold_of, mark_as
from tests.gui.window.test_six_tasks import (
    ALT,
    CTRL,
    EACH_COLUMN,
    PAGE,
    SHIFT,
    Counted,
    marked,
)
from tests.hand import Hand

pytestmark = pytest.mark.web


@pytest.fixture
def counted(window, qtbot, tmp_path):
    made = Hand(window.workbench, qtbot, tmp_path)
    made.open(PAGE, "office.html")
    window.session.selection.suggests_types = True  # the default of the program
    return Counted(made)


def test_nine_differences_between_annotators_take_at_most_one_action_each(window, counted):
    hand, review = counted.hand, window.session.get(ReviewState)
    workspace = window.workbench.workspace
    annotators.change(workspace.store, workspace.annotator, "Ruth", Role.REVIEWER)
    anna = [(2, "Article", f"#c{k}") for k in range(7)] + [
        (1, "Header", "#top"),
        (1, "Ad", "#side"),
    ]
    ben = [(2, "Link list", f"#c{k}") for k in range(7)] + [
        (1, "Menu", "#top"),
        (1, "Sidebar", "#side"),
    ]
    mark_as(window, "Anna", gold_of(hand, anna, []))
    mark_as(window, "Ben", gold_of(hand, ben, []))
    counted.key(Qt.Key.Key_R, CTRL | SHIFT)
    hand.qtbot.waitUntil(lambda: len(review.items) == 9, timeout=20_000)
    order = [review.items[k].rows[0] for k in range(9)]
    for row in order:
        if row == hand.row("#side"):
            counted.key(Qt.Key.Key_Right, CTRL)  # only here Ben is right
            break
        counted.key(Qt.Key.Key_Left, CTRL)
    counted.key(Qt.Key.Key_Left, ALT | SHIFT)
    assert review.open_count == 0
    assert marked(hand, 1) == {("top", "Header"), ("side", "Sidebar")}
    assert marked(hand, 2) == EACH_COLUMN
    assert counted.count <= 9
