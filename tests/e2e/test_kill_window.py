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


def test_marks_shown_before_a_kill_are_there_after_it(tmp_path):
    page = tmp_path / "page.html"
    rows = "".join(f"<p>Line {n} <b>of</b> <i>many</i></p>" for n in range(400))
    page.write_text(f"<!doctype html><title>Long</title>{rows}", encoding="utf-8")
    dice = random.Random(20130613)
    shown_in_all = 0
    for kill in range(KILLS):
        workspace = tmp_path / f"{kill}.pagelet"
        shown = marks_until_killed(page, workspace, dice.uniform(0.0, 0.6))
        assert shown, "the window marked nothing before it was killed"
        with closing(sqlite3.connect(workspace)) as database:
            kept = {mark_id for (mark_id,) in database.execute("SELECT id FROM marks")}
        with Workspace.open(workspace, create=False) as opened:
            assert opened.pages()[0].marks == len(kept)
        lost = [mark for mark in shown if mark not in kept]
        assert not lost, f"kill {kill}: {len(lost)} of {len(shown)} marks are lost"
        shown_in_all += len(shown)
    print(f"{KILLS} kills, {shown_in_all} marks shown, {shown_in_all} found again")


def marks_until_killed(page: Path, workspace: Path, seconds: float) -> list[str]:
    """Start the window, let it mark for some seconds, kill -9; return the marks it showed."""
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
        begun = 0.0
        for line in process.stdout:
            if line.startswith("BEGIN"):
                begun = time.monotonic()
            elif line.strip() != "END":
                shown.append(line.strip())
            if begun and shown and (time.monotonic() - begun >= seconds or line.startswith("END")):
                process.kill()
                break
        # What was printed before the kill arrived was on screen too.
        shown.extend(line.strip() for line in process.stdout if len(line.strip()) == 32)
    return shown
