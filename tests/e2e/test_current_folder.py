"""Test that no command imports, loads or reads settings from the current folder."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from importlib.metadata import packages_distributions

import pytest

from tests.every_command import Desk, every, name_of, write_data_set

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and folders of Unix")

PLANTED = "open(__file__ + '.RAN', 'w').close()\nraise ImportError('planted')\n"
LIBRARIES = ("libz.so.1", "libstdc++.so.6", "libnss3.so", "libQt6Core.so.6")
SETTINGS = "text.usetex: True\nfont.size: 40\nbackend: module://warnings\n"


def plant(folder):
    """Write modules of all imported names, libraries and settings of matplotlib."""
    for name in {*sys.stdlib_module_names, *packages_distributions(), "engine", "gui", "pagelet",
                 "sitecustomize", "usercustomize", "conftest", "methods"}:  # fmt: skip
        if name.isidentifier():
            (folder / f"{name}.py").write_text(PLANTED)
    for name in LIBRARIES:
        (folder / name).write_bytes(b"no library")  # the loader ends whoever takes it
    (folder / "matplotlibrc").write_text(SETTINGS)


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    base = tmp_path_factory.mktemp("sent")
    folder = write_data_set(base / "data")
    plant(folder)
    return Desk(folder, base / "out", starts_anew=True)


def ran(desk):
    return sorted(path.name for path in desk.folder.glob("*.RAN"))


def run_window(desk, typed):
    """Open the window and end it once it shows the page; return its status and output."""
    path = desk.out / "window.pagelet"
    with desk.start(typed) as program:
        try:
            until = time.monotonic() + 100
            while not _is_shown(path) and program.poll() is None and time.monotonic() < until:
                time.sleep(0.05)
            program.send_signal(signal.SIGINT)
            out, stderr = program.communicate(timeout=60)
        finally:
            program.kill()
    assert _is_shown(path), stderr
    return program.returncode, out.decode(), stderr.decode()


def _is_shown(workspace):
    try:
        with closing(sqlite3.connect(f"{workspace.as_uri()}?mode=ro", uri=True)) as database:
            return database.execute("SELECT visited FROM pages").fetchone() not in (None, ("",))
    except sqlite3.Error:
        return False


@pytest.mark.parametrize(
    "typed",
    [
        pytest.param(
            each,
            id=name_of(each),
            marks=[] if each.words[0] == "extract" and not each.renders else [pytest.mark.slow],
        )
        for each in every()
    ],
)
def test_no_file_of_the_current_folder_is_run(desk, typed):
    status, _, stderr = run_window(desk, typed) if typed.words[0] == "open" else desk.run(typed)
    assert ran(desk) == []
    assert status in typed.statuses, stderr
    assert "planted" not in stderr
    assert "Traceback" not in stderr
    assert "rcParams" not in stderr


@pytest.mark.parametrize("value", ["", ".", ":/nonexistent", "../data"])
def test_empty_and_relative_parts_of_pythonpath_are_dropped(desk, value, tmp_path):
    code = (
        "import sys\n"
        "from pagelet_command import _forget_current_folder as forget\n"
        "forget()\n"
        "import os, subprocess\n"
        "from engine.interpreter import environment, python\n"
        "print([each for each in sys.path if os.path.realpath(each) == os.getcwd()])\n"
        "print(environment().get('PYTHONPATH', '').split(':').count(''))\n"
    )
    # The first process reads these itself, before any line of Pagelet's: no sitecustomize here.
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "multiprocessing.py").write_text(PLANTED)
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], cwd=folder, capture_output=True, text=True,
        env=os.environ | {"PYTHONPATH": value}, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0] == "[]"
