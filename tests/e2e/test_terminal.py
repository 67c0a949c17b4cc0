"""Test that escape sequences in names and pages are not printed."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from gui.cli.terminal import harmless, json_text

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pseudo terminals")

ROOT = Path(__file__).resolve().parents[2]
PAGE = "<p>Harbour \x1b]0;mine\x07 \x1b[2J \x9b31m\u202e story\twith words\nof all kinds"


def run(*words, on_terminal):
    """Run the command; return its output."""
    command = [sys.executable, "-m", "gui.cli.main", *map(str, words)]
    if not on_terminal:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, timeout=90, check=False)
        return done.stdout + done.stderr
    ours, theirs = os.openpty()
    with subprocess.Popen(command, cwd=ROOT, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        parts = []
        while part := _read(ours):
            parts.append(part)
        process.wait(90)
    os.close(ours)
    return b"".join(parts)


def _read(terminal):
    try:
        return os.read(terminal, 65536)
    except OSError:  # how Linux says that the other side has gone
        return b""


@pytest.fixture
def page(tmp_path):
    path = tmp_path / "page.html"
    path.write_text(PAGE, encoding="utf-8")
    return path


def test_text_printed_on_a_terminal_has_no_control_characters(page):
    output = run("extract", "plain", page, on_terminal=True).decode()
    assert "Harbour \N{REPLACEMENT CHARACTER}" in output
    assert harmless(output.replace("\r\n", "\n")) == output.replace("\r\n", "\n")


def test_text_printed_to_a_pipe_has_no_control_characters(page):
    output = run("extract", "plain", page, on_terminal=False).decode()
    assert "Harbour \N{REPLACEMENT CHARACTER}" in output
    assert harmless(output) == output


def test_json_escapes_control_characters_and_is_parsed_back_unchanged():
    value = {"text": "a\x1b[2J\x9b31m\u202e\r\n\N{GRINNING FACE}", "lone": "\udcff"}
    for indent in (None, 2):
        data = json_text(value, indent=indent)
        assert harmless(data) == data
        assert json.loads(data) == value


@pytest.mark.parametrize("on_terminal", [True, False])
def test_messages_name_files_without_control_characters(tmp_path, on_terminal):
    output = run("extract", "plain", tmp_path / "no\x1b[2Jfile", on_terminal=on_terminal)
    assert b"\x1b" not in output
    assert b"no\xef\xbf\xbd[2Jfile" in output
