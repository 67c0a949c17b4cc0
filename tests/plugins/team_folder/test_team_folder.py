"""A team folder: each annotator writes one log, all see the work of all, nothing is lost."""

import os
import platform
import shutil

import pytest

from annotate.plugins.team_folder.membership import join, leave, log_name, membership
from annotate.plugins.team_folder.receiving import Receiving
from annotate.plugins.team_folder.record import read
from annotate.plugins.team_folder.sync import TeamFolder
from annotate.plugins.team_folder.writer import LogWriter
from annotate.plugins.team_work import assignments, comments, resolving
from annotate.plugins.team_work.assignments import Assigned
from annotate.plugins.team_work.comments import CommentKind
from annotate.workspace import annotators
from annotate.workspace.annotators import Role
from annotate.workspace.workspace import PageStatus, Workspace
from engine.errors import InputError
from tests.nobody import as_nobody
from tests.plugins.team_folder.parts import (
    FERRY,
    MILL,
    QUAY,
    accept,
    contents,
    logs,
    mark,
    member,
    replace_with,
    sync,
    types,
)


def test_marks_are_synchronised_under_the_names_of_their_annotators(team):
    _, anna, ben = team
    mark(anna, FERRY, "h1", "Title")
    assert sync(anna).written == 5  # log, name, page, mark, status
    assert sync(ben).summary == "Anna: 1 page new"
    mark(ben, FERRY, "a", "Article")
    sync(ben)
    assert sync(anna).summary == "Ben: 1 page new"
    assert types(anna) == types(ben) == {"Anna": ["Title"], "Ben": ["Article"]}
    assert contents(anna) == contents(ben)


def test_a_synchronised_folder_is_neither_written_nor_read_again(team):
    folder, anna, ben = team
    mark(anna, FERRY, "h1")
    for path in (anna, ben, anna):
        sync(path)
    before = [path.read_bytes() for path in (*logs(folder), anna, ben)]
    for path in (anna, ben):
        result = sync(path)
        assert (result.written, result.summary, result.notes) == (0, "", ())
    assert [path.read_bytes() for path in (*logs(folder), anna, ben)] == before


def test_each_annotator_only_appends_to_one_log(team):
    folder, anna, ben = team
    for path in (anna, ben):
        mark(path, FERRY, "h1")
        sync(path)
    before = {path.name: path.read_bytes() for path in logs(folder)}
    assert [name.partition("-")[0] for name in before] == ["Anna", "Ben"]
    mark(anna, MILL, "a")
    sync(anna)
    sync(ben)
    after = {path.name: path.read_bytes() for path in logs(folder)}
    assert [after[name].startswith(data) for name, data in before.items()] == [True, True]
    assert [len(after[name]) > len(data) for name, data in before.items()] == [True, False]


def test_comments_answers_and_settled_questions_are_synchronised_both_ways(team):
    _, anna, ben = team
    mark(anna, FERRY, "h1")
    for path in (anna, ben):
        sync(path)
    with Workspace.open(ben) as workspace:
        asked = comments.add(workspace, FERRY, "Is this a title?", kind=CommentKind.QUESTION)
        dropped = comments.add(workspace, MILL, "never mind")
    sync(ben)
    assert sync(anna).summary == "Ben: 2 comments new"
    with Workspace.open(anna) as workspace:
        comments.add(workspace, FERRY, "Yes.", kind=CommentKind.ANSWER, answers=asked)
    with Workspace.open(ben) as workspace:
        comments.take_back(workspace, dropped)
    for path in (anna, ben, anna):
        sync(path)
    with Workspace.open(ben) as workspace:
        (thread,) = comments.threads(workspace)
        assert [(each.author, each.text, each.is_settled) for each in thread] == [
            ("Ben", "Is this a title?", True), ("Anna", "Yes.", False),
        ]  # fmt: skip
    assert contents(anna) == contents(ben)


def test_assignments_status_and_decisions_are_synchronised(team):
    _, anna, ben = team
    for path in (anna, ben):
        mark(path, FERRY, "h1")
        sync(path)
    sync(anna)
    with Workspace.open(anna) as workspace:
        with workspace.store.saving():
            annotators.add(workspace.store, "Carla")
        assignments.assign(workspace.store, {"Ben": [Assigned(MILL), Assigned(QUAY, True)],
                                             "Carla": [Assigned(QUAY)]})  # fmt: skip
        annotators.change(workspace.store, workspace.annotator, "Anna", Role.REVIEWER)
        resolving.decide(workspace, FERRY, "item", "none")
    with Workspace.open(ben) as workspace:
        workspace.set_status(FERRY, PageStatus.DONE)
    for path in (anna, ben, anna):
        sync(path)
    assert contents(anna) == contents(ben)
    with Workspace.open(ben) as workspace:
        dealt = {each.name: assignments.list_assigned(workspace.store, each)
                 for each in workspace.annotators}  # fmt: skip
        assert [each.key for each in dealt["Ben"]] == [MILL, QUAY]
        assert [each.key for each in dealt["Carla"]] == [QUAY]
    assert ("done" in {row[2] for row in contents(anna)["pages"]}) is True
    with Workspace.open(anna) as workspace:
        resolving.decide(workspace, FERRY, "item", "")
    for path in (anna, ben):
        sync(path)
    assert contents(ben)["decisions"] == []


def test_an_annotator_who_joins_gets_the_pages_assigned_to_that_name(team, tmp_path):
    folder, anna, _ = team
    with Workspace.open(anna) as workspace:
        with workspace.store.saving():
            annotators.add(workspace.store, "Carla")
        assignments.assign(workspace.store, {"Carla": [Assigned(QUAY)]})
    sync(anna)
    carla = member(folder, tmp_path / "carla.pagelet", "Carla")
    sync(carla)
    with Workspace.open(carla) as workspace:
        listed = assignments.list_assigned(workspace.store, workspace.annotator)
        assert [each.key for each in listed] == [QUAY]
    mark(carla, QUAY, "h1")
    sync(carla)
    sync(anna)
    with Workspace.open(anna) as workspace:
        assert [each.name for each in workspace.annotators] == ["Anna", "Carla"]


def test_joining_under_a_name_in_use_is_refused_without_confirmation(team, tmp_path):
    folder, anna, _ = team
    sync(anna)
    with Workspace.open(tmp_path / "other.pagelet") as workspace:
        with pytest.raises(InputError, match="Anna works in this team folder already, on "):
            join(workspace, folder, "Anna")
        assert membership(workspace.store) is None
        join(workspace, folder, "Anna", is_me=True)
        assert workspace.annotator.name == "Anna"


def test_an_annotator_continues_on_another_device_once_it_is_accepted(team, tmp_path):
    folder, anna, ben = team
    mark(anna, FERRY, "h1", "Title")
    sync(anna)
    laptop = tmp_path / "laptop.pagelet"
    with Workspace.open(laptop) as workspace:
        join(workspace, folder, "Anna", is_me=True)
    assert sync(laptop).summary == "1 page of yours from another device"
    mark(laptop, FERRY, "a", "Article")
    sync(laptop)
    (asked,) = sync(anna).held
    assert (asked.is_mine, asked.count) == (True, 2)
    assert asked.changes == ("accepts a device on " + platform.node(), f"marks on {FERRY}: mark a")
    (held,) = sync(ben).held
    assert (held.is_mine, held.name) == (False, "Anna")
    assert types(ben) == {"Anna": ["Title"]}
    assert accept(anna).summary == "1 page of yours from another device"
    assert sync(ben).held == ()
    assert types(anna) == types(laptop) == types(ben) == {"Anna": ["Title", "Article"]}
    assert len(logs(folder)) == 3


def test_conflicting_marks_of_one_annotator_on_two_devices_are_both_kept(team, tmp_path):
    folder, anna, ben = team
    mark(anna, FERRY, "h1", "Title")
    sync(anna)
    laptop = tmp_path / "laptop.pagelet"
    shutil.copy(anna, laptop)
    mark(anna, FERRY, "a", "Article")
    mark(laptop, FERRY, "a", "Content")
    sync(laptop)
    accept(anna)
    sync(ben)  # before the other half is there
    for path in (anna, laptop, ben, anna, ben):
        sync(path)
    assert sorted(types(ben).values()) == [["Title", "Article"], ["Title", "Content"]]
    assert types(anna)["Anna"] == ["Title", "Article"]
    assert types(laptop)["Anna"] == ["Title", "Content"]
    carla = member(folder, tmp_path / "carla.pagelet", "Carla")
    sync(carla)
    sync(ben)
    assert contents(carla) == contents(ben)


def test_a_copied_workspace_writes_a_separate_log(team, tmp_path):
    folder, anna, _ = team
    sync(anna)
    copy = tmp_path / "copy.pagelet"
    shutil.copy(anna, copy)
    mark(copy, FERRY, "h1")
    sync(copy)
    mark(anna, MILL, "h1")
    sync(anna)
    assert len(logs(folder)) == 2
    # Log, name, page, mark, status; and a record that the earlier log is its own, too.
    assert sorted(len(path.read_bytes().splitlines()) for path in logs(folder)) == [5, 5]


def test_a_workspace_restored_from_a_backup_reads_back_its_later_work(team, tmp_path):
    folder, anna, ben = team
    mark(anna, FERRY, "h1", "Title")
    sync(anna)
    old = anna.read_bytes()
    mark(anna, FERRY, "a", "Article")
    with Workspace.open(anna) as workspace:
        comments.add(workspace, FERRY, "here")
    sync(anna)
    replace_with(anna, old)
    mark(anna, MILL, "h1", "Header")
    assert "of yours from another device" in sync(anna).summary
    assert types(anna)["Anna"] == ["Title", "Article"]
    sync(ben)
    assert types(ben) == {"Anna": ["Title", "Article"]}
    assert types(ben, MILL) == {"Anna": ["Header"]}
    assert len(contents(anna)["comments"]) == 1
    assert len(logs(folder)) == 3  # Anna's old log, her new log, and Ben's


def test_a_log_that_another_writer_has_open_is_not_written(team):
    folder, anna, _ = team
    mark(anna, FERRY, "h1")
    sync(anna)
    (log,) = logs(folder)
    mark(anna, MILL, "h1")
    with LogWriter.opened(log, read(log.read_bytes().splitlines()[0])) as writer:
        assert writer is not None
        assert sync(anna).is_busy
    assert sync(anna).written == 3


@pytest.mark.parametrize("there", ["", "elsewhere"])
def test_leaving_while_the_folder_is_read_imports_nothing(team, tmp_path, monkeypatch, there):
    _, anna, ben = team
    mark(ben, FERRY, "h1")
    sync(ben)
    (tmp_path / "elsewhere").mkdir()
    read_marks = Receiving.read

    def left(receiving, sheets):
        with Workspace.open(anna) as workspace:
            leave(workspace)
            if there:
                join(workspace, tmp_path / there)
        read_marks(receiving, sheets)

    monkeypatch.setattr(Receiving, "read", left)
    with pytest.raises(InputError, match="any more"):
        sync(anna)
    with Workspace.open(anna) as workspace:
        now = membership(workspace.store)
    assert (now.folder if now else "") == (str(tmp_path / there) if there else "")
    assert types(anna) == {}


def test_a_missing_team_folder_is_refused_and_used_again_once_restored(team, tmp_path):
    folder, anna, _ = team
    sync(anna)
    folder.rename(tmp_path / "away")
    with pytest.raises(InputError, match=r"the team folder .* cannot be read: No such file"):
        sync(anna)
    mark(anna, FERRY, "h1")
    (tmp_path / "away").rename(folder)
    assert sync(anna).written == 3
    with Workspace.open(anna) as workspace:
        leave(workspace)
        with pytest.raises(InputError, match="is not a folder: make it first"):
            join(workspace, tmp_path / "nowhere")
    assert TeamFolder.opened(anna) is None


def test_a_file_in_place_of_the_team_folder_is_refused_and_left_alone(team, tmp_path):
    folder, anna, _ = team
    sync(anna)
    folder.rename(tmp_path / "away")
    folder.write_text("notes of a year")
    mark(anna, FERRY, "h1")
    with pytest.raises(InputError, match=r"the team folder .* cannot be read: Not a directory"):
        sync(anna)
    assert folder.read_text() == "notes of a year"


@pytest.mark.skipif(os.name == "nt", reason="folders have other permissions there")
def test_a_read_only_team_folder_is_refused_and_used_once_it_can_be_written(open_folder):
    folder, path = open_folder / "team", open_folder / "anna.pagelet"
    folder.mkdir()
    mark(member(folder, path, "Anna"), FERRY, "h1")
    open_folder.chmod(0o777)
    path.chmod(0o666)
    folder.chmod(0o555)
    with as_nobody(), pytest.raises(InputError, match="cannot be written: Permission denied"):
        sync(path)
    folder.chmod(0o777)
    with as_nobody():
        assert sync(path).written > 0


def test_names_of_logs_are_valid_file_names_on_every_system():
    assert log_name("Anna", "0" * 8) == "Anna-00000000.pagelet-log"
    assert log_name("../a:b?", "1" * 8) == "a b-11111111.pagelet-log"
    assert log_name("Zoë 李", "2" * 8) == "Zoë 李-22222222.pagelet-log"
    assert log_name("...", "3" * 8) == "annotator-33333333.pagelet-log"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills itself in a child")
def test_a_kill_between_writing_log_and_workspace_loses_and_duplicates_nothing(team, monkeypatch):
    folder, anna, ben = team
    sync(anna)
    mark(anna, FERRY, "h1", "Title")
    pid = os.fork()
    if pid == 0:
        append = LogWriter.append

        def killed(writer, records):
            append(writer, records)
            os._exit(9)

        LogWriter.append = killed
        sync(anna)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 9
    assert sync(anna).written == 0
    assert len(logs(folder)) == 1
    sync(ben)
    assert types(ben) == {"Anna": ["Title"]}
