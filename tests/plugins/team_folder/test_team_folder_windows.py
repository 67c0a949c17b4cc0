"""Two windows in one team folder: each shows the work of the other without a command."""

import platform
import subprocess
import sys

import pytest
from PySide6.QtCore import Qt

from annotate.plugins.team_folder.membership import join as join_folder
from annotate.plugins.team_work.comments import CommentKind
from annotate.workspace.workspace import PageStatus, Workspace, page_key
from engine.document import Document
from gui.plugins.team_folder.controller import TeamFolderController
from gui.plugins.team_folder.panel import HeldDock
from gui.plugins.team_work.agreement.view import AgreementView
from gui.plugins.team_work.team.controller import TeamController
from gui.plugins.team_work.team.panel import CommentsDock, TeamDock
from gui.widgets.toasts import Question
from tests.gui.parts import make_window, press
from tests.hand import Hand
from tests.plugins.team_folder.parts import KEYS, contents, sync
from tests.typed_commands import ROOT

pytestmark = pytest.mark.web


@pytest.fixture
def hands(qtbot, tmp_path):
    """The windows of Anna and Ben, each with the page of the team folder open."""
    folder = tmp_path / "team"
    (folder / "pages").mkdir(parents=True)
    page = folder / "pages" / "ferry.html"
    page.write_text("<!doctype html><title>Ferry</title><h1 id=top>The ferry is back</h1><p id=a>x")
    made = []
    for name in ("anna", "ben"):
        (tmp_path / name).mkdir()
        window = make_window(tmp_path / name)
        qtbot.addWidget(window)
        window.resize(1300, 850)
        qtbot.waitExposed(window)
        hand = Hand(window.workbench, qtbot, tmp_path)
        hand.window = window
        hand.open_path(page)
        made.append(hand)
    yield made
    for hand in made:
        hand.window.close_down()


def to_front(hand):
    hand.window.activateWindow()
    hand.qtbot.waitUntil(hand.window.isActiveWindow)
    hand.workbench.canvas.view.setFocus()


def mark(hand, selector):
    to_front(hand)
    press(hand, Qt.Key.Key_1)
    hand.click(selector)
    hand.qtbot.waitUntil(lambda: bool(hand.session.open.gold.marks), timeout=20_000)


def join(hand, folder, name):
    to_front(hand)
    hand.workbench.get(TeamFolderController).enter(str(folder))
    field = hand.workbench.main_area.field
    hand.qtbot.waitUntil(field.isVisible, timeout=20_000)
    hand.qtbot.keyClicks(field.line, name)
    hand.qtbot.keyClick(field.line, Qt.Key.Key_Return)
    hand.qtbot.waitUntil(lambda: hand.workbench.get(TeamFolderController).is_joined)


def golds(hand):
    key, nodes = page_key(hand.session.open.document), hand.session.open.page.rendered()
    return {who.shown: len(gold.marks) for who, gold in
            hand.workbench.workspace.golds(key, nodes).items()}  # fmt: skip


@pytest.mark.slow
def test_marks_questions_and_status_appear_in_the_other_window(hands, tmp_path, qtbot):
    anna, ben = hands
    folder = tmp_path / "team"
    join(anna, folder, "Anna")
    join(ben, folder, "Ben")
    heard = []
    ben.session.messages.message_changed.connect(lambda: heard.append(ben.session.messages.message))
    mark(anna, "#top")
    qtbot.waitUntil(lambda: golds(ben) == {"Anna": 1}, timeout=30_000)
    qtbot.waitUntil(lambda: "Anna: 1 page new" in heard)
    anna.workbench.get(TeamController).say("a title?", CommentKind.QUESTION)
    anna.workbench.page_session.set_status("done")
    comments, team = ben.window.panel(CommentsDock), ben.window.panel(TeamDock)
    comments.show()
    team.show()
    qtbot.waitUntil(lambda: "a title?" in " ".join(comments.entries()), timeout=30_000)
    qtbot.waitUntil(lambda: any("Anna: 1 page done" in e for e in team.entries()), timeout=30_000)
    assert ben.workbench.notes["team"][0] == "Team: team"
    mark(ben, "#a")
    qtbot.waitUntil(lambda: golds(anna) == {"Anna": 1, "Ben": 1}, timeout=30_000)
    view = anna.workbench.main_area.get(AgreementView)
    anna.workbench.main_area.show(view)
    qtbot.waitUntil(lambda: len(view.pages) == 1, timeout=30_000)


@pytest.mark.slow
def test_incomplete_files_and_conflicted_copies_are_noted(hands, tmp_path, qtbot):
    anna, ben = hands
    folder = tmp_path / "team"
    join(anna, folder, "Anna")
    join(ben, folder, "Ben")
    note = lambda: anna.workbench.notes["team"]  # noqa: E731
    theirs = lambda: list(folder.glob("Ben-*.pagelet-log"))  # noqa: E731
    mark(ben, "#a")
    qtbot.waitUntil(lambda: golds(anna) == {"Ben": 1}, timeout=30_000)
    (log,) = theirs()
    copy = log.with_name(f"{log.stem} (conflicted copy 2024-05-06){log.suffix}")
    copy.write_bytes(log.read_bytes())
    qtbot.waitUntil(lambda: note()[0] == "Team: team, 1 conflicted copy", timeout=30_000)
    assert f"{copy.name} is a conflicted copy of {log.name}, with nothing new in it" in note()[1]
    ben.window.close_down()
    log.write_bytes(log.read_bytes()[:-9])
    qtbot.waitUntil(
        lambda: note()[0] == "Team: team, 1 file incomplete, 1 conflicted copy", timeout=30_000
    )
    assert f"{log.name}: its last line has not arrived whole yet" in note()[1]
    assert golds(anna) == {"Ben": 1}


@pytest.mark.slow
def test_the_folder_is_joined_again_after_a_restart_until_it_is_left(hands, tmp_path, qtbot):
    anna, _ = hands
    folder = tmp_path / "team"
    join(anna, folder, "Anna")
    qtbot.waitUntil(lambda: len(list(folder.glob("*.pagelet-log"))) == 1, timeout=20_000)
    anna.window.close_down()
    again = make_window(tmp_path / "anna")
    qtbot.addWidget(again)
    folding = again.workbench.get(TeamFolderController)
    assert folding.folder == folder
    assert folding.is_joined
    assert again.actions_["team-folder-leave"].isEnabled()
    again.actions_["team-folder-leave"].trigger()
    assert not folding.is_joined
    assert "left team: what came from there stays" in again.session.messages.message
    assert again.workbench.notes["team"] == ("", "")
    again.close_down()


@pytest.mark.slow
def test_an_unreachable_folder_is_noted_and_marks_are_sent_once_it_is_back(hands, tmp_path, qtbot):
    anna, _ = hands
    folder = tmp_path / "team"
    join(anna, folder, "Anna")
    log = lambda: list(folder.glob("*.pagelet-log"))  # noqa: E731
    qtbot.waitUntil(lambda: len(log()) == 1, timeout=20_000)
    qtbot.waitUntil(lambda: not anna.workbench.get(TeamFolderController).is_busy, timeout=20_000)
    (size,) = (each.stat().st_size for each in log())
    folder.rename(tmp_path / "away")
    mark(anna, "#top")
    qtbot.waitUntil(
        lambda: anna.workbench.notes["team"][0] == "Team folder: not reached", timeout=20_000
    )
    assert golds(anna) == {"Anna": 1}
    (tmp_path / "away").rename(folder)
    qtbot.waitUntil(lambda: log()[0].stat().st_size > size, timeout=20_000)
    qtbot.waitUntil(lambda: anna.workbench.notes["team"][0] == "Team: team", timeout=20_000)


@pytest.mark.slow
def test_the_owner_of_a_new_device_is_asked_and_its_changes_are_listed(hands, tmp_path, qtbot):
    anna, ben = hands
    folder = tmp_path / "team"
    join(anna, folder, "Anna")
    join(ben, folder, "Ben")
    mark(anna, "#top")
    qtbot.waitUntil(lambda: golds(ben) == {"Anna": 1}, timeout=30_000)
    laptop = tmp_path / "laptop.pagelet"
    with Workspace.open(laptop) as workspace:
        join_folder(workspace, folder, "Anna", is_me=True)
        workspace.add_pages([Document(KEYS[0], KEYS[0])])
        workspace.set_status(KEYS[0], PageStatus.QUESTION)
    sync(laptop)
    there = lambda: [each for each in anna.window.findChildren(Question) if each.isVisible()]  # noqa: E731
    qtbot.waitUntil(lambda: len(there()) == 1, timeout=30_000)
    (question,) = there()
    assert question.text.endswith("Is that you, on another device?")
    assert platform.node() in question.text
    theirs = ben.workbench.get(TeamFolderController)
    qtbot.waitUntil(lambda: len(theirs.held) == 1, timeout=30_000)
    assert "Anna has not accepted that device" in ben.workbench.notes["team"][1]
    is_it_me, _, show = question.buttons
    qtbot.mouseClick(show, Qt.MouseButton.LeftButton)
    dock = anna.window.panel(HeldDock)
    assert dock.isVisible()
    assert f"· status of {KEYS[0]}: question" in dock.entries()
    assert dock.accept_button.text() == "It is me"
    qtbot.mouseClick(is_it_me, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: anna.workbench.get(TeamFolderController).held == (), timeout=30_000)
    assert question.isHidden()
    qtbot.waitUntil(lambda: theirs.held == (), timeout=30_000)
    assert "question" in {row[2] for row in contents(ben.workbench.workspace.path)["pages"]}


@pytest.mark.slow
def test_a_missing_log_is_forgotten_by_a_button_and_its_marks_are_kept(hands, tmp_path, qtbot):
    anna, ben = hands
    folder = tmp_path / "team"
    join(anna, folder, "Anna")
    join(ben, folder, "Ben")
    mark(ben, "#a")
    qtbot.waitUntil(lambda: golds(anna) == {"Ben": 1}, timeout=30_000)
    ben.window.close_down()
    (log,) = folder.glob("Ben-*.pagelet-log")
    log.unlink()
    folding, dock = anna.workbench.get(TeamFolderController), anna.window.panel(HeldDock)
    qtbot.waitUntil(lambda: bool(folding.gone), timeout=30_000)
    to_front(anna)
    dock.toggle()
    gone = "this log, which was read before, is gone; what came of it stays here"
    assert dock.entries() == [log.name, gone]
    assert not dock.accept_button.isVisible()
    qtbot.mouseClick(dock.forget_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: folding.gone == (), timeout=30_000)
    assert dock.entries() == []
    assert not dock.forget_button.isVisible()
    assert anna.workbench.notes["team"][0] == "Team: team"
    assert golds(anna) == {"Ben": 1}


_CLOSED = """
import sys, shiboken6
from pathlib import Path
from PySide6.QtCore import QCoreApplication, QObject
from gui.plugins.team_folder.controller import FolderWorker
sys.setswitchinterval(1e-6)
app = QCoreApplication([])
for _ in range(300):
    window = QObject()
    workers = [FolderWorker(Path("no workspace"), window) for _ in range(4)]
    for worker in workers:
        for _ in range(20):
            worker._give(lambda: (None, ()))
        worker.close()
    shiboken6.delete(window)
"""


@pytest.mark.slow
def test_answers_that_come_while_a_window_closes_do_not_crash():
    """With signals of the deleted object the process died in 6 of 6 runs."""
    done = subprocess.run(
        [sys.executable, "-c", _CLOSED], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
