"""Test that a busy machine delays a capture but does not change the page.

The renderer is halted for a while to simulate a busy machine.
"""

import os
import signal
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer

from annotate.datasets.opening import open_document
from engine.archive import pack
from engine.errors import CaptureError
from engine.web import picture
from engine.web.page_time import PageTime

pytestmark = pytest.mark.web

HALT_S = 2.2
HTML = """<!doctype html><body>{}<iframe srcdoc="<p>inside"></iframe>
<div style="height:6000px"></div><p id=end>far down</p><script>
new IntersectionObserver((seen) => {{ for (const each of seen) if (each.isIntersecting)
  document.body.append('seen') }}).observe(document.getElementById('end'));
setTimeout(() => document.body.append('later'), 100);
</script>"""


@pytest.fixture
def halt(browser):
    """Halt the renderer in so many ms, for `HALT_S` s: ``halt(30)``."""
    timers = []

    def stop():
        pid = browser.view.page().renderProcessPid()  # each document has a renderer of its own
        if pid <= 0:  # 0 would be this process and all its tests
            QTimer.singleShot(5, stop)
            return
        os.kill(pid, signal.SIGSTOP)
        timers.append(threading.Timer(HALT_S, os.kill, (pid, signal.SIGCONT)))
        timers[-1].start()

    yield lambda delay_ms: QTimer.singleShot(delay_ms, stop)
    assert timers, "nothing was halted"
    for timer in timers:
        timer.join()


@pytest.mark.parametrize(
    "delay_ms", [150, *(pytest.param(ms, marks=pytest.mark.slow) for ms in (30, 400))]
)
def test_a_page_is_read_the_same_on_a_busy_machine(browser, halt, delay_ms):
    document = open_document(HTML.format("<p>words").encode())
    quiet = browser.capture(document)
    halt(delay_ms)
    busy = browser.capture(document)
    assert quiet.notes == busy.notes
    assert "seen" in quiet.nodes.text
    assert "later" in quiet.nodes.text
    assert pack(busy) == pack(quiet)


def is_halted(pid):
    """Return whether the kernel reports a process as stopped; signals arrive with a delay."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"


@pytest.mark.skipif(not Path("/proc/self/stat").is_file(), reason="reads process states")
def test_page_time_advances_only_while_the_page_answers(browser, qtbot):
    browser.capture(open_document(b"<p>words"))
    over, ticks = [], []
    time = PageTime(
        browser.view, over.append, on_tick=ticks.append, script="7", parent=browser.view
    )
    pid = browser.view.page().renderProcessPid()
    os.kill(pid, signal.SIGSTOP)
    try:
        qtbot.waitUntil(lambda: is_halted(pid))
        time.start(0.2)
        clock = QTimer(browser.view, singleShot=True, interval=600)
        with qtbot.waitSignal(clock.timeout):  # the machine's time goes on
            clock.start()
        assert (over, ticks) == ([], [])
    finally:
        os.kill(pid, signal.SIGCONT)
    qtbot.waitUntil(lambda: bool(over), timeout=60_000)
    assert over == [7]
    assert ticks == [7] * 9
    assert not time.is_running


def test_a_stopped_page_time_makes_no_calls(browser, qtbot):
    browser.capture(open_document(b"<p>words"))
    messages, over = [], []
    time = PageTime(browser.view, messages.append, on_tick=messages.append, parent=browser.view)
    longer = PageTime(browser.view, over.append, parent=browser.view)
    time.start(0.04)
    time.stop()
    longer.start(0.1)
    qtbot.waitUntil(lambda: bool(over), timeout=60_000)
    assert messages == []


@pytest.mark.slow
def test_a_picture_that_is_painted_late_is_complete(browser, halt):
    rows = "".join(
        f"<div style='height:50px;background:rgb({k % 256},{k * 7 % 256},{k * 31 % 256})'></div>"
        for k in range(160)
    )
    browser.capture(
        open_document(f"<!doctype html><style>body {{ margin: 0 }}</style>{rows}".encode())
    )
    expected = [(k % 256, k * 7 % 256, k * 31 % 256) for k in range(160)]
    for delay_ms in (0, 20, 60):
        halt(delay_ms)
        pixels = browser.pixels()
        for x in (1, 700, pixels.shape[1] - 2):
            assert [tuple(map(int, each)) for each in pixels[25 : 25 + 8000 : 50, x]] == expected


def test_a_picture_delayed_by_a_halted_page_raises_no_error(browser, halt, monkeypatch):
    browser.capture(open_document(b"<!doctype html><body style='background:#123456'>words"))
    pause, halted = picture._pause, []

    def halt_once(ms):
        if not halted:
            halted.append(True)
            halt(0)
        pause(ms)

    monkeypatch.setattr(picture, "_pause", halt_once)
    monkeypatch.setattr(picture, "_MOST_S", 1.9)  # the page is halted for longer
    assert tuple(browser.pixels()[-5, -5]) == (0x12, 0x34, 0x56)
    assert halted


def test_a_transparent_page_is_painted_white_without_a_marker(browser):
    hidden = "<!doctype html><style>html { opacity: 0; transform: scale(.5) }</style><p>words"
    browser.capture(open_document(hidden.encode()))
    assert (browser.pixels() == 255).all()
    assert browser.run("document.querySelector('pagelet-marker')") is None


def test_a_picture_that_is_never_painted_raises_a_capture_error(browser, monkeypatch):
    browser.capture(open_document(b"<!doctype html><style>html { opacity: 0 }</style><p>words"))
    monkeypatch.setattr(picture, "_FRAMES", 10**9)  # as if none came
    monkeypatch.setattr(picture, "_PATIENCE_S", 0.1)
    monkeypatch.setattr(picture, "_MOST_S", 0.5)
    with pytest.raises(CaptureError, match=r"not painted within 0\.5 s"):
        browser.pixels()
