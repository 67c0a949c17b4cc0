"""Crafted logs: no other file is written, and nobody writes in the name of another."""

import os
import shutil
import time

import pytest

from annotate.plugins.team_folder.held import MOST
from annotate.plugins.team_folder.logs import MOST_BYTES, Logs
from annotate.plugins.team_folder.membership import membership, put_membership
from annotate.plugins.team_folder.record import LogLine, read
from annotate.plugins.team_folder.sync import TeamFolder
from annotate.plugins.team_work import assignments, comments
from annotate.workspace.store import Store
from annotate.workspace.workspace import PageStatus, Workspace
from engine.errors import InputError
from tests.plugins.team_folder.parts import KEYS, accept, contents, logs, mark, member, sync

FERRY, MILL, QUAY = KEYS
PRECIOUS = "# my settings\nthe last line has no end"


@pytest.fixture(scope="module")
def work(tmp_path_factory):
    """Make a folder and workspaces of Anna, Ben and Mal, each with a mark that all have read."""
    base = tmp_path_factory.mktemp("work")
    folder = base / "now" / "team"
    folder.mkdir(parents=True)
    names = ("Anna", "Ben", "Mal")
    paths = [member(folder, base / "now" / f"{name.lower()}.pagelet", name) for name in names]
    for path in paths:
        mark(path, FERRY, "h1", path.stem)
        sync(path)
    for path in paths:
        sync(path)
    shutil.copytree(base / "now", base / "kept")
    return base


@pytest.fixture
def team(work):
    """Restore the workspaces at the same path: elsewhere they would be other devices."""
    shutil.rmtree(work / "now")
    shutil.copytree(work / "kept", work / "now")
    return work / "now" / "team", *(work / "now" / f"{n}.pagelet" for n in ("anna", "ben", "mal"))


def log_of(folder, name):
    (path,) = folder.glob(f"{name}-*.pagelet-log")
    return path


def records_of(path):
    return [read(line) for line in path.read_bytes().splitlines()]


def head_of(folder, name):
    return records_of(log_of(folder, name))[0]


def forge(path, *bodies, clock=None):
    """Add records to a log, each in order behind the last."""
    last, lines = records_of(path)[-1], []
    for kind, body in bodies:
        last = LogLine.made(last.number + 1, clock or last.clock + 1, last.hash, kind, body)
        lines.append(last.line)
    path.write_bytes(path.read_bytes() + b"".join(lines))


def write_log(path, head, *bodies):
    path.write_bytes(LogLine.made(0, 50, "", "log", head).line)
    forge(path, *bodies)


def of_person(path, name):
    """Return all rows of a person in a workspace."""
    there = contents(path)
    uids = {row[0] for row in there["people"] if row[1] == name}
    return {kind: [row for row in rows if uids & {*row[:4]}] for kind, rows in there.items()}


def status_of(folder, name, status="question", key=FERRY):
    return "status", {"uid": head_of(folder, name).body["uid"], "key": key, "status": status}


# files that are written ------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["{victim}", "../victim.txt", "..\\victim.txt", "a/b.pagelet-log"])
def test_a_file_named_by_a_crafted_log_is_not_written_to(team, tmp_path, name):
    folder, anna, *_ = team
    victim = tmp_path / "victim.txt"
    victim.write_text(PRECIOUS)
    head = dict(head_of(folder, "Anna").body) | {"name": name.format(victim=victim)}
    write_log(folder / "!evil.pagelet-log", head)
    before = log_of(folder, "Anna").read_bytes()
    mark(anna, MILL, "a")
    result = sync(anna)
    assert (result.written, victim.read_text()) == (3, PRECIOUS)
    assert log_of(folder, "Anna").read_bytes().startswith(before)
    assert "!evil.pagelet-log is of a newer Pagelet, or of no Pagelet: it is left alone" in (
        result.notes
    )


def test_the_log_of_another_is_not_written_to_if_a_crafted_head_names_it(team):
    folder, anna, ben, _ = team
    head = dict(head_of(folder, "Anna").body) | {"name": log_of(folder, "Ben").name}
    write_log(folder / "!evil.pagelet-log", head)
    before = log_of(folder, "Ben").read_bytes()
    mark(anna, MILL, "a")
    sync(anna)
    assert log_of(folder, "Ben").read_bytes() == before
    sync(ben)
    assert of_person(ben, "Anna")["marks"] == of_person(anna, "Anna")["marks"]


@pytest.mark.skipif(os.name == "nt", reason="links take rights there")
@pytest.mark.parametrize("make", [os.symlink, os.link], ids=["symbolic", "hard"])
def test_a_link_in_place_of_a_log_is_neither_written_nor_read(team, tmp_path, make):
    folder, anna, ben, _ = team
    victim = tmp_path / "victim.txt"
    victim.write_text(PRECIOUS)
    log = log_of(folder, "Anna")
    log.unlink()
    make(victim, log)
    mark(anna, MILL, "a")
    with pytest.raises(InputError, match="is a link to another file: move it away, and the log"):
        sync(anna)
    assert f"{log.name} cannot be read: it is a link to another file" in sync(ben).notes
    assert victim.read_text() == PRECIOUS
    log.unlink()
    assert sync(anna).written > 5
    sync(ben)
    assert of_person(ben, "Anna")["marks"] == of_person(anna, "Anna")["marks"]


@pytest.mark.skipif(os.name == "nt", reason="has no such files")
def test_a_pipe_folder_or_device_named_as_a_log_is_reported_and_skipped(team):
    folder, anna, *_ = team
    os.mkfifo(folder / "pipe.pagelet-log")
    (folder / "folder.pagelet-log").mkdir()
    (folder / "zeros.pagelet-log").symlink_to("/dev/zero")
    mark(anna, MILL, "a")
    result = sync(anna)
    assert result.written == 3
    assert sum("cannot be read" in note for note in result.notes) == 3


def test_a_foreign_file_under_the_name_of_my_log_is_left_unchanged(team):
    folder, anna, *_ = team
    log = log_of(folder, "Anna")
    log.write_text(PRECIOUS)
    mark(anna, MILL, "a")
    with pytest.raises(InputError, match="is not the log that this workspace wrote: move it away"):
        sync(anna)
    assert log.read_text() == PRECIOUS


# authors of records ----------------------------------------------------------------------------
def test_records_written_in_the_name_of_another_are_held_and_listed(team):
    folder, anna, ben, _ = team
    with Workspace.open(anna) as workspace:
        comment = comments.add(workspace, FERRY, "a precious comment")
    sync(anna)
    sync(ben)
    uid, key = head_of(folder, "Anna").body["uid"], FERRY
    change = next(each for each in records_of(log_of(folder, "Anna")) if each.kind == "change")
    behind = {"revision": 2, "after": change_after(change), "what": "forged", "step": "edit",
              "delta": '{"set":[],"drop":["x"]}', "made": "2026-11-26T10:00:00+00:00"}  # fmt: skip
    said = {"id": "d" * 32, "owner": uid, "key": key, "author": uid, "mark": "", "answers": "",
            "made": "2026-11-26T10:00:00+00:00", "kind": "comment", "text": "I agree"}  # fmt: skip
    before = [of_person(path, "Anna") for path in (anna, ben)]
    forge(
        log_of(folder, "Mal"), status_of(folder, "Anna"), ("removed", {"id": comment}),
        ("person", {"uid": uid, "name": "Mallory", "role": "reviewer"}), ("comment", said),
        ("change", {"uid": uid, "key": key, **behind}),
        ("quiz", {"uid": uid, "key": key, "right": 0, "of": 9}),
        ("decision", {"uid": uid, "key": key, "item": "x", "choice": "y"}),
    )  # fmt: skip
    at_anna, at_ben = sync(anna), sync(ben)
    assert [of_person(path, "Anna") for path in (anna, ben)] == before
    (mine,), (theirs,) = at_anna.held, at_ben.held
    assert (mine.is_mine, theirs.is_mine) == (True, False)
    assert set(theirs.changes) == {
        f"status of {key}: question", f"takes back the comment {comment[:8]}",
        "name: Mallory (reviewer)", f"comment on {key}: I agree", f"marks on {key}: forged",
        f"quiz on {key}: 0 of 9", f"decision on {key}: y",
    }  # fmt: skip
    assert log_of(folder, "Mal").name in theirs.note


def change_after(change):
    from annotate.plugins.team_folder.record import change_id

    return change_id(change.body)


def test_a_log_of_a_new_device_is_used_once_its_owner_has_accepted_it(team):
    folder, anna, ben, _ = team
    head = dict(head_of(folder, "Anna").body) | {
        "device": "0badc0de", "host": "lab-3", "name": "Anna-0badc0de.pagelet-log",
    }  # fmt: skip
    write_log(folder / head["name"], head, status_of(folder, "Anna"))
    for path in (anna, ben):
        (held,) = sync(path).held
        assert (held.host, held.changes) == ("lab-3", (f"status of {FERRY}: question",))
        assert "question" not in {row[2] for row in of_person(path, "Anna")["pages"]}
    accept(anna)
    assert sync(ben).held == ()
    assert "question" in {row[2] for row in of_person(ben, "Anna")["pages"]}


def test_a_refused_log_stays_refused_here_and_held_for_others(team):
    folder, anna, ben, _ = team
    forge(log_of(folder, "Mal"), status_of(folder, "Anna"))
    with TeamFolder.opened(anna) as at_work:
        (held,) = at_work.sync().held
        at_work.answer(held.voice, is_accepted=False)
        (held,) = at_work.sync().held
    assert held.is_refused
    assert [each.is_refused for each in (*sync(anna).held, *sync(ben).held)] == [True, False]


def test_each_annotator_accepts_the_replacement_of_a_lost_device_separately(team):
    folder, anna, ben, mal = team
    anna.unlink()  # and so the window that could have accepted the next device
    again = member(folder, anna.with_name("again.pagelet"), "Annas")
    with Workspace.open(again) as workspace:
        from annotate.plugins.team_folder.membership import join, leave

        leave(workspace)
        workspace.store._db.execute("UPDATE annotators SET name = ''")
    with Workspace.open(again) as workspace:
        join(workspace, folder, "Anna", is_me=True)
    mark(again, MILL, "a", "Again")
    sync(again)
    with TeamFolder.opened(ben) as at_work:
        (held,) = at_work.sync().held
        assert "Anna has not accepted that device" in held.note
        at_work.answer(held.voice, is_accepted=True)
        at_work.sync()
    assert [row[1] for row in of_person(ben, "Anna")["marks"]] == [FERRY, MILL]
    assert len(sync(mal).held) == 1


def test_two_comments_with_the_same_id_are_both_kept(team):
    folder, anna, ben, _ = team
    with Workspace.open(anna) as workspace:
        number = comments.add(workspace, FERRY, "a precious comment")
    sync(anna)
    uid = head_of(folder, "Mal").body["uid"]
    forge(log_of(folder, "Mal"), ("comment", {
        "id": number, "owner": uid, "key": FERRY, "author": uid, "mark": "", "answers": "",
        "made": "", "kind": "comment", "text": "mine now"}))  # fmt: skip
    sync(ben)
    assert {row[7] for row in contents(ben)["comments"]} == {"a precious comment", "mine now"}


def test_the_summary_names_the_annotator_who_assigned_pages(team):
    folder, anna, *_ = team
    uid = head_of(folder, "Anna").body["uid"]
    forge(log_of(folder, "Mal"),
          ("assigned", {"uid": uid, "name": "Anna", "pages": [[MILL, 0]]}))  # fmt: skip
    assert sync(anna).summary == "Mal assigned 1 page to Anna"
    with Workspace.open(anna) as workspace:
        dealt = assignments.list_assigned(workspace.store, workspace.annotator)
    assert [each.key for each in dealt] == [MILL]


# invalid records -------------------------------------------------------------------------------
PAGE = {"key": QUAY, "position": 1, "url": QUAY, "title": "T", "digest": "", "width": 0,
        "height": 0, "visited": ""}  # fmt: skip


@pytest.mark.parametrize(
    ("field", "value"),
    [("width", -5), ("height", 2**31 - 1), ("position", -7), ("digest", "zz"), ("visited", "zz"),
     ("key", ""), ("key", "team:"), ("key", "team:../../x"), ("key", "javascript:alert(1)"),
     ("url", "file:///etc/passwd")],
)  # fmt: skip
def test_an_invalid_page_record_is_reported_with_log_and_line_and_not_used(team, field, value):
    folder, anna, ben, _ = team
    log, uid = log_of(folder, "Mal"), head_of(folder, "Mal").body["uid"]
    line = len(records_of(log)) + 1
    forge(log, ("page", {"uid": uid, **PAGE, field: value}))
    mark(ben, MILL, "a", "good")
    sync(ben)
    result = sync(anna)
    assert f"{log.name}, line {line} is not used: {field} of a record of the kind page is " in (
        " ".join(result.notes)
    )
    assert result.summary == "Ben: 1 page new"
    store = Store.reading(anna, is_deep=True)
    assert not store.is_partial
    store.close()


@pytest.mark.parametrize("clock", [2**53, 2**52, 2**40, 2**31])
def test_a_clock_far_ahead_does_not_advance_the_clocks_of_others(team, clock):
    folder, anna, ben, _ = team
    forge(log_of(folder, "Mal"), status_of(folder, "Mal"), clock=clock)
    assert any("far ahead of all others; not used" in note for note in sync(ben).notes)
    mark(anna, MILL, "a", "later")
    sync(anna)
    assert sync(ben).summary == "Anna: 1 page new"
    assert all(read(line) for line in log_of(folder, "Anna").read_bytes().splitlines())
    assert max(each.clock for each in records_of(log_of(folder, "Anna"))) < 100


# missing logs ----------------------------------------------------------------------------------
def test_a_missing_shortened_or_rewritten_log_is_reported_until_restored_or_forgotten(team):
    folder, anna, *_ = team
    log = log_of(folder, "Ben")
    whole = log.read_bytes()
    log.unlink()
    gone = f"{log.name}: this log, which was read before, is gone; what came of it stays here"
    for _ in range(2):
        assert gone in sync(anna).notes
    log.write_bytes(b"".join(whole.splitlines(keepends=True)[:-2]))
    assert f"{log.name}: this log was shortened: 2 lines that were read are gone" in (
        " ".join(sync(anna).notes)
    )
    head, *rest = records_of_bytes(whole)
    log.write_bytes(head.line)
    forge(log, *[(each.kind, dict(each.body)) for each in reversed(rest)])
    assert f"{log.name}: this log was rewritten" in " ".join(sync(anna).notes)
    assert of_person(anna, "Ben")["marks"] != []
    log.write_bytes(whole)
    assert sync(anna).notes == ()
    log.unlink()
    with TeamFolder.opened(anna) as at_work:
        at_work.sync()
        assert at_work.forget(log.name)
        assert at_work.sync().notes == ()


def records_of_bytes(data):
    return [read(line) for line in data.splitlines()]


# limits ----------------------------------------------------------------------------------------
def test_a_log_above_the_size_limit_is_reported_and_the_others_are_read(team):
    folder, anna, ben, _ = team
    with (folder / "!big.pagelet-log").open("wb") as file:
        file.truncate(1 << 30)
    with (folder / "zeros.pagelet-log").open("wb") as file:
        file.truncate(MOST_BYTES)
    mark(ben, MILL, "a")
    sync(ben)
    begin = time.monotonic()
    result = sync(anna)
    assert time.monotonic() - begin < 10
    assert result.summary == "Ben: 1 page new"
    assert "!big.pagelet-log cannot be read: it is larger than 256 MB" in result.notes


def test_thousands_of_people_and_branches_are_read_within_ten_seconds(team):
    folder, anna, *_ = team
    write_log(
        folder / "people.pagelet-log",
        {"format": 1, "uid": "f" * 32, "device": "aaaaaaaa", "host": "h",
         "name": "people.pagelet-log"},
        *[("person", {"uid": f"p{n}", "name": "Anna", "role": "annotator"}) for n in range(3000)],
    )  # fmt: skip
    log = log_of(folder, "Mal")
    records = records_of(log)
    change = next(each for each in records if each.kind == "change")
    forge(log, *[("change", dict(change.body) | {"revision": 2, "after": change_after(change),
                                                 "what": f"{n}"}) for n in range(500)])  # fmt: skip
    begin = time.monotonic()
    sync(anna)
    assert time.monotonic() - begin < 10
    names = [row[1] for row in contents(anna)["people"]]
    assert len(names) == 3 + 3000
    assert {"Anna", "Anna 2", "Anna 3001"} <= {*names}


def test_the_list_of_held_changes_is_limited_and_ends_with_the_number_left(team):
    folder, anna, *_ = team
    forge(log_of(folder, "Mal"), *[status_of(folder, "Anna", key=f"{MILL}?{n}")
                                   for n in range(MOST + 7)])  # fmt: skip
    (held,) = sync(anna).held
    assert (held.count, held.changes[-1]) == (MOST + 7, "and 7 more")


# workspaces of 1.0 -----------------------------------------------------------------------------
def test_a_workspace_of_1_0_keeps_its_log_and_accepts_its_known_devices(team, tmp_path):
    folder, anna, ben, _ = team
    laptop = tmp_path / "laptop.pagelet"
    laptop.write_bytes(anna.read_bytes())
    mark(laptop, MILL, "a", "Laptop")
    sync(laptop)
    accept(anna)
    sync(ben)
    for path in (anna, ben):
        forget_what_1_0_did_not_know(path)
    mark(anna, QUAY, "a", "Quay")
    before = {path.name for path in logs(folder)}
    assert (sync(anna).held, sync(ben).held) == ((), ())
    assert {path.name for path in logs(folder)} == before
    assert [row[1] for row in of_person(ben, "Anna")["marks"]] == [FERRY, MILL, QUAY]
    uid = records_of(logs(folder)[0])[0].body["uid"]
    forge(log_of(folder, "Mal"), ("status", {"uid": uid, "key": FERRY, "status": "question"}))
    assert len(sync(anna).held) == 1


def forget_what_1_0_did_not_know(path):
    with Workspace.open(path) as workspace:
        value = membership(workspace.store)
        names = ("folder", "device", "host", "path", "own", "known", "writing")
        old = {name: getattr(value, name) for name in names}
        with workspace.store.saving():
            put_membership(workspace.store, type(value)(**old))


def test_a_membership_written_by_1_0_is_read_again(team):
    _, anna, *_ = team
    store = Store.open(anna, create=False)
    value = membership(store)
    assert value.voices
    assert value.log is not None
    store.close()
    forget_what_1_0_did_not_know(anna)
    with Workspace.open(anna) as workspace:
        workspace.set_status(FERRY, PageStatus.DONE)
    assert sync(anna).written == 1


def test_small_logs_are_read_first_up_to_the_limit_of_the_folder(tmp_path, monkeypatch):
    monkeypatch.setattr("annotate.plugins.team_folder.logs.MOST_OF_ALL", 3000)
    for name, size in (("!large", 2900), ("small", 0)):
        head = {"format": 1, "uid": name.strip("!"), "device": "aaaaaaaa", "host": "h",
                "name": f"{name}.pagelet-log"}  # fmt: skip
        path = tmp_path / head["name"]
        path.write_bytes(LogLine.made(0, 1, "", "log", head).line + b" " * size)
    there = Logs(tmp_path)
    there.poll()
    assert [log.uid for log in there.by_head.values()] == ["small"]
    assert there.notes == [
        "!large.pagelet-log cannot be read: the logs of this folder together are larger than 0 MB"
    ]
