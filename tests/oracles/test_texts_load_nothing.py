"""Texts of others load nothing: no pipe that waits, no device without an end, no file."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

GUI = Path(__file__).resolve().parents[2] / "gui"

SHOWN = """
import os, sys
from PySide6.QtWidgets import QApplication, QTextBrowser
from PySide6.QtGui import QTextDocument
from gui.widgets.texts import ClosedBrowser, ClosedDocument
app = QApplication([])
kind, address = sys.argv[1:]
text = f'<p>Take this. <img src="{address}"><img src="file://{address}">'
browser = (ClosedBrowser if kind == "closed" else QTextBrowser)()
browser.setHtml(text)
browser.show()
app.processEvents()
document = (ClosedDocument if kind == "closed" else QTextDocument)()
document.setMarkdown(f"![x](file://{address})")
document.toHtml(), document.size(), document.resource(2, "file://" + address)
print("the window still turns", flush=True)
os._exit(0)
"""


def shown(kind: str, address: Path | str, seconds: float) -> str:
    """Return what a process printed that showed a text with a picture; "" if it never ended."""
    try:
        done = subprocess.run(
            [sys.executable, "-c", SHOWN, kind, str(address)],
            env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
            capture_output=True, text=True, check=False, timeout=seconds,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return ""
    return done.stdout


@pytest.mark.parametrize("what", ["pipe", "/dev/zero", "/dev/stdin", "/proc/kmsg"])
def test_a_picture_of_a_pipe_or_device_is_not_read(tmp_path, what):
    address: Path | str = what
    if what == "pipe":
        address = tmp_path / "p.png"
        os.mkfifo(address)
    assert "still turns" in shown("closed", address, 60)


@pytest.mark.slow
def test_the_oracle_finds_a_browser_of_qts_own_that_waits_for_a_pipe(tmp_path):
    os.mkfifo(tmp_path / "p.png")
    assert shown("open", tmp_path / "p.png", 15) == ""


def test_the_window_shows_rich_texts_by_the_closed_classes_alone():
    own = re.compile(r"\b(QTextBrowser|QTextDocument)\((?!QText)")
    found = [
        f"{path.relative_to(GUI)}: {match[0]}"
        for path in GUI.rglob("*.py")
        if path.name != "closed_texts.py"
        for match in own.finditer(path.read_text(encoding="utf-8"))
    ]
    assert not found
    assert own.search("words = QTextDocument()")
