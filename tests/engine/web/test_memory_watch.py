"""Test that only a page above the memory limit is ended, with the reason."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer

from engine import memory
from engine.document import plain_document
from engine.errors import MemoryExceeded
from engine.web.headless import Browser

pytestmark = pytest.mark.web

GREEDY = """<!doctype html><title>x</title><p>words</p><script>
const kept = [];
for (let i = 0; i < 200; i++) {
  const m = new WebAssembly.Memory({initial: 1024}); new Uint8Array(m.buffer).fill(1); kept.push(m);
}</script>"""


FRAMED = """
import sys
from engine.document import plain_document
from engine.web.headless import Browser
from tests.town import Town
from tests.engine.web.test_memory_watch import GREEDY

town = Town()
frame = f"<iframe src='http://localhost:{town.port}/frame'></iframe>"  # another site than 127.0.0.1
town.pages = {"/": f"<!doctype html><p>words{frame}<p>behind".encode(), "/frame": GREEDY.encode()}
with Browser(online=True, near=True, no_sandbox=True) as browser:
    try:
        page = browser.capture(plain_document(town.address + "/"))
        print(page.nodes.text[-1], *page.notes, sep="|")
    except Exception as error:
        print(error)
town.end()
"""


@pytest.fixture
def half_a_gigabyte(monkeypatch):
    monkeypatch.setenv(memory.VARIABLE, "0.5")


@pytest.mark.usefixtures("half_a_gigabyte")
def test_a_page_above_the_memory_limit_is_ended_and_the_next_one_is_read(browser, capture):
    with pytest.raises(MemoryExceeded) as error:
        capture(GREEDY)
    assert str(error.value).endswith(
        "index.html: the page took more than 0.5 GB of memory (allow more with --memory)"
    )
    assert capture("<!doctype html><p>next").nodes.text[-1] == "next"


@pytest.mark.usefixtures("half_a_gigabyte")
def test_memory_is_watched_again_after_files_could_not_be_opened(capture, qtbot, monkeypatch):
    used, failed = memory.measure_used, []

    def used_later(process_id):
        if len(failed) < 5:
            failed.append(process_id)
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
        return used(process_id)

    capture("<!doctype html><p>first")  # the watch runs from now on
    monkeypatch.setattr(memory, "measure_used", used_later)
    qtbot.waitUntil(lambda: len(failed) == 5)
    with pytest.raises(MemoryExceeded):
        capture(GREEDY)


@pytest.mark.usefixtures("half_a_gigabyte")
def test_a_page_above_the_memory_limit_does_not_affect_another_view(capture):
    with Browser() as other:
        other.capture(plain_document(b"<!doctype html><p>beside"))
        before = other.view.page().renderProcessPid()
        with pytest.raises(MemoryExceeded):
            capture(GREEDY.replace("<script>", "<script>setTimeout(() => {").replace(
                "}</script>", "}}, 50)</script>"))  # fmt: skip
        assert other.view.page().renderProcessPid() == before
        assert other.run("document.body.textContent") == "beside"


@pytest.mark.usefixtures("half_a_gigabyte")
def test_requests_to_an_ended_page_raise_the_reason(browser, capture):
    with pytest.raises(MemoryExceeded):
        capture(GREEDY)
    for ask in (lambda: browser.run("1"), browser.picture):
        with pytest.raises(MemoryExceeded, match=r"the page took more than 0\.5 GB"):
            ask()


@pytest.mark.usefixtures("half_a_gigabyte")
def test_memory_that_this_process_takes_for_a_page_ends_the_page(capture):
    taken = []
    QTimer.singleShot(300, lambda: taken.append(b"x" * 600_000_000))
    with pytest.raises(MemoryExceeded) as error:
        capture("<!doctype html><p>words<script>setInterval(() => document.title += 1, 5)</script>")
    assert str(error.value).endswith(
        "index.html: Pagelet took more than 0.5 GB of memory for the page "
        "(allow more with --memory)"
    )
    taken.clear()
    assert capture("<!doctype html><p>next").nodes.text[-1] == "next"


def test_the_renderer_of_a_page_is_among_the_watched_processes(browser, capture):
    capture("<!doctype html><p>words")
    assert browser.view.page().renderProcessPid() in memory.renderers()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("flag", "answer"),
    [
        ("--site-per-process", "behind|a frame was left out: it took more than 0.5 GB of memory"),
        ("", "/: the page took more than 0.5 GB of memory"),
    ],
    ids=["a process of its own", "the page's process"],
)
def test_only_a_frame_in_a_separate_process_is_left_out_for_its_memory(flag, answer):
    root = Path(__file__).parents[3]
    variables = {"QTWEBENGINE_CHROMIUM_FLAGS": flag, memory.VARIABLE: "0.5"}
    variables |= {"QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(root)}
    done = subprocess.run(
        [sys.executable, "-c", FRAMED],
        cwd=root, env=os.environ | variables, capture_output=True, text=True, timeout=90,
    )  # fmt: skip
    line = done.stdout.strip()
    assert line.endswith(f"{answer} (allow more with --memory)"), done.stderr
    assert "did not answer" not in line
