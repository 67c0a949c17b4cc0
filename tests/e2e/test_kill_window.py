"""Killing the window at any moment loses nothing that was on screen."""

import os
import random
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from annotate.workspace import Workspace

pytestmark = pytest.mark.web

KILLS = int(os.environ.get("PAGELET_KILLS", "4"))
"""The promise was checked with 50: PAGELET_KILLS=50 ./test tests/e2e/test_kill_window.py"""

LEAST = 20
"""So many marks a window shows before it is killed, at the least."""


@pytest.mark.slow
def test_marks_shown_before_a_kill_are_there_after_it(tmp_path):
    page = tmp_path / "page.html"
    rows = "".join(f"<p>Line {n} <b>of</b> <i>many</i></p>" for n in range(400))
    page.write_text(f"<!doctype html><title>Long</title>{rows}", encoding="utf-8")
    dice = random.Random(20130613)
    shown_in_all, fewest = 0, sys.maxsize
    for kill in range(KILLS):
        workspace = tmp_path / f"{kill}.pagelet"
        # So many marks, and then at any moment of the next ones.
        shown = marks_until_killed(page, workspace, dice.randint(LEAST, 60), dice.uniform(0, 0.1))
        assert len(shown) >= LEAST, "the window marked too little before it was killed"
        fewest = min(fewest, len(shown))
        with closing(sqlite3.connect(workspace)) as database:
            kept = {mark_id for (mark_id,) in database.execute("SELECT id FROM marks")}
        with Workspace.open(workspace, create=False) as opened:
            assert opened.pages()[0].marks == len(kept)
        lost = [mark for mark in shown if mark not in kept]
        assert not lost, f"kill {kill}: {len(lost)} of {len(shown)} marks are lost"
        shown_in_all += len(shown)
    print(
        f"{KILLS} kills, {shown_in_all} marks shown, {fewest} or more each time, "
        f"{shown_in_all} found again"
    )


def marks_until_killed(page: Path, workspace: Path, most: int, seconds: float) -> list[str]:
    """Start the window, let it show some marks and mark on for some seconds, then kill it by -9.

    Returns the marks it showed.
    """
    command = [
        sys.executable,
        str(Path(__file__).with_name("marker.py")),
        str(page),
        str(workspace),
    ]
    root = Path(__file__).resolve().parents[2]
    environment = os.environ | {"PYTHONPATH": str(root), "XDG_CONFIG_HOME": str(workspace.parent)}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
    ) as process:
        assert process.stdout is not None
        shown = []
        for line in process.stdout:
            if len(line.strip()) == 32:
                shown.append(line.strip())
            if len(shown) >= most or line.startswith("END"):
                time.sleep(seconds)
                process.kill()
                break
        # What was printed before the kill arrived was on screen too.
        shown.extend(line.strip() for line in process.stdout if len(line.strip()) == 32)
    return shown
