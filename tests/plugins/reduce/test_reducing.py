"""Test that findings of the fuzzer are reported with a minimal page and a command."""

import subprocess
import sys

import pytest

from tests.fuzz import planted, supervisor
from tests.fuzz.methods import METHOD
from tests.fuzz.supervisor import REPOSITORY, fuzz
from tests.plugins.reduce import reducing
from tests.plugins.reduce.reducing import reports

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc"),
]


@pytest.mark.parametrize(
    ("does", "says"),
    [
        ("raise", "# Planted fails: KeyError"),
        ("disorder", "# Planted fails: AssertionError: planted: spans in disorder"),
        ("abort", "# Planted crashes the process it runs in"),
    ],
)
def test_a_planted_failure_is_reported_with_a_minimal_page(tmp_path, monkeypatch, does, says):
    monkeypatch.setenv(METHOD, planted.__name__)
    monkeypatch.setenv(planted.DOES, does)
    tally = fuzz("source", 0, 12, 120.0)
    assert tally.findings
    assert tally.ended["read"] > 3
    text = "\n\n".join(reports(tally.findings))
    assert text.count(says) == 1, text
    assert "./test tests/fuzz --kind source --seed" in text
    command = "python -m tests.plugins.reduce.reducing tests.fuzz.planted page.html"
    assert text.count(command) == 1
    html = text.partition("```html\n")[2].partition("\n```")[0]
    assert "<table" in html
    assert "harbour" in html
    assert len(html) < 80, html
    page = tmp_path / "page.html"
    page.write_text(html)
    words = [sys.executable, *command.split()[1:-1], page]
    again = subprocess.run(words, cwd=REPOSITORY, capture_output=True, text=True, check=False)
    assert again.returncode != 0
    page.write_text("<p>harbour")
    again = subprocess.run(words, cwd=REPOSITORY, capture_output=True, text=True, check=False)
    assert "all is well" in again.stdout


def test_a_hanging_page_is_reduced(monkeypatch):
    monkeypatch.setattr(supervisor, "_HANG_SECONDS", 2.0)
    monkeypatch.setattr(reducing, "HANG_S", 0.5)
    monkeypatch.setenv(METHOD, planted.__name__)
    monkeypatch.setenv(planted.DOES, "hang")
    tally = fuzz("source", 0, 3, 20.0)
    assert tally.ended["hung"]
    text = next(reports(tally.findings))
    assert "# Planted takes more than 0.5 s" in text
    html = text.partition("```html\n")[2].partition("\n```")[0]
    assert "<table" in html
    assert "harbour" in html
