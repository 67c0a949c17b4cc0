"""A change of the marks is on disk before anyone hears of it."""

import pytest

from annotate.workspace.workspace import Workspace, page_key
from engine.web.view import PageView
from gui.core.workbench import Workbench
from gui.page.canvas import PageCanvas
from gui.state.selection import Mode
from gui.state.session import Session
from tests.hand import Hand

pytestmark = pytest.mark.web


@pytest.fixture
def heard(qtbot, tmp_path):
    """A workbench on a page, and what the file held as the first listener heard of each change."""
    session = Session()
    in_file: list[int] = []

    def look():
        with Workspace.open(tmp_path / "marks.pagelet") as other:
            gold = other.load_gold(page_key(session.open.document), session.open.page.rendered())
        assert gold == session.open.gold
        in_file.append(len(gold.marks))

    # Before there is anything else that could: no order of later connections puts it first.
    session.open.gold_changed.connect(look)
    canvas = PageCanvas(PageView())
    qtbot.addWidget(canvas)
    workbench = Workbench(session, Workspace.open(tmp_path / "marks.pagelet"), canvas)
    hand = Hand(workbench, qtbot, tmp_path)
    hand.open("<title>One</title><p id=a>first words</p><p id=b>second words</p>")
    yield hand, in_file
    workbench.close()


def test_edits_undo_and_redo_are_in_the_file_when_the_first_listener_hears_of_them(heard):
    hand, in_file = heard
    hand.workbench.session.selection.set_mode(Mode.LEVEL_1)
    for selector in ("#a", "#b"):
        hand.session.selection.set_candidate(hand.row(selector))
        hand.workbench.marking.take()
    hand.workbench.page_session.undo()
    hand.workbench.page_session.redo()
    hand.workbench.delete_selected()
    assert in_file[:4] == [1, 2, 1, 2]
    steps = [
        each.step for each in hand.workbench.workspace.history(page_key(hand.session.open.document))
    ]
    assert steps[:4] == ["edit", "edit", "undo", "redo"]
