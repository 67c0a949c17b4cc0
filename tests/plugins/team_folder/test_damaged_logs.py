"""Logs of a team folder that were cut, copied, deleted or changed by others."""

import pytest

from annotate.plugins.team_folder.record import LogLine, read
from annotate.plugins.team_folder.sync import TeamFolder
from annotate.workspace.workspace import Workspace
from tests.plugins.team_folder.parts import (
    FERRY,
    MILL,
    contents,
    logs,
    mark,
    replace_with,
    sync,
    types,
)


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
    newer = LogLine.made(0, 1, "", "log", {"format": 2, "uid": "x", "device": "y", "host": "z",
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
    head = LogLine.made(0, 1, "", "log", {"format": 1, "uid": "evil", "device": "d", "host": "h",
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
        last = LogLine.made(number, number + 1, last.hash, kind, body)
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
