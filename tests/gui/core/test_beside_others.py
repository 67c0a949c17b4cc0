"""While another program writes to the workspace, the window works on and saves afterwards."""

import subprocess
import sys
from contextlib import contextmanager

import pytest
from PySide6.QtCore import QTimer

from annotate.datasets.opening import open_document
from annotate.workspace.workspace import Workspace, page_key
from annotate.workspace.workspace_file import BUSY_SECONDS
from gui.core.autosave import RETRY_MS
from gui.state.opening import Phase
from gui.state.selection import Mode
from tests.gui.parts import make_window
from tests.hand import Hand, hand_in_window
from tests.pulse import Pulse

pytestmark = pytest.mark.web

PAGE = "".join(f"<p id=p{k}>Paragraph {k} of the page.</p>" for k in range(9))

STOPS_S = 0.9 * BUSY_SECONDS
"""Longest pause of the window, s: waiting for the other program would take longer."""

HOLD = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], timeout=5, isolation_level=None)
db.execute(sys.argv[2])
db.execute("SELECT count(*) FROM pages").fetchone()
print("held", flush=True)
sys.stdin.read(1)
"""


@pytest.fixture
def window(new_window):
    return new_window


hand = hand_in_window


@contextmanager
def another_program(hand, sql):
    path = str(hand.workbench.workspace.path)
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, path, sql],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def mark(hand, selector):
    hand.workbench.session.selection.set_mode(Mode.LEVEL_1)
    hand.session.selection.set_candidate(hand.row(selector))
    hand.workbench.marking.take()


@pytest.mark.parametrize(
    "sql",
    [
        "BEGIN EXCLUSIVE",
        *(pytest.param(sql, marks=pytest.mark.slow) for sql in ("BEGIN", "BEGIN IMMEDIATE")),
    ],
)
def test_marks_are_saved_after_another_program_and_the_window_works_meanwhile(hand, window, sql):
    with another_program(hand, sql) as other:
        pulse = Pulse()
        for k in range(3):
            mark(hand, f"#p{k}")
            assert window.status_bar.saved.text == "Saving…"
            pulse.wait(hand.qtbot, 5)
        hand.workbench.page_session.undo()
        assert hand.marked(1) == [[hand.row("#p0")], [hand.row("#p1")]]
        assert pulse.longest < STOPS_S
        other.communicate("x")
    hand.qtbot.waitUntil(lambda: window.status_bar.saved.text == "Saved")
    key, nodes = page_key(hand.session.open.document), hand.session.open.page.nodes
    with Workspace.open(hand.workbench.workspace.path) as again:
        assert again.load_gold(key, nodes) == hand.session.open.gold
        # Each change is in the journal, as if nothing had been locked.
        assert [each.step for each in again.history(key)] == ["edit", "edit", "edit", "undo"]


def test_page_and_window_stay_open_until_the_marks_are_saved(hand, window):
    with another_program(hand, "BEGIN IMMEDIATE") as other:
        mark(hand, "#p1")
        hand.workbench.navigation.reload()
        assert hand.marked(1) == [[hand.row("#p1")]]
        assert "another program" in hand.session.messages.message
        window.close()
        assert window.isVisible()
        assert "closes when your marks are saved" in hand.session.messages.message
        other.communicate("x")
    hand.qtbot.waitUntil(lambda: not window.isVisible())
    with Workspace.open(hand.workbench.workspace.path) as again:
        (entry,) = again.pages()
        assert entry.marks == 1


@pytest.mark.slow
def test_a_page_is_shown_once_its_marks_can_be_read(hand, window, tmp_path):
    """Marks made on a page shown without its own would replace these."""
    mark(hand, "#p1")
    (tmp_path / "other.html").write_text("<p id=x>another")
    key, page = page_key(hand.session.open.document), hand.session.open.document.full_path
    for path, expected in ((str(tmp_path / "other.html"), 0), (page, 1)):
        with another_program(hand, "BEGIN EXCLUSIVE") as other:
            hand.workbench.page_session.set_status("question")  # reported, not raised
            assert "another program" in hand.session.messages.message
            pulse = Pulse()
            hand.workbench.navigation.open_path(path)
            QTimer.singleShot(700, lambda: other.communicate("x"))
            with hand.qtbot.waitSignal(hand.session.open.page_changed, timeout=20_000):
                pass
            hand.qtbot.waitUntil(lambda: hand.session.open.page is not None)
            assert pulse.longest < STOPS_S
        assert len(hand.marked(1)) == expected
    mark(hand, "#p2")
    assert hand.workbench.saving.is_all_saved
    with Workspace.open(hand.workbench.workspace.path) as again:
        assert len(again.load_gold(key, hand.session.open.page.nodes).marks) == 2


@pytest.mark.slow
def test_a_page_waiting_for_its_marks_does_not_replace_one_opened_later(hand, tmp_path):
    for name in ("slow", "next"):
        (tmp_path / f"{name}.html").write_text(f"<title>{name}</title><p>page")
    shown = []
    hand.session.open.page_changed.connect(lambda: shown.append(hand.session.open.page.title))
    opening = hand.workbench.page_session.opening
    with another_program(hand, "BEGIN EXCLUSIVE") as other:
        hand.session.set_documents(
            [open_document(tmp_path / "slow.html"), open_document(tmp_path / "next.html")]
        )
        hand.workbench.navigation.open_document(0)
        hand.qtbot.waitUntil(lambda: opening.phase is Phase.READING, timeout=20_000)
        hand.workbench.navigation.open_document(1)
        hand.qtbot.wait(3 * RETRY_MS)
        other.communicate("x")
    hand.qtbot.waitUntil(lambda: opening.phase is Phase.SHOWN, timeout=20_000)
    assert shown == ["next"]


def test_a_status_is_saved_after_another_program_and_before_the_window_closes(hand, window):
    key, document = page_key(hand.session.open.document), hand.session.open.document
    with another_program(hand, "BEGIN IMMEDIATE") as other:
        window.actions_["status-question"].trigger()
        assert hand.workbench.pages.status(document) == "question"
        hand.workbench.page_session.set_status("done")
        assert "the status is saved when it is done" in hand.session.messages.message
        assert hand.workbench.pages.status(document) == "done"
        window.close()
        assert window.isVisible()
        assert "closes when your page's status is saved" in hand.session.messages.message
        other.communicate("x")
    hand.qtbot.waitUntil(lambda: not window.isVisible())
    with Workspace.open(hand.workbench.workspace.path) as again:
        assert str(again.page(key).status) == "done"


def test_waiting_changes_are_dropped_without_an_error_when_the_window_closes(qtbot, tmp_path):
    window = make_window(tmp_path)
    qtbot.addWidget(window)
    hand = Hand(window.workbench, qtbot, tmp_path)
    with another_program(hand, "BEGIN IMMEDIATE"):
        window.workbench.workspace.set_setting("layers", ["bte"])
        (tmp_path / "page.html").write_text(PAGE)
        window.workbench.navigation.open_path(str(tmp_path / "page.html"))  # waits to be listed
        window.close_down()
        with qtbot.captureExceptions() as raised:
            Pulse(RETRY_MS).wait(qtbot, 3)
    assert not raised
