"""``pagelet crawl`` as a user runs it: killed, resumed, and a page of it extracted."""

import json
import signal
import subprocess
import sys
import time

import pytest

from gui.cli.main import main
from tests.town import Town, story
from tests.typed_commands import ROOT, typed


@pytest.fixture
def town():
    """Serve a site of twelve pages."""
    result = Town()
    result.pages = {"/": story(0, *(f"/{k}" for k in range(1, 12)))}
    result.pages |= {f"/{k}": story(k, "/") for k in range(1, 12)}
    yield result
    result.end()


@pytest.mark.slow
def test_a_killed_crawl_resumes_without_repeating_requests(town, tmp_path):
    out = tmp_path / "town"
    words = ["crawl", f"{town.address}/", "--out", str(out), "--limit", "12", "--delay", "0.1"]
    command = [sys.executable, "-m", "gui.cli.main", *words]
    process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL)
    until = time.monotonic() + 60
    while len(town.asked) < 6 and time.monotonic() < until:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait(60)
    half = json.loads((out / "site.json").read_text())["pages"]
    assert 3 <= len(half) < 12
    done = typed(*words)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"12 pages in {out}, ")
    pages = json.loads((out / "site.json").read_text())["pages"]
    assert pages[: len(half)] == half
    assert {each["url"] for each in pages} == {town.address + path for path in town.pages}
    # the page in transfer when the crawl was killed may be requested twice
    assert len(town.asked) <= 1 + 12 + 1
    again = typed(*words)
    assert again.stdout == f"12 pages in {out}, 0 requests\n"


def test_a_crawled_page_is_extracted_with_its_site(town, tmp_path):
    out = tmp_path / "town"
    done = typed("crawl", f"{town.address}/", "--out", out, "--limit", "6", "--delay", "0")
    assert done.returncode == 0, done.stderr
    result = typed("extract", "df-filter", out / "pages" / "3.html", "--site", out)
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("story 3: w3x0 w3x1")
    assert "/" not in result.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["ftp://x/"], "ftp://x/ is not an http(s) address"),
        (["http://127.0.0.1:9/", "--limit", "0"], "--limit must be at least 1, got 0"),
        (["http://127.0.0.1:9/", "--delay", "nan"], "--delay must be at least 0, got nan"),
        (["http://127.0.0.1:9/", "--timeout", "0"], "--timeout must be more than 0, got 0"),
    ],
)
def test_invalid_input_is_refused_with_one_sentence(tmp_path, capsys, words, said):
    assert main(["crawl", *words, "--out", str(tmp_path / "town")]) == 2
    assert capsys.readouterr().err == f"pagelet: {said}\n"
    assert not (tmp_path / "town").exists()
