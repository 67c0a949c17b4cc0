"""Killing the window at any moment loses nothing that was on screen."""

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from annotate.workspace import Workspace
from tests.annotate.pages import nodes_of

pytestmark = pytest.mark.web

KILLS = int(os.environ.get("PAGELET_KILLS", "4"))
"""The promise was checked with 50: PAGELET_KILLS=50 ./test tests/e2e/test_kill_window.py"""

BODY = "".join(f"<p>Line {n} <b>of</b> <i>many</i></p>" for n in range(400))

LEAST = 20
"""So many marks a window shows before it is killed, at the least."""


@pytest.mark.slow
def test_marks_shown_before_a_kill_are_there_after_it(tmp_path):
    page = tmp_path / "page.html"
    page.write_text(f"<!doctype html><title>Long</title>{BODY}", encoding="utf-8")
    dice = random.Random(20130613)
    shown_in_all, between, fewest = 0, 0, sys.maxsize
    for kill in range(KILLS):
        workspace = tmp_path / f"{kill}.pagelet"
        # So many marks, and then at any moment of the next ones.
        shown = marks_until_killed(page, workspace, dice.randint(LEAST, 60), dice.uniform(0, 0.1))
        assert len(shown) >= LEAST, "the window marked too little before it was killed"
        fewest = min(fewest, len(shown))
        with Workspace.open(workspace, create=False) as opened:
            (entry,) = opened.pages()
            history = opened.undo_history(entry.key, nodes_of(BODY), limit=2)
        before, now = ({mark.id: mark.type for mark in gold.marks} for gold in history.states[-2:])
        assert entry.marks == len(now)
        lost = [
            mark
            for mark, kind in shown.items()
            if now.get(mark) != kind and (kind or mark not in now)
        ]
        assert not lost, f"kill {kill}: {len(lost)} of {len(shown)} marks or types are lost"
        # A mark and its type are one step, wherever between the two the window was killed.
        assert len(now) == len(before) + 1
        assert all(before.values())
        between += not all(now.values())
        shown_in_all += len(shown)
    print(
        f"{KILLS} kills, {shown_in_all} marks shown, {fewest} or more each time, "
        f"{shown_in_all} found again, {between} kills fell between a mark and its type"
    )


def marks_until_killed(page: Path, workspace: Path, most: int, seconds: float) -> dict[str, str]:
    """Start the window, let it show some marks and mark on for some seconds, then kill it by -9.

    Returns the marks it showed, by id, with the type it showed of each; "" is none yet.
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
        shown: dict[str, str] = {}

        def read(line: str) -> None:
            mark, _, kind = line.rstrip("\n").partition(" ")
            if len(mark) == 32:
                shown[mark] = kind

        for line in process.stdout:
            read(line)
            if len(shown) >= most or line.startswith("END"):
                time.sleep(seconds)
                process.kill()
                break
        for line in process.stdout:  # what was printed before the kill arrived was seen, too
            read(line)
    return shown
