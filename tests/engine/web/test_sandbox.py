"""Test that the sandbox of pages is on, or said to be off, by what the kernel says of processes."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from engine.web.sandbox import sandbox_loss

REPOSITORY = Path(__file__).resolve().parents[3]

CAPTURE = """
import sys
sys.path[:0] = [{root!r}, {root!r} + "/annotate/facade"]
from engine.document import plain_document
from engine.web.headless import Browser
from engine.web.sandbox import sandbox_loss, sandbox_problem
with Browser() as browser:
    before = browser.notes
    browser.capture(plain_document(b"<p>words</p>"))
    loss = sandbox_loss(browser.view.page().renderProcessPid())
    print(sandbox_problem(), loss, *before, "+", *browser.notes, sep="|")
"""

DOCTOR = """
import sys
sys.path[:0] = [{root!r}, {root!r} + "/annotate/facade"]
sys.executable = {python!r}  # it starts another, which a user who is not root can run
from gui.cli.doctor import _sandbox
result = _sandbox()
print(result.summary, result.fix, sep="|")
"""

LOST = "is in no namespace of its own and calls the system without a filter"

pytestmark = [
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the kernel is Linux"),
    pytest.mark.web,
]


def said_by(code, folder, **switches):
    """Run code as a user who is not root; return its last line."""
    folder.chmod(0o777)
    as_user = ("setpriv", "--reuid=nobody", "--clear-groups") if os.geteuid() == 0 else ()
    if as_user and not shutil.which("setpriv"):
        pytest.skip("root has no sandbox, and setpriv, which makes another user, is missing")
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("QTWEBENGINE", "XDG_"))}
    clean |= {"HOME": str(folder), "TMPDIR": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    python = shutil.which(f"python3.{sys.version_info[1]}", path="/usr/bin") or sys.executable
    clean["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    done = subprocess.run(
        [*as_user, sys.executable, "-c", code.format(root=str(REPOSITORY), python=python)],
        cwd=folder, env=clean | switches, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    if done.returncode == 127 or "Permission denied" in done.stderr:
        pytest.skip("nobody but root can run this Python")
    assert done.returncode == 0, done.stderr
    return done.stdout.strip().splitlines()[-1]


def captured(folder, **switches):
    """Render a page; return what the kernel and Pagelet say."""
    problem, loss, *notes = said_by(CAPTURE, folder, **switches).split("|")
    if problem:
        pytest.skip(f"no sandbox runs here: {problem}")
    return loss, notes[: notes.index("+")], notes[notes.index("+") + 1 :]


@pytest.fixture
def open_folder():
    """Return a folder that others may enter, unlike those of pytest."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


@pytest.mark.slow
def test_a_page_runs_in_the_sandbox_where_nothing_else_is_said(open_folder):
    assert captured(open_folder) == ("", [], [])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("flag", "loss"),
    [
        ("--no-sandbox", LOST),
        ("--disable-seccomp-filter-sandbox", "calls the system without a filter"),
        ("--disable-namespace-sandbox", "is in no namespace of its own"),
    ],
)
def test_a_sandbox_that_a_flag_takes_away_is_said_to_be_off(open_folder, flag, loss):
    expected = f"Chromium's sandbox is off (the page's process {loss})"
    assert captured(open_folder, QTWEBENGINE_CHROMIUM_FLAGS=flag) == (loss, [], [expected])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("switch", "value", "reason"),
    [
        ("QTWEBENGINE_DISABLE_SANDBOX", "1", "as asked"),
        ("QTWEBENGINE_CHROMIUM_FLAGS", "--no-sandbox", f"the page's process {LOST}"),
    ],
)
def test_the_doctor_names_the_variable_that_takes_the_sandbox_away(
    open_folder, switch, value, reason
):
    found = said_by(DOCTOR, open_folder, **{switch: value})
    if found.startswith(("off, because", "it can run here")):
        pytest.skip(found)
    expected = f"Chromium's sandbox is off ({reason})|Remove what switches it off, in {switch}."
    assert found == expected


def test_an_ordinary_process_is_found_to_be_outside_the_sandbox():
    assert sandbox_loss(os.getpid()) == LOST
    assert sandbox_loss(0) == ""
