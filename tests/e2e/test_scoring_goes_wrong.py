"""Test that marks are saved before they are scored."""

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.e2e.treacherous import MARKS

pytestmark = pytest.mark.web


@pytest.mark.slow
@pytest.mark.parametrize("how", ["raises", "hangs", "kills"])
def test_marks_are_saved_before_a_measure_fails(how, tmp_path):
    page = tmp_path / "page.html"
    page.write_text("<!doctype html><title>Lines</title>" + "<p>A line of text</p>" * 2 * MARKS)
    workspace = tmp_path / "marks.pagelet"
    scored, status = marks_scored(page, workspace, how)
    assert len(scored) == MARKS
    assert status == -signal.SIGKILL
    with closing(sqlite3.connect(workspace)) as database:
        remaining = [mark for (mark,) in database.execute("SELECT id FROM marks ORDER BY place")]
    assert remaining == scored


def marks_scored(page: Path, workspace: Path, how: str) -> tuple[list[str], int]:
    """Return which marks were being scored when it went wrong, and how the window ended.

    One that is still there after the last mark is killed.
    """
    script = Path(__file__).with_name("treacherous.py")
    command = [sys.executable, str(script), str(page), str(workspace), how]
    root = Path(__file__).resolve().parents[2]
    environment = os.environ | {"PYTHONPATH": str(root), "XDG_CONFIG_HOME": str(workspace.parent)}
    scored: list[str] = []
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.strip() not in ("END", *scored):
                scored.append(line.strip())
            if line.strip() == "END" or (how == "hangs" and len(scored) == MARKS):
                process.kill()
    return scored, process.returncode
