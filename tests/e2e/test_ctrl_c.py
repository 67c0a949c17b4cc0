"""Test that Ctrl-C in the terminal ends an idle window."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from annotate.workspace.workspace import Workspace

pytestmark = [
    pytest.mark.web,
    pytest.mark.skipif(sys.platform == "win32", reason="sends it as terminals of Unix do"),
]

ROOT = Path(__file__).resolve().parents[2]


def shown(workspace: Path) -> bool:
    """Return whether the window has recorded that a page was opened."""
    try:
        with closing(sqlite3.connect(f"{workspace.as_uri()}?mode=ro", uri=True)) as database:
            return database.execute("SELECT visited FROM pages").fetchone() not in (None, ("",))
    except sqlite3.Error:
        return False


@pytest.mark.slow
def test_ctrl_c_ends_an_idle_window_with_one_line(tmp_path):
    page, workspace = tmp_path / "page.html", tmp_path / "marks.pagelet"
    page.write_text("<!doctype html><title>Idle</title><p>Nothing to do", encoding="utf-8")
    command = [sys.executable, "-m", "gui.cli.main", str(page), "--workspace", str(workspace)]
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env=os.environ | {"XDG_CONFIG_HOME": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as program:
        while not shown(workspace):
            assert program.poll() is None, program.stderr.read()
            time.sleep(0.02)
        os.killpg(program.pid, signal.SIGINT)  # a terminal sends it to the browser's processes too
        out, stderr = program.communicate(timeout=60)
    assert (program.returncode, out, stderr) == (130, "", "pagelet: stopped\n")
    with Workspace.open(workspace, create=False) as opened:
        assert opened.pages()[0].title == "Idle"


PAINTING = """
import os, signal, sys
from PySide6.QtGui import QPainter, QPixmap
from gui.cli.main import main
from gui.window import app

usual = app.build

def build(workspace):
    pixmap = QPixmap(16, 16)
    painter = QPainter(pixmap)
    os.kill(os.getpid(), signal.SIGINT)
    painter.end()
    return usual(workspace)

app.build = build
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.slow
def test_ctrl_c_while_the_first_icons_are_painted_does_not_crash(tmp_path):
    page = tmp_path / "page.html"
    page.write_text("<!doctype html><p>Not to be read", encoding="utf-8")
    words = ["open", str(page), "--workspace", str(tmp_path / "marks.pagelet")]
    done = subprocess.run(
        [sys.executable, "-c", PAINTING, *words],
        cwd=ROOT,
        env=os.environ | {"XDG_CONFIG_HOME": str(tmp_path), "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "pagelet: stopped\n")
