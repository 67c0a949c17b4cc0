"""A change of the marks is saved before any listener is notified."""

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
    """Return a hand on a page and the stored count of marks at each first notification."""
    session = Session()
    in_file: list[int] = []

    def look():
        with Workspace.open(tmp_path / "marks.pagelet") as other:
            gold = other.load_gold(page_key(session.open.document), session.open.page.rendered())
        assert gold == session.open.gold
        in_file.append(len(gold.marks))

    # Connected before anything else could be.
    session.open.gold_changed.connect(look)
    canvas = PageCanvas(PageView())
    qtbot.addWidget(canvas)
    workbench = Workbench(session, Workspace.open(tmp_path / "marks.pagelet"), canvas)
    hand = Hand(workbench, qtbot, tmp_path)
    hand.open("<title>One</title><p id=a>first words</p><p id=b>second words</p>")
    yield hand, in_file
    workbench.close()
    workbench.main_area.desk.deleteLater()  # no window has it


def test_edits_undo_and_redo_are_saved_before_listeners_are_notified(heard):
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
