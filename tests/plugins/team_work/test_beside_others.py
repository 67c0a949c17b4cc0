"""While another program writes to the workspace, the window works on and saves afterwards."""

import resource
import signal

import pytest
from PySide6.QtCore import Qt

from annotate.plugins.team_work import comments
from annotate.plugins.team_work.comments import CommentKind
from annotate.workspace.workspace import Workspace, page_key
from gui.core.autosave import RETRY_MS
from gui.plugins.team_work.team.controller import TeamController
from gui.plugins.team_work.team.panel import CommentsDock
from tests.gui.core.test_beside_others import PAGE, STOPS_S, another_program  # noqa: F401
from tests.hand import hand_in_window
from tests.pulse import Pulse

pytestmark = pytest.mark.web


@pytest.fixture
def window(new_window):
    return new_window


hand = hand_in_window


@pytest.mark.parametrize(
    "sql", ["BEGIN EXCLUSIVE", pytest.param("BEGIN IMMEDIATE", marks=pytest.mark.slow)]
)
def test_comments_are_saved_after_another_program_and_can_be_answered_before(hand, window, sql):
    team, key = hand.workbench.get(TeamController), page_key(hand.session.open.document)
    team.say("Is this the ferry?", CommentKind.QUESTION)
    ((question,),) = team.threads()
    with another_program(hand, sql) as other:
        pulse = Pulse()
        assert team.say("It is.", CommentKind.ANSWER, question.id)
        assert window.status_bar.saved.text == "Saving…"
        assert "is saved when that is done" in hand.session.messages.message
        pulse.wait(hand.qtbot, 5)
        ((settled, answer),) = team.threads()
        assert (settled.is_settled, answer.text) == (True, "It is.")
        team.settle(settled)
        team.say("Never mind.", CommentKind.COMMENT)
        hand.workbench.page_session.undo()
        ((again, _),) = team.threads()
        assert not again.is_settled
        assert pulse.longest < STOPS_S
        window.close()
        assert window.isVisible()
        assert "closes when your comment is saved" in hand.session.messages.message
        other.communicate("x")
    hand.qtbot.waitUntil(lambda: not window.isVisible())
    with Workspace.open(hand.workbench.workspace.path) as there:
        ((first, second),) = comments.threads(there, key)
    assert (first.text, first.is_settled, second.text) == ("Is this the ferry?", False, "It is.")


class FullDisk:
    """Simulates a full disk by a limit on the size of files: SQLite fails in the same way."""

    def __enter__(self):
        self._old = resource.getrlimit(resource.RLIMIT_FSIZE)
        self._ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1, self._old[1]))

    def __exit__(self, *_):
        resource.setrlimit(resource.RLIMIT_FSIZE, self._old)
        signal.signal(signal.SIGXFSZ, self._ignored)


@pytest.mark.slow
def test_comments_not_saved_on_a_full_disk_return_to_their_field(hand, window, tmp_path):
    team, dock = hand.workbench.get(TeamController), window.panel(CommentsDock)
    key, page = page_key(hand.session.open.document), hand.session.open.document.full_path
    with another_program(hand, "BEGIN EXCLUSIVE") as other:
        for text in ("Is this the ferry?", "Which one?"):
            dock.start(CommentKind.QUESTION)
            dock.field.setText(text)
            hand.qtbot.keyClick(dock.field, Qt.Key.Key_Return)
            assert dock.field.text() == ""
        window.close()
        with FullDisk():
            other.communicate("x")
            hand.qtbot.waitUntil(lambda: not hand.workbench.saving.must_wait)
    assert window.isVisible()  # closing it would lose the typed text
    assert "comment not saved (" in hand.session.messages.message
    assert "the disk is full" in hand.session.messages.message
    assert dock.field.text() == "Is this the ferry?"
    assert team.threads() == ()
    (tmp_path / "other.html").write_text("<p>another")
    for path, text in ((tmp_path / "other.html", ""), (page, "Is this the ferry?")):
        with hand.qtbot.waitSignal(hand.session.open.page_changed, timeout=20_000):
            hand.workbench.navigation.open_path(str(path))
        hand.qtbot.waitUntil(lambda: hand.session.open.page is not None)
        assert dock.field.text() == text
    for text in ("Which one?", ""):
        dock.field.setFocus()
        hand.qtbot.keyClick(dock.field, Qt.Key.Key_Return)
        assert dock.field.text() == text
    with Workspace.open(hand.workbench.workspace.path) as there:
        message = [(each.kind, each.text) for (each,) in comments.threads(there, key)]
    assert message == [("question", "Is this the ferry?"), ("question", "Which one?")]


def test_a_comment_after_one_that_cannot_be_saved_is_saved_once(hand, window):
    team = hand.workbench.get(TeamController)
    with another_program(hand, "BEGIN EXCLUSIVE") as other:
        assert team.say("Is this the ferry?", CommentKind.QUESTION)
        with FullDisk():
            other.communicate("x")
            other.wait()
            assert not team.say("Never mind.", CommentKind.COMMENT)  # it stays in its field
            hand.qtbot.waitUntil(lambda: not hand.workbench.saving.must_wait)
    assert team.say("Never mind.", CommentKind.COMMENT)
    Pulse(RETRY_MS).wait(hand.qtbot, 3)
    assert [each.text for (each,) in team.threads()] == ["Never mind."]
    assert window.panel(CommentsDock).field.text() == "Is this the ferry?"


def test_comments_are_listed_once_another_program_allows_reading(hand, window):
    hand.workbench.get(TeamController).say("Is this the ferry?", CommentKind.QUESTION)
    with another_program(hand, "BEGIN EXCLUSIVE") as other:
        pulse = Pulse()
        window.panel(CommentsDock).show()
        pulse.wait(hand.qtbot, 20)
        assert not window.panel(CommentsDock).entries()
        assert pulse.longest < STOPS_S
        other.communicate("x")
    hand.qtbot.waitUntil(lambda: window.panel(CommentsDock).entries() == ["?  Is this the ferry?"])
