"""Test that killing the window at any moment loses nothing that was on screen."""

import os
import random
import shutil
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from annotate.workspace.workspace import Workspace
from annotate.workspace.workspace_file import is_workspace
from tests.annotate.pages import nodes_of

pytestmark = pytest.mark.web

KILLS = int(os.environ.get("PAGELET_KILLS", "4"))
"""The promise was checked with 200: PAGELET_KILLS=200 ./test tests/e2e/test_kill_window.py"""

BODY = "".join(f"<p>Line {n} <b>of</b> <i>many</i></p>" for n in range(400))

SHORT = "".join(f"<p>Line {n} <b>of</b> <i>many</i></p>" for n in range(40))

LEAST = 20
"""So many marks a window shows before it is killed, at the least."""


class Killed:
    """Counts over killed windows: marks shown, marks lost, kills between mark and type."""

    def __init__(self, folder: Path, body: str = BODY) -> None:
        self.page, self._nodes = folder / "page.html", nodes_of(body)
        self.page.write_text(f"<!doctype html><title>Long</title>{body}", encoding="utf-8")
        self.kills, self.shown, self.fewest, self.between = 0, 0, sys.maxsize, 0
        self.lost: list[str] = []

    def count(self, workspace: Path, shown: dict[str, str]) -> None:
        assert len(shown) >= LEAST, "the window marked too little before it was killed"
        self.kills += 1
        self.shown += len(shown)
        self.fewest = min(self.fewest, len(shown))
        with Workspace.open(workspace, create=False) as opened:
            assert not opened.damage
            (entry,) = opened.pages()
            history = opened.undo_history(entry.key, self._nodes, limit=2)
        before, now = ({mark.id: mark.type for mark in gold.marks} for gold in history.states[-2:])
        assert entry.marks == len(now)
        self.lost += [
            mark
            for mark, kind in shown.items()
            if now.get(mark) != kind and (kind or mark not in now)
        ]
        # A mark and its type are one step, wherever between the two the window was killed.
        assert len(now) == len(before) + 1
        assert all(before.values())
        self.between += not all(now.values())

    def __str__(self) -> str:
        return (
            f"{self.kills} kills, {self.shown} marks shown, {self.fewest} or more each time, "
            f"{len(self.lost)} lost, {self.between} kills fell between a mark and its type"
        )


@pytest.mark.slow
def test_marks_shown_before_a_kill_are_kept(tmp_path):
    dice, killed = random.Random(20130613), Killed(tmp_path)
    for kill in range(KILLS):
        workspace = tmp_path / f"{kill}.pagelet"
        # So many marks, and then at any moment of the next ones.
        shown = marks_until_killed(
            killed.page, workspace, dice.randint(LEAST, 60), dice.uniform(0, 0.1)
        )
        killed.count(workspace, shown)
        assert not killed.lost, f"kill {kill}: {killed}"
    print(killed)


@pytest.mark.slow
def test_marks_are_kept_after_a_kill_with_file_dialogs_and_readers(tmp_path):
    """Mark, open file dialogs in the folder and export beside it, as a user who lost marks did."""
    dice, killed = random.Random(20261123), Killed(tmp_path, SHORT)
    runs: Counter[str] = Counter()
    for kill in range(KILLS):
        folder = tmp_path / f"folder {kill}"
        folder.mkdir()
        workspace = folder / "marks.pagelet"
        seed = str(dice.randrange(2**32))
        with readers(workspace, dice, runs):
            shown = marks_until_killed(
                killed.page, workspace, dice.randint(LEAST, 60), dice.uniform(0, 0.1), seed
            )
        killed.count(workspace, shown)
        shutil.rmtree(folder)
        print(f"kill {kill + 1}: {killed}", file=sys.stderr)
    text = ", ".join(f"{count} × {name}" for name, count in runs.items())
    print(f"{killed}; beside them {text}")
    assert not killed.lost
    assert runs


QUERY = """
import sqlite3, sys
sqlite3.connect(sys.argv[1], timeout=60).execute("SELECT count(*) FROM marks").fetchall()
"""

READERS = {
    "export": ["-m", "gui.cli.main", "export", "WORKSPACE", "--out", "OUT"],
    "agreement": ["-m", "gui.cli.main", "agreement", "WORKSPACE"],
    "merge": ["-m", "gui.cli.main", "merge", "WORKSPACE", "--out", "OUT.pagelet"],
    "query": ["-c", QUERY, "WORKSPACE"],
}


@contextmanager
def readers(workspace: Path, dice: random.Random, runs: Counter[str]) -> Iterator[None]:
    """Run commands that read a workspace, one after the other, in random order."""
    order = [dice.choice(["export", *["agreement", "merge"] * 2, *["query"] * 8])
             for _ in range(100)]  # fmt: skip
    is_over = threading.Event()
    trouble: list[str] = []

    def run() -> None:
        while not is_workspace(workspace) and not is_over.wait(0.02):  # its tables are there
            pass
        for number, name in enumerate(order):
            out = str(workspace.with_name(f"out {number}"))
            words = [each.replace("WORKSPACE", str(workspace)).replace("OUT", out)
                     for each in READERS[name]]  # fmt: skip
            done = subprocess.run(
                [sys.executable, *words],
                capture_output=True,
                text=True,
                check=False,
                env=_own_root(),
            )
            runs[name] += 1
            if "Traceback" in done.stderr or "damaged" in done.stderr:
                trouble.append(f"{name}: {done.stderr}")
            if is_over.is_set():
                return

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()
    assert not trouble


def _own_root() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(Path(__file__).resolve().parents[2])}


def marks_until_killed(
    page: Path, workspace: Path, most: int, seconds: float, *seed: str
) -> dict[str, str]:
    """Start the window, let it show some marks and mark on for some seconds, then kill it by -9.

    Returns the marks it showed as saved, by id, with the type it showed of each; "" is none yet.
    """
    command = [
        sys.executable,
        str(Path(__file__).with_name("marker.py")),
        str(page),
        str(workspace),
        *seed,
    ]
    environment = _own_root() | {"XDG_CONFIG_HOME": str(workspace.parent)}
    faults = workspace.with_suffix(".err")
    with (
        faults.open("w") as stderr,
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=stderr, text=True, env=environment
        ) as process,
    ):
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
    assert "Traceback" not in faults.read_text(), faults.read_text()
    return shown
