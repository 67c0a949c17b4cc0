"""A team folder: each annotator writes one log, all see the work of all, nothing is lost."""

import os
import platform
import shutil

import pytest

from annotate.plugins.team_folder.membership import join, leave, log_name, membership
from annotate.plugins.team_folder.receiving import Receiving
from annotate.plugins.team_folder.record import Record, read
from annotate.plugins.team_folder.sync import TeamFolder
from annotate.plugins.team_folder.writer import LogWriter
from annotate.plugins.team_work import assignments, comments, resolving
from annotate.plugins.team_work.assignments import Assigned
from annotate.plugins.team_work.comments import CommentKind
from annotate.workspace import annotators
from annotate.workspace.annotators import Role
from annotate.workspace.workspace import PageStatus, Workspace
from engine.document import Document
from engine.errors import InputError
from tests.plugins.team_folder.parts import (
    KEYS,
    NODES,
    accept,
    contents,
    logs,
    mark,
    member,
    replace_with,
    sync,
)

FERRY, MILL, QUAY = KEYS


@pytest.fixture
def team(tmp_path):
    """Return a folder, and the workspaces of Anna and Ben, who work in it."""
    folder = tmp_path / "team"
    folder.mkdir()
    return (
        folder,
        member(folder, tmp_path / "anna.pagelet", "Anna"),
        member(folder, tmp_path / "ben.pagelet", "Ben"),
    )


def types(path, key=FERRY):
    """Return the types of all marks on a page by the names of their annotators."""
    with Workspace.open(path) as workspace:
        return {
            who.name: [each.type for each in gold.marks]
            for who, gold in workspace.golds(key, NODES).items()
        }


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
        dealt = {each.name: assignments.assigned(workspace.store, each)
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
        assert [each.key for each in assignments.assigned(workspace.store, workspace.annotator)] \
            == [QUAY]  # fmt: skip
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


def test_a_deleted_or_reverted_log_is_written_again_by_its_workspace(team):
    folder, anna, ben = team
    mark(anna, FERRY, "h1", "Title")
    sync(anna)
    (log,) = logs(folder)
    older = log.read_bytes()
    mark(anna, MILL, "h1", "Header")
    sync(anna)
    with TeamFolder.opened(anna) as at_work:
        at_work.sync()
        replace_with(log, older)
        assert at_work.sync().written == 3
        log.unlink()
        assert at_work.sync().written > 5
    sync(ben)
    assert contents(ben)["marks"] == contents(anna)["marks"] != []


def test_an_incomplete_last_line_is_reported_to_others_and_removed_by_its_writer(team):
    folder, anna, ben = team
    mark(anna, FERRY, "h1", "Title")
    sync(anna)
    (log,) = logs(folder)
    whole = log.read_bytes()
    log.write_bytes(whole + b'{"number":5,"clock":9,"bef')
    result = sync(ben)
    assert result.notes == (f"{log.name}: its last line has not arrived whole yet",)
    assert log.read_bytes() != whole
    assert types(ben) == {"Anna": ["Title"]}
    sync(anna)
    assert log.read_bytes().startswith(whole)
    assert all(read(line) for line in log.read_bytes().splitlines())
    mark(anna, FERRY, "a", "Article")
    sync(anna)
    assert sync(ben).notes == ()
    assert types(ben) == {"Anna": ["Title", "Article"]}


def test_changes_after_a_gap_are_reported_and_wait_for_the_missing_part(team):
    folder, anna, ben = team
    mark(anna, FERRY, "h1", "Title")
    mark(anna, MILL, "h1", "Header")
    sync(anna)
    (log,) = logs(folder)
    whole = log.read_bytes()
    lines = whole.splitlines(keepends=True)
    log.write_bytes(b"".join([*lines[:3], b"\0" * (len(lines[3]) - 1) + b"\n", *lines[4:]]))
    result = sync(ben)
    assert result.notes == (
        f"{log.name} has 1 line that cannot be read: a part is missing",
        f"{log.name}: what comes before the last {len(lines) - 4} changes has not arrived yet",
    )
    assert types(ben) == {}
    log.write_bytes(whole)
    assert sync(ben).notes == ()
    assert contents(ben) == {**contents(anna), "people": contents(ben)["people"]}


@pytest.mark.parametrize(
    "name",
    [
        "{stem} (conflicted copy 2026-11-24 101500).pagelet-log",
        "{stem}.sync-conflict-20261124-101500-ABCDEFG.pagelet-log",
        "{stem} (Anna's conflicted copy 2026-11-24).pagelet-log",
        "{stem} (1).pagelet-log",
        "{stem}.pagelet-log.orig",
        "{stem}.pagelet-log~HEAD",
    ],
)
def test_a_conflicted_copy_is_reported_and_its_additional_changes_are_used(team, name):
    folder, anna, ben = team
    mark(anna, FERRY, "h1", "Title")
    sync(anna)
    (log,) = logs(folder)
    older = log.read_bytes()
    mark(anna, FERRY, "a", "Article")
    sync(anna)
    copy = folder / name.format(stem=log.stem)
    log.rename(copy)
    log.write_bytes(older)
    assert sync(ben).notes == (
        f"{copy.name} is a conflicted copy of {log.name}, with 1 change in it (used)",
    )
    assert types(ben) == {"Anna": ["Title", "Article"]}
    mark(anna, MILL, "h1", "Header")
    sync(anna)
    assert f"{copy.name} is a conflicted copy" in sync(anna).notes[0]
    sync(ben)
    assert types(ben, MILL) == {"Anna": ["Header"]}


def test_temporary_files_are_ignored_and_unknown_logs_are_reported(team):
    folder, anna, ben = team
    mark(anna, FERRY, "h1")
    sync(anna)
    (log,) = logs(folder)
    (folder / f".{log.name}.Xy3d").write_bytes(log.read_bytes())
    (folder / f"~syncthing~{log.name}.tmp").write_bytes(b"half")
    (folder / f"{log.name}.part").write_bytes(b"half")
    (folder / "notes.txt").write_text("ours")
    assert sync(ben).notes == ()
    (folder / "strange.pagelet-log").write_bytes(b"<<<<<<< HEAD\n\xff\xfe\n")
    newer = Record.made(0, 1, "", "log", {"format": 2, "uid": "x", "device": "y", "host": "z",
                                          "name": "newer.pagelet-log"})  # fmt: skip
    (folder / "newer.pagelet-log").write_bytes(newer.line)
    assert sync(ben).notes == (
        "newer.pagelet-log is of a newer Pagelet, or of no Pagelet: it is left alone",
        "strange.pagelet-log has not arrived yet: its first line is missing",
    )


def test_invalid_records_are_reported_and_change_nothing(team):
    folder, _anna, ben = team
    mark(ben, FERRY, "h1")
    sync(ben)
    before = contents(ben)
    head = Record.made(0, 1, "", "log", {"format": 1, "uid": "evil", "device": "d", "host": "h",
                                         "name": "evil.pagelet-log"})  # fmt: skip
    bad = [
        ("person", {"uid": "evil", "name": 3, "role": "annotator"}),
        ("person", {"uid": "evil", "name": "Eve", "role": "queen"}),
        ("status", {"uid": "evil", "key": FERRY, "status": "lost"}),
        ("page", {"uid": "evil", "key": FERRY, "url": "", "title": "", "digest": "",
                  "width": 2**70, "height": 0, "visited": "", "position": 1}),
        ("change", {"uid": "evil", "key": "team:../../etc/passwd", "revision": 1, "after": "",
                    "made": "", "what": "", "step": "edit", "delta": '{"set":[{}],"drop":[]}'}),
        ("assigned", {"uid": "evil", "name": "Eve", "pages": [["a", 7]]}),
        ("unheard of", []),
    ]  # fmt: skip
    records, last = [head], head
    for number, (kind, body) in enumerate(bad, 1):
        last = Record.made(number, number + 1, last.hash, kind, body)
        records.append(last)
    (folder / "evil.pagelet-log").write_bytes(b"".join(each.line for each in records))
    (note,) = sync(ben).notes
    assert note == (
        "evil.pagelet-log, line 2 is not used: name of a record of the kind person is 3"
        " (and 5 other lines)"
    )
    assert contents(ben)["marks"] == before["marks"]
    assert contents(ben)["changes"] == before["changes"]
    with Workspace.open(ben) as workspace:
        assert not workspace.damage


def test_pages_in_the_team_folder_are_matched_at_any_path(tmp_path):
    paths, keys = [], []
    for name in ("Anna", "Ben"):
        folder = tmp_path / name / "corpus"
        folder.mkdir(parents=True)
        page = folder / "pages" / "ferry.html"
        page.parent.mkdir()
        page.write_text("<h1>Harbour</h1>")
        keys.append(str(page))
        path = tmp_path / f"{name}.pagelet"
        with Workspace.open(path) as workspace:
            workspace.add_pages([Document(str(page), "pagelet://x/", page.parent, page.name)])
            join(workspace, folder, name)
        mark(path, str(page), "h1", name)
        sync(path)
        paths.append(path)
    (log,) = logs(tmp_path / "Anna" / "corpus")
    shutil.copy(log, tmp_path / "Ben" / "corpus")
    sync(paths[1])
    assert types(paths[1], keys[1]) == {"Anna": ["Anna"], "Ben": ["Ben"]}
    assert str(tmp_path) not in log.read_text()


def test_a_file_outside_the_folder_is_matched_by_name_and_content(team):
    _, anna, ben = team
    for path, key in ((anna, "/srv/anna/ferry.html"), (ben, "/srv/ben/ferry.html")):
        with Workspace.open(path) as workspace:
            workspace.add_pages([Document(key, f"file://{key}")])
            if path == anna:
                workspace.visit(key, title="Ferry", digest="d" * 64, viewport=(1366, 768))
    mark(anna, "/srv/anna/ferry.html", "h1", "Title")
    sync(anna)
    sync(ben)
    assert types(ben, "/srv/ben/ferry.html") == {}
    with Workspace.open(ben) as workspace:
        workspace.visit("/srv/ben/ferry.html", title="F", digest="d" * 64, viewport=(1366, 768))
    mark(ben, "/srv/ben/ferry.html", "h1", "Header")
    sync(ben)
    assert types(ben, "/srv/ben/ferry.html") == {"Anna": ["Title"], "Ben": ["Header"]}


def written_for_ever(*paths):
    """Return how many records are written by workspaces that are synchronised already."""
    for _ in range(2):
        for path in paths:
            sync(path)
    return [sync(path).written for _ in range(4) for path in paths]


def test_two_devices_with_different_versions_of_a_page_stop_writing(team, tmp_path):
    folder, anna, _ = team
    mark(anna, FERRY, "h1")
    sync(anna)
    laptop = member(folder, tmp_path / "laptop.pagelet", "Laptop")
    with Workspace.open(laptop) as workspace:
        leave(workspace)
        annotators.change(workspace.store, workspace.annotator, "", Role.ANNOTATOR)
        join(workspace, folder, "Anna", is_me=True)
    for path, digest in ((anna, "a"), (laptop, "b"), (anna, "c")):
        with Workspace.open(path) as workspace:
            workspace.visit(FERRY, title=digest, digest=digest * 64, viewport=(1366, 768))
        mark(path, MILL if digest == "c" else FERRY, {"a": "a", "b": "b", "c": "h1"}[digest])
        sync(path)
    assert written_for_ever(anna, laptop) == [0] * 8


def test_assignments_of_files_outside_the_folder_are_matched_and_written_once(team):
    _, anna, ben = team
    for path, key in ((anna, "/srv/anna/ferry.html"), (ben, "/srv/ben/ferry.html")):
        with Workspace.open(path) as workspace:
            workspace.add_pages([Document(key, f"file://{key}")])
            workspace.visit(key, title="Ferry", digest="d" * 64, viewport=(1366, 768))
        mark(path, key, "h1")
        sync(path)
    with Workspace.open(anna) as workspace:
        pages = [Assigned("/srv/anna/ferry.html"), Assigned(MILL)]
        assignments.assign(workspace.store, {"Anna": pages})
    assert written_for_ever(anna, ben) == [0] * 8
    with Workspace.open(ben) as workspace:
        who = next(each for each in workspace.annotators if each.name == "Anna")
        there = assignments.assigned(workspace.store, who)
        assert [each.key for each in there] == ["/srv/ben/ferry.html", MILL]


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


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_team_folder_is_refused_and_used_once_it_can_be_written(team):
    folder, anna, _ = team
    mark(anna, FERRY, "h1")
    folder.chmod(0o500)
    try:
        with pytest.raises(InputError, match="cannot be written: Permission denied"):
            sync(anna)
    finally:
        folder.chmod(0o700)
    assert sync(anna).written > 0


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
