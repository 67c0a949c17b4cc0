"""A team folder in one window: joining, held logs, leaving; others write from their workspaces."""

import threading

import pytest
from PySide6.QtCore import QObject, Qt
from PySide6.QtTest import QTest

from annotate.plugins.team_folder.membership import join, membership
from annotate.workspace import annotators
from annotate.workspace.annotators import Role
from annotate.workspace.workspace import PageStatus, Workspace
from engine.document import Document
from gui.plugins.team_folder.controller import FolderWorker, TeamFolderController
from gui.plugins.team_folder.panel import HeldDock
from gui.plugins.team_work.team.panel import TeamDock
from gui.widgets.toasts import Question
from tests.plugins.team_folder.parts import KEYS, logs, mark, member, sync

pytestmark = pytest.mark.web

ACTIONS = "team-folder-now", "team-folder-held", "team-folder-leave"
WAIT = 8_000


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "team"
    made.mkdir()
    return made


@pytest.fixture
def folding(window, qtbot):
    made = window.workbench.get(TeamFolderController)
    yield made
    made.leave()
    made.stop()
    qtbot.waitUntil(lambda: not any(map(_reads, threading.enumerate())), timeout=WAIT)


def _reads(thread):
    """Whether it is the thread of a team folder."""
    return isinstance(getattr(getattr(thread, "_target", None), "__self__", None), FolderWorker)


@pytest.fixture
def anna(window, folding, folder, qtbot):
    """Works in the folder, whose first log is read and written."""
    store = window.workbench.workspace.store
    annotators.change(store, window.workbench.workspace.annotator, "Anna", Role.ANNOTATOR)
    window.workbench.workspace.work_as(annotators.annotator_named(store, "Anna"))
    here = Document("https://example.org/here", "https://example.org/here")
    window.workbench.workspace.add_pages([here])
    window.session.set_documents([here])
    window.session.set_document(here)  # panels have no place without one
    folding.enter(str(folder))
    qtbot.waitUntil(lambda: folding.is_joined, timeout=WAIT)
    read(window, folding, qtbot)
    return folding


def read(window, folding, qtbot):
    """Read the folder now, by the action."""
    qtbot.waitUntil(lambda: not folding.is_busy, timeout=WAIT)
    window.actions_["team-folder-now"].trigger()
    qtbot.waitUntil(lambda: not folding.is_busy, timeout=WAIT)


def laptop_of(name, folder, path):
    """Write to the folder as somebody on another device that nobody has accepted."""
    with Workspace.open(path) as workspace:
        join(workspace, folder, name, is_me=True)
        workspace.add_pages([Document(key, key) for key in KEYS])
        workspace.set_status(KEYS[0], PageStatus.QUESTION)
    sync(path)


def questions(window):
    return [each for each in window.findChildren(Question) if each.isVisible()]


def test_a_folder_that_is_not_there_is_refused_and_nothing_can_be_read(
    window, folding, tmp_path, qtbot
):
    (tmp_path / "file").write_text("")
    for name in ("nowhere", "file"):
        folding.enter(str(tmp_path / name))
        qtbot.waitUntil(
            lambda: "cannot be read" in window.session.messages.message,
            timeout=WAIT,
        )
        window.session.messages.say("")
    assert not folding.is_joined
    assert not window.workbench.notes.get("team", ("", ""))[0]
    for name in ACTIONS:
        assert not window.actions_[name].isEnabled()
        assert "Work in a team folder first" in window.actions_[name].toolTip()


def test_who_joins_says_his_name_and_esc_joins_nothing(window, folding, folder, tmp_path, qtbot):
    sync(member(folder, tmp_path / "ben.pagelet", "Ben"))
    field = window.type_field

    def ask():
        folding.enter(str(folder))
        qtbot.waitUntil(field.isVisible, timeout=WAIT)

    ask()
    assert field.offered() == ["Ben"]
    QTest.keyClick(field.line, Qt.Key.Key_Escape)
    assert not folding.is_joined
    assert window.workbench.workspace.annotator.name == ""
    ask()
    QTest.keyClicks(field.line, "Anna")
    assert field.offered() == ["Anna"]
    QTest.keyClick(field.line, Qt.Key.Key_Return)
    assert folding.is_joined
    assert all(window.actions_[name].isEnabled() for name in ACTIONS)
    message = window.session.messages.message
    assert message.startswith("Anna works in team: marks of others come in by themselves. Open the")
    assert window.workbench.notes["team"][0] == "Team: team"
    qtbot.waitUntil(lambda: len(logs(folder)) == 2, timeout=WAIT)


def test_what_another_has_done_is_said_and_listed_once_the_folder_is_read(
    window, anna, folder, tmp_path, qtbot
):
    window.actions_["team"].trigger()
    team = window.panel(TeamDock)
    ben = member(folder, tmp_path / "ben.pagelet", "Ben")
    mark(ben, KEYS[0], "h1", "Title")
    with Workspace.open(ben) as workspace:
        workspace.set_status(KEYS[0], PageStatus.DONE)
    sync(ben)
    read(window, anna, qtbot)
    assert window.session.messages.message == "Ben: 1 page new"
    assert team.entries() == ["Anna: 0 pages done", "Ben: 1 page done"]
    window.session.messages.say("")
    read(window, anna, qtbot)
    assert window.session.messages.message == ""


def test_a_device_that_is_not_ones_own_is_refused_and_may_be_accepted_later(
    window, anna, folder, tmp_path, qtbot
):
    dock = window.panel(HeldDock)
    window.actions_["team-folder-held"].trigger()
    assert dock._none.isVisible()
    assert (dock.entries(), dock.remark()) == ([], "")
    laptop_of("Anna", folder, tmp_path / "laptop.pagelet")
    read(window, anna, qtbot)
    (question,) = questions(window)
    _, refuse, _ = question.buttons
    QTest.mouseClick(refuse, Qt.MouseButton.LeftButton)
    assert questions(window) == []
    qtbot.waitUntil(lambda: any("it was refused here" in e for e in dock.entries()), timeout=WAIT)
    assert questions(window) == []
    assert window.workbench.notes["team"][0] == "Team: team, 1 log held back"
    assert (dock.remark(), dock.refuse_button.isEnabled()) == ("1", False)
    QTest.mouseClick(dock.accept_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: anna.held == (), timeout=WAIT)
    assert dock.entries() == []
    assert dock._none.isVisible()
    assert window.workbench.notes["team"][0] == "Team: team"


def test_logs_that_are_held_are_chosen_by_key_and_the_choice_stays(
    window, anna, folder, tmp_path, qtbot
):
    ben = member(folder, tmp_path / "ben.pagelet", "Ben")
    sync(ben)
    read(window, anna, qtbot)
    laptop_of("Anna", folder, tmp_path / "laptop.pagelet")
    laptop_of("Ben", folder, tmp_path / "tablet.pagelet")
    read(window, anna, qtbot)
    (question,) = questions(window)
    QTest.mouseClick(question.buttons[2], Qt.MouseButton.LeftButton)
    dock = window.panel(HeldDock)
    assert dock.isVisible()
    assert (dock.accept_button.text(), dock.refuse_button.text()) == ("It is me", "Not me")
    dock.list.setFocus()
    QTest.keyClick(dock.list, Qt.Key.Key_Down)  # to what the first log would change
    assert dock.accept_button.isVisible()
    assert dock.accept_button.text() == "It is me"
    while dock.accept_button.text() == "It is me":
        QTest.keyClick(dock.list, Qt.Key.Key_Down)
    assert (dock.accept_button.text(), dock.refuse_button.text()) == ("Accept here", "Refuse")
    chosen = dock.list.currentItem().text()
    laptop_of("Anna", folder, tmp_path / "phone.pagelet")
    read(window, anna, qtbot)
    assert dock.remark() == "3"
    assert dock.list.currentItem().text() == chosen
    QTest.mouseClick(dock.accept_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: len(anna.held) == 2, timeout=WAIT)
    assert all(each.is_mine for each in anna.held)


def test_who_leaves_is_asked_nothing_more_and_writes_nothing_more(
    window, anna, folder, tmp_path, qtbot
):
    laptop_of("Anna", folder, tmp_path / "laptop.pagelet")
    read(window, anna, qtbot)
    assert len(questions(window)) == 1
    window.actions_["team-folder-held"].trigger()
    window.actions_["team-folder-leave"].trigger()
    assert questions(window) == []
    assert window.panel(HeldDock).entries() == []
    assert not window.actions_["team-folder-leave"].isEnabled()
    sizes = [each.stat().st_size for each in logs(folder)]
    window.workbench.workspace.add_pages([Document(KEYS[1], KEYS[1])])
    window.workbench.workspace.set_status(KEYS[1], PageStatus.DONE)
    window.workbench.pages.refresh()
    anna.sync()
    assert not anna.is_busy
    assert [each.stat().st_size for each in logs(folder)] == sizes
    assert membership(window.workbench.workspace.store) is None


def test_a_folder_is_read_while_the_one_before_is_still_being_left(folder, tmp_path, qtbot):
    """The thread of the one before may wait for a share: it keeps its own open workspace."""
    path = member(folder, tmp_path / "anna.pagelet", "Anna")
    parent, answers = QObject(), []
    worker = FolderWorker(path, parent)
    worker.synced.connect(answers.append)
    worker.failed.connect(answers.append)
    for _ in range(8):
        worker.sync()
        worker.close()
    worker.sync()
    qtbot.waitUntil(lambda: not worker.is_busy, timeout=WAIT)
    worker.close(WAIT / 1000)
    assert [type(each).__name__ for each in answers] == ["Synced"]
