"""`pagelet team` lists the annotators of a folder and synchronises workspaces with it."""

import json
import shlex

import pytest

from annotate.plugins.team_folder.record import LogLine, read
from annotate.workspace.workspace import PageStatus, Workspace
from engine.document import Document
from gui.cli.main import main
from tests.plugins.team_folder.parts import KEYS, mark, member


@pytest.fixture
def folder(tmp_path):
    result = tmp_path / "team"
    result.mkdir()
    for name in ("anna", "ben"):
        with Workspace.open(tmp_path / f"{name}.pagelet") as workspace:
            workspace.add_pages([Document(key, key) for key in KEYS])
    return result


def typed(capsys, *words, status=0):
    assert main(["team", *map(str, words)]) == status
    return capsys.readouterr()


def test_workspaces_join_and_are_synchronised(folder, tmp_path, capsys):
    anna, ben = tmp_path / "anna.pagelet", tmp_path / "ben.pagelet"
    mark(anna, KEYS[0], "h1")
    with Workspace.open(anna) as workspace:
        workspace.set_status(KEYS[0], PageStatus.DONE)
    assert typed(capsys, folder).out == f"{folder}: nobody works here yet\n"
    out = typed(capsys, folder, "--sync", anna, "--as", "Anna").out
    assert out.startswith("nothing new\nAnna: 1 page marked, 1 done, last change 20")
    out = typed(capsys, folder, "--sync", ben, "--as", "Ben").out
    assert out.startswith("Anna: 1 page new\nAnna: 1 page marked")
    assert "\nBen: 0 pages marked, 0 done, on " in out
    assert typed(capsys, folder, "--sync", ben).out.startswith("nothing new\n")
    people = json.loads(typed(capsys, folder, "--json").out)["people"]
    assert [(each["name"], each["done"]) for each in people] == [("Anna", 1), ("Ben", 0)]


def test_a_log_with_an_incomplete_last_line_is_reported(folder, tmp_path, capsys):
    typed(capsys, folder, "--sync", tmp_path / "anna.pagelet", "--as", "Anna")
    (log,) = folder.glob("*.pagelet-log")
    log.write_bytes(log.read_bytes() + b'{"number":')
    err = typed(capsys, folder).err
    assert err == f"pagelet: {log.name}: its last line has not arrived whole yet\n"


def test_invalid_names_options_and_paths_are_refused_with_a_sentence(folder, tmp_path, capsys):
    anna, ben = tmp_path / "anna.pagelet", tmp_path / "ben.pagelet"
    assert "give the name you mark under" in typed(
        capsys, folder, "--sync", anna, status=2
    ).err  # fmt: skip
    typed(capsys, folder, "--sync", anna, "--as", "Anna")
    assert "Anna works in this team folder already, on " in typed(
        capsys, folder, "--sync", ben, "--as", "Anna", status=2
    ).err  # fmt: skip
    typed(capsys, folder, "--sync", ben, "--as", "Anna", "--other-device")
    other = tmp_path / "other"
    other.mkdir()
    assert "works in the team folder" in typed(capsys, other, "--sync", anna, status=2).err
    assert "need --sync WORKSPACE" in typed(capsys, folder, "--as", "Anna", status=2).err
    assert "is not a folder" in typed(capsys, tmp_path / "gone", status=2).err
    gone = tmp_path / "gone.pagelet"
    assert "there is no workspace" in typed(
        capsys, folder, "--sync", gone, status=1
    ).err  # fmt: skip


def test_held_logs_are_listed_refused_accepted_and_forgotten(tmp_path, capsys):
    folder = tmp_path / "$(touch PWNED)"
    folder.mkdir()
    paths = [member(folder, tmp_path / f"{name}.pagelet", name) for name in ("Anna", "Ben")]
    for path in (*paths, *paths):
        typed(capsys, folder, "--sync", path)
    anna, ben = (next(folder.glob(f"{name}-*.pagelet-log")) for name in ("Anna", "Ben"))
    uid = read(anna.read_bytes().splitlines()[0]).body["uid"]
    last = read(ben.read_bytes().splitlines()[-1])
    body = {"uid": uid, "key": KEYS[0], "status": "question"}
    forged = LogLine.made(last.number + 1, last.clock + 1, last.hash, "status", body)
    ben.write_bytes(ben.read_bytes() + forged.line)
    err = typed(capsys, folder, "--sync", paths[0]).err
    assert f"held: 1 record of {ben.name} in the name of Anna: say whether it is you" in err
    assert f"    status of {KEYS[0]}: question\n" in err
    command = err.splitlines()[-1].partition(": to accept one: ")[2]
    assert shlex.split(command) == [
        "pagelet", "team", str(folder), "--sync", str(paths[0]), "--accept", ben.name,
    ]  # fmt: skip
    (held,) = json.loads(typed(capsys, folder, "--sync", paths[1], "--json").out)["held"]
    assert (held["log"], held["name"], held["yours"]) == (ben.name, "Anna", False)
    assert "unknown log that is held 'x'" in typed(
        capsys, folder, "--sync", paths[0], "--accept", "x", status=2
    ).err  # fmt: skip
    assert typed(capsys, folder, "--sync", paths[0], "--refuse", ben.name).err == ""
    typed(capsys, folder, "--sync", paths[0], "--accept", ben.name)
    assert "1 with a question" in typed(capsys, folder, "--sync", paths[1]).out
    ben.unlink()
    assert f"{ben.name}: this log, which was read before, is gone" in typed(
        capsys, folder, "--sync", paths[0]
    ).err  # fmt: skip
    assert typed(capsys, folder, "--sync", paths[0], "--forget", ben.name).err == ""
