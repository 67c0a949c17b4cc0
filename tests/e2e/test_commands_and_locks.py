"""Test that commands read an open workspace only through SQLite.

An audit hook records the files that Python opens; those SQLite opens are not among them.
"""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress

import pytest

from annotate.workspace.workspace import Workspace
from gui.cli.main import commands
from tests.every_command import Desk, Typed, name_of, on_workspace, write_data_set
from tests.typed_commands import ROOT, forked

HOOK = """
import os, sys
from engine import held_files
path, opened = os.path.realpath(sys.argv[1]), []
def hook(event, arguments):
    if event == "open" and isinstance(arguments[0], (str, bytes, os.PathLike)):
        name, mode, flags = arguments
        # SQLite keeps its locks in the file itself: its journal may be looked at.
        is_changed = name == path + "-journal" and flags & (os.O_WRONLY | os.O_RDWR)
        is_file = os.path.realpath(os.fsdecode(name)) == path
        if (is_file or is_changed) and held_files.is_held(path):
            opened.append(mode)
sys.addaudithook(hook)
"""

COMMAND = """
from gui.cli.main import main
status = main(sys.argv[2:])
print("opened", opened, "status", status, file=sys.stderr)
"""

PLAIN_READER = """
from pathlib import Path
from annotate.workspace.workspace import Workspace
with Workspace.open(Path(path)):
    open(path, "rb").close()
    with open(path + "-journal", "ab"):
        pass
print("opened", opened)
"""

EVERY = [typed for command in commands() for typed in on_workspace(command)]


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    """Return a data set and a workspace with marks on its page."""
    folder = tmp_path_factory.mktemp("desk")
    made = Desk(write_data_set(folder / "sent"), folder / "out")
    made.out.mkdir()
    made.prepare_command("import")
    return made


@pytest.fixture
def workspace(desk):
    """Open the workspace in this process, as a window does."""
    with Workspace.open(desk.out / "marks.pagelet") as opened:
        yield opened


def start(desk: Desk, workspace: Workspace, code: str, *words: str) -> subprocess.Popen:
    """Start Python with the hook, in the data set's folder."""
    more = {"PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen", "HOME": str(desk.out)}
    return subprocess.Popen(
        [sys.executable, "-P", "-c", HOOK + code, str(workspace.path), *words],
        cwd=desk.folder, env=os.environ | more, stdin=subprocess.DEVNULL, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip


def end_window(process: subprocess.Popen, workspace: Workspace) -> None:
    """Press Ctrl-C once the window has recorded that it shows a page."""
    until = time.monotonic() + 60
    while not workspace.last_page and time.monotonic() < until:
        with suppress(subprocess.TimeoutExpired):
            process.wait(0.1)
    assert workspace.last_page
    os.killpg(process.pid, signal.SIGINT)


def test_opening_a_held_workspace_as_a_plain_file_is_detected(desk, workspace):
    with start(desk, workspace, PLAIN_READER) as process:
        out, stderr = process.communicate(timeout=60)
    assert "opened ['r', 'a']" in out, stderr


@pytest.mark.slow
@pytest.mark.parametrize("typed", EVERY, ids=name_of)
def test_commands_open_a_workspace_only_through_sqlite(desk, workspace, typed: Typed):
    words = [word.replace("OUT", str(desk.out)) for word in typed.words]
    if typed.words[0] == "open":
        with start(desk, workspace, COMMAND, *words) as process:
            end_window(process, workspace)
            _, stderr = process.communicate(timeout=120)
    else:
        stderr = forked(
            [str(workspace.path), *words],
            os.environ | {"QT_QPA_PLATFORM": "offscreen", "HOME": str(desk.out)},
            seconds=120, folder=desk.folder, session=True, before=HOOK + COMMAND + "sys.exit()",
        ).stderr  # fmt: skip
    assert "Traceback" not in stderr
    assert "opened [] status" in stderr, stderr
    assert int(stderr.rsplit(maxsplit=1)[-1]) in typed.statuses, stderr
    workspace.set_setting("layers", [typed.words[0]])  # and the window goes on saving
