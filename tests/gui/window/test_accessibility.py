"""The whole window as a screen reader sees it: names, roles, announced changes."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from gui.window.tasks import TASKS

_WALKS = 5

pytestmark = [pytest.mark.web, pytest.mark.slow]


def test_every_control_has_a_name_and_a_role_and_changes_are_announced():
    # In a separate process: after these queries PySide crashed in the windows of later tests.
    # All tests there share a window, and the processes that it keeps: nothing is left behind.
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=short"]
    command += ["-p", "no:tests.leaks"]
    # PySide crashes there in some runs while Qt frees what was read.  It is no fault of the window,
    # whose panels come and go without these queries: a walk that ended so is walked anew.
    for _ in range(_WALKS):
        ended = subprocess.run(
            [*command, str(Path(__file__).with_name("accessibility_walk.py"))],
            capture_output=True, text=True, check=False, timeout=240, cwd=Path(__file__).parents[3],
        )  # fmt: skip
        if ended.returncode != -signal.SIGSEGV:
            break
    assert ended.returncode == 0, ended.stdout[-4000:]
    assert " passed" in ended.stdout


def test_in_no_view_two_controls_sound_alike_and_tab_goes_as_one_reads():
    ended = subprocess.run(
        [sys.executable, "-m", "tests.gui.read_aloud"],
        capture_output=True, text=True, check=False, timeout=240, cwd=Path(__file__).parents[3],
    )  # fmt: skip
    assert ended.stdout.count("\n== ") == len(TASKS), ended.stderr[-2000:]
    for what in ("nameless", "twins", "order", "astray"):
        assert ended.stdout.count(f"{what}: []") == len(TASKS), ended.stdout
