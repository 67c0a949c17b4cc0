"""A renderer that dies is restarted; a page that hangs can be waited for or stopped."""

import os
import signal
import time

import numpy as np
import pytest

from gui.core.page_session import CAME_BACK
from gui.page import page_stage
from gui.state.selection import Mode
from tests.hand import Hand

pytestmark = pytest.mark.web

TALL = "<title>Tall</title>" + "".join(
    f"<section style='height:180px'><p id=p{k}>Paragraph {k} of the page.</p></section>"
    for k in range(60)
)


@pytest.fixture
def hand(window, qtbot, tmp_path):
    return Hand(window.workbench, qtbot, tmp_path)


def kill(hand):
    os.kill(hand.workbench.canvas.view.page().renderProcessPid(), signal.SIGKILL)


def kill_while_marking(hand, times):
    """Mark, kill the renderer and wait for the page repeatedly; return the seconds of each."""
    hand.open(TALL)
    hand.workbench.session.selection.set_mode(Mode.LEVEL_2)
    seconds = []
    for k in range(times):
        expected = [*hand.marked(2), [hand.row(f"#p{k}")]]
        hand.click(f"#p{k}")
        hand.qtbot.waitUntil(lambda w=expected: sorted(hand.marked(2)) == sorted(w))
        scrolled = hand.ask("scrollY")
        start = time.monotonic()
        with hand.qtbot.waitSignal(hand.session.open.page_changed, timeout=60_000):
            kill(hand)
        seconds.append(time.monotonic() - start)
        assert sorted(hand.marked(2)) == sorted(expected)
        assert hand.session.selection.mode is Mode.LEVEL_2
        hand.qtbot.waitUntil(lambda: abs(hand.ask("scrollY") - scrolled) < 2)  # noqa: B023
        hand.wait_for_methods()
    return seconds


@pytest.mark.slow
def test_marks_and_scroll_position_are_restored_after_a_killed_renderer(hand):
    assert kill_while_marking(hand, 4)
    assert hand.session.messages.message == CAME_BACK
    hand.workbench.page_session.undo()  # undo is restored, too
    assert len(hand.marked(2)) == 3


@pytest.mark.long
def test_marks_are_restored_after_each_of_many_killed_renderers(hand):
    # The time is printed, not asserted: it depends more on the machine than on the code.  On a
    # quiet one with PAGELET_KILLS=50: .72 s in the median, 1.6 s at most for 95 %.
    kills = int(os.environ.get("PAGELET_KILLS", "10"))
    seconds = kill_while_marking(hand, kills)
    assert len(seconds) == kills
    p50, p95 = np.percentile(seconds, [50, 95])
    print(f"back after {p50:.2f} s (median), {p95:.2f} s (95 %)")


@pytest.mark.slow
def test_a_page_that_dies_twice_unused_is_not_reloaded(hand):
    hand.open(TALL)
    canvas = hand.workbench.canvas
    with hand.qtbot.waitSignal(hand.session.open.page_changed, timeout=60_000):
        kill(hand)
    hand.qtbot.waitUntil(lambda: hand.session.open.page is not None)
    kill(hand)
    hand.qtbot.waitUntil(lambda: "twice" in hand.workbench.page_session.failure, timeout=60_000)
    assert hand.session.open.page is None
    assert not canvas.is_busy
    with hand.qtbot.waitSignal(hand.session.open.page_changed, timeout=60_000):
        hand.workbench.navigation.reload()


@pytest.mark.slow
def test_a_page_that_kills_its_renderer_while_loading_fails_with_a_reason(hand, tmp_path):
    # Tables nested so deep that laying them out overflows the renderer's stack.
    (tmp_path / "deep.html").write_text("<!doctype html>" + "<table><tr><td>" * 2000)
    hand.workbench.navigation.open_path(str(tmp_path / "deep.html"))
    hand.qtbot.waitUntil(lambda: bool(hand.workbench.page_session.failure), timeout=60_000)
    assert "has died" in hand.workbench.page_session.failure
    assert "nested 6,0" in hand.workbench.page_session.failure  # and a possible reason


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(page_stage, "PATIENCE_S", 0.6)


def hang(hand, tmp_path):
    """Open a page that hangs while it loads, and wait until that is reported."""
    (tmp_path / "hang.html").write_text("<!doctype html><p>a<script>for (;;);</script>")
    hand.workbench.navigation.open_path(str(tmp_path / "hang.html"))
    hand.qtbot.waitUntil(lambda: hand.workbench.page_session.asks_to_wait, timeout=60_000)


@pytest.mark.slow
def test_a_page_that_hangs_can_be_stopped(window, hand, tmp_path, impatient):
    hang(hand, tmp_path)
    assert window.hang.isVisible()
    assert "has not answered" in window.hang.text
    wait, stop = window.hang.buttons
    assert (wait.text(), stop.text()) == ("Wait", "Stop")
    stop.click()
    assert "did not answer" in hand.workbench.page_session.failure
    assert not window.hang.isVisible()
    hand.open("<p id=x>next</p>")
    hand.hover("#x")
    hand.qtbot.waitUntil(lambda: hand.session.selection.candidate == hand.row("#x"))


@pytest.mark.slow
def test_wait_hides_the_question_while_the_page_hangs(window, hand, tmp_path, impatient):
    hang(hand, tmp_path)
    window.hang.buttons[0].click()
    assert not window.hang.isVisible()
    assert hand.workbench.canvas.is_busy
    assert hand.workbench.canvas.hangs
    hand.workbench.stop()


@pytest.mark.slow
def test_an_open_page_that_hangs_is_reloaded_when_stopped(window, hand, impatient):
    hand.open(TALL)
    hand.workbench.canvas.view.run(
        "(() => { for (;;); })()", lambda _: None, lambda _: None, timeout_s=60
    )
    hand.qtbot.waitUntil(lambda: window.hang.isVisible(), timeout=60_000)
    with hand.qtbot.waitSignal(hand.session.open.page_changed, timeout=60_000):
        window.hang.buttons[1].click()
    assert not window.hang.isVisible()
