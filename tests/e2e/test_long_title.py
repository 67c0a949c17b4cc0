"""Test a window on an X server with a page whose title has millions of letters."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.web, pytest.mark.slow]

ON_X = shutil.which("xvfb-run")
LONG = (
    "<!doctype html><p id=p>words</p><script>document.title = 'T'.repeat(17e6);"
    "p.className = 'c'.repeat(3e6); p.title = 't'.repeat(3e6); p.setAttribute('n'.repeat(1e6), 1);"
    "const named = document.createElement('x-' + 'n'.repeat(1e6)); document.body.append(named);"
    "</script>"
)


@pytest.mark.skipif(not ON_X, reason="needs xvfb-run, of Debian's package xvfb")
def test_titles_and_names_of_millions_of_letters_keep_the_x11_connection(tmp_path):
    page = tmp_path / "title.html"
    page.write_text(LONG, "utf-8")
    assert ON_X is not None
    words = [ON_X, "-a", sys.executable, "-m", "tests.fuzz.hostile_table", "--one", "window"]
    answer = subprocess.run(
        [*words, str(page)],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "QT_QPA_PLATFORM": "xcb"},
        capture_output=True,
        timeout=120,
        check=False,
        text=True,
    )
    if "could not load the Qt platform plugin" in answer.stderr.lower():
        pytest.skip("Qt has no libraries for X here")
    assert "X11 connection broke" not in answer.stderr
    assert json.loads(answer.stdout).endswith(" nodes"), answer.stderr
