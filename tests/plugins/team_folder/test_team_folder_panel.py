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
    """Return whether a thread is that of a team folder."""
    return isinstance(getattr(getattr(thread, "_target", None), "__self__", None), FolderWorker)


@pytest.fixture
def anna(window, folding, folder, qtbot):
    """Join the folder as Anna, and wait until it has been read."""
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
    """Read the folder by the action."""
    qtbot.waitUntil(lambda: not folding.is_busy, timeout=WAIT)
    window.actions_["team-folder-now"].trigger()
    qtbot.waitUntil(lambda: not folding.is_busy, timeout=WAIT)


def laptop_of(name, folder, path):
    """Write to the folder from another device, which is not accepted yet."""
    with Workspace.open(path) as workspace:
        join(workspace, folder, name, is_me=True)
        workspace.add_pages([Document(key, key) for key in KEYS])
        workspace.set_status(KEYS[0], PageStatus.QUESTION)
    sync(path)


def questions(window):
    return [each for each in window.findChildren(Question) if each.isVisible()]


def test_a_missing_folder_is_refused_and_its_actions_stay_disabled(
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


def test_joining_asks_for_a_name_and_escape_cancels_it(window, folding, folder, tmp_path, qtbot):
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


def test_work_of_another_annotator_is_reported_once_and_listed(
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


def test_a_refused_device_stays_listed_and_can_be_accepted_later(
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


def test_held_logs_are_selected_by_key_and_the_selection_is_kept(
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


def test_leaving_closes_the_question_and_stops_writing(window, anna, folder, tmp_path, qtbot):
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


def test_a_folder_is_read_while_the_previous_threads_are_still_closing(folder, tmp_path, qtbot):
    """Read although a previous thread may still wait for a network share."""
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
