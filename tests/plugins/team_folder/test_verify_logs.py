"""``pagelet verify`` names each planted fault of a team folder."""

import pytest

from tests.plugins.team_folder.parts import KEYS, logs, mark, member, sync
from tests.typed_commands import typed


def cut(path):
    path.write_bytes(path.read_bytes()[:-20])


def alter(path):
    lines = path.read_bytes().splitlines(keepends=True)
    lines[1] = lines[1].replace(b'"number":1', b'"number":2').replace(b'"clock":', b'"clock":1')
    path.write_bytes(b"".join(lines))


def leave_out(path):
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([lines[0], *lines[2:]]))


def copy(path):
    path.with_name(path.name.replace(".", " (1).", 1)).write_bytes(path.read_bytes())


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (cut, "has not arrived whole yet"),
        (alter, "cannot be read: a part is missing"),
        (leave_out, "has not arrived yet"),
        (copy, "conflicted copy"),
    ],
)
def test_a_planted_fault_of_a_team_folder_is_named(tmp_path, fault, said):
    folder = tmp_path / "team"
    folder.mkdir()
    path = member(folder, tmp_path / "anna.pagelet", "Anna")
    for name in ("a", "b"):
        mark(path, KEYS[0], name)
        sync(path, folder=folder)
    assert typed("verify", str(folder)).stdout == f"{folder}: whole\n"
    fault(logs(folder)[0])
    done = typed("verify", str(folder))
    assert said in done.stdout
    assert done.returncode == 1
