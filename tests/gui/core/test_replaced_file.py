"""Another program replaces the file of the open workspace: no mark is lost."""

import subprocess

import pytest
from PySide6.QtCore import QProcess, Qt

from annotate.workspace.workspace import Workspace, page_key
from gui.state.selection import Mode
from tests.annotate.journals import journal
from tests.gui.parts import make_window
from tests.hand import Hand

pytestmark = pytest.mark.web

PAGE = "".join(f"<p id=p{k}>Paragraph {k} of the page.</p>" for k in range(4))


@pytest.fixture
def started(monkeypatch):
    """Record the commands that would start new windows."""
    commands = []
    monkeypatch.setattr(
        QProcess, "startDetached", lambda program, words: (commands.append(words), (True, 1))[1]
    )
    return commands


@pytest.fixture
def hand(qtbot, tmp_path):
    window = make_window(tmp_path)
    qtbot.addWidget(window)
    made = Hand(window.workbench, qtbot, tmp_path)
    made.window = window
    made.open(PAGE)
    mark(made, "#p0")
    yield made
    window.close_down()


def mark(hand, selector):
    hand.workbench.session.selection.set_mode(Mode.LEVEL_1)
    hand.session.selection.set_candidate(hand.row(selector))
    hand.workbench.marking.take()


def shell(command, folder):
    """Run a command as another program: in this process a copy would drop the locks."""
    subprocess.run(command, shell=True, cwd=folder, check=True)


def test_an_old_journal_from_a_sync_client_is_reported_and_removes_no_mark(hand, tmp_path):
    path = hand.workbench.workspace.path
    shell("cp marks.pagelet before", tmp_path)
    mark(hand, "#p1")
    shell("cp marks.pagelet after", tmp_path)
    mark(hand, "#p2")
    old = journal((tmp_path / "before").read_bytes(), (tmp_path / "after").read_bytes())
    (tmp_path / "marks.pagelet-journal").write_bytes(old)
    mark(hand, "#p3")
    assert hand.window.status_bar.saved.text == "Saved"
    assert "marks.pagelet-journal beside it is not used" in hand.session.messages.message
    (kept,) = tmp_path.glob("marks.pagelet.backups/not-used*")
    assert kept.read_bytes() == old
    assert rows_in(path, hand) == [hand.row(f"#p{k}") for k in range(4)]


def test_marks_are_saved_once_a_pipe_in_place_of_the_journal_is_removed(hand, tmp_path):
    path = hand.workbench.workspace.path
    shell("rm marks.pagelet-journal; mkfifo marks.pagelet-journal", tmp_path)
    mark(hand, "#p1")
    assert hand.window.status_bar.saved.text == "Not saved"
    assert "is a pipe, not a plain file; move it away" in hand.session.messages.message
    shell("rm marks.pagelet-journal", tmp_path)
    mark(hand, "#p2")
    assert hand.window.status_bar.saved.text == "Saved"
    assert rows_in(path, hand) == [hand.row(f"#p{k}") for k in range(3)]


def rows_in(path, hand):
    with Workspace.open(path, create=False) as there:
        assert not there.damage
        gold = there.load_gold(page_key(hand.session.open.document), hand.session.open.page.nodes)
    return [mark.targets[0].row for mark in gold.of_level(1)]


def click_answer(hand):
    (button,) = hand.window.replaced.buttons
    assert button.text() == "Open the new file"
    hand.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_a_replaced_file_gets_the_unsaved_marks_and_the_open_one_is_copied(hand, tmp_path, started):
    path, window = hand.workbench.workspace.path, hand.window
    shell("cp marks.pagelet older", tmp_path)
    mark(hand, "#p1")
    assert not window.replaced.isVisible()
    shell("mv older marks.pagelet", tmp_path)
    mark(hand, "#p2")
    assert window.status_bar.saved.text == "Not saved"
    assert window.replaced.isVisible()
    assert "The workspace file was replaced" in window.replaced.text
    click_answer(hand)
    assert not window.isVisible()
    ((*_, option, name),) = started
    assert (option, name) == ("--workspace", str(path))
    rows = [hand.row(f"#p{k}") for k in range(3)]
    assert rows_in(path, hand) == rows
    (aside,) = tmp_path.glob("marks replaced *.pagelet")
    assert rows_in(aside, hand) == rows
    with Workspace.open(path) as there:
        states = there.undo_history(
            page_key(hand.session.open.document), hand.session.open.page.nodes
        ).states
    assert len(states[-2].marks) == 1  # one undo restores the content of the file


def test_a_deleted_file_is_written_again_with_all_marks(hand, tmp_path, started):
    path = hand.workbench.workspace.path
    shell("rm marks.pagelet*", tmp_path)
    mark(hand, "#p1")
    click_answer(hand)
    assert started
    assert rows_in(path, hand) == [hand.row("#p0"), hand.row("#p1")]
    assert not list(tmp_path.glob("marks replaced *"))


def test_marks_are_saved_in_a_copy_when_the_new_file_is_no_workspace(hand, tmp_path, started):
    shell("echo nothing > other; mv other marks.pagelet", tmp_path)
    mark(hand, "#p1")
    click_answer(hand)
    assert not started
    assert hand.window.isVisible()
    (aside,) = tmp_path.glob("marks replaced *.pagelet")
    assert f"your marks are in {aside.name}" in hand.session.messages.message
    assert rows_in(aside, hand) == [hand.row("#p0"), hand.row("#p1")]
    assert (tmp_path / "marks.pagelet").read_text() == "nothing\n"


def test_a_file_that_is_moved_back_is_saved_to_again(hand, tmp_path):
    shell("mv marks.pagelet away", tmp_path)
    mark(hand, "#p1")
    assert hand.window.replaced.isVisible()
    shell("mv away marks.pagelet", tmp_path)
    mark(hand, "#p2")
    assert hand.workbench.saving.is_all_saved
    assert not hand.window.replaced.isVisible()
