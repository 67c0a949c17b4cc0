"""The mouse reaches every page, however many loads were cancelled before it."""

import random
import time

import pytest
from PySide6.QtCore import QEventLoop, QPoint, QTimer

from annotate.datasets.opening import open_document
from engine.web.scripts import WORLD
from gui.page import page_stage

pytestmark = pytest.mark.web

# Long enough to cancel loads in each stage; every second page has a frame.
SCRIPT = "<script>let sum = 0; for (let k = 0; k < 1e7; k++) sum += k</script>"
FRAME = "<iframe srcdoc='<p>inside'></iframe>"


def pages(folder, count=6):
    """Return documents of several lengths and widths; some keep the renderer busy for a while."""
    result = []
    for k in range(count):
        text = "<p>words of a page</p>" * (20 + 60 * k)
        html = f"<!doctype html>{text}{SCRIPT if k % 3 == 0 else ''}{FRAME if k % 2 else ''}"
        (folder / f"{k}.html").write_text(html)
        width = 1366 - 50 * k if k % 2 else None
        result.append(open_document(folder / f"{k}.html", viewport=width and (width, 768)))
    return result


def pass_by(seconds):
    """Run the event loop for some seconds."""
    loop = QEventLoop()
    QTimer.singleShot(int(seconds * 1000), loop.quit)
    loop.exec()


def sees_mouse(hand):
    """Return whether the page reports a mouse that moves over it."""
    events = []
    hand.workbench.canvas.pointed.connect(events.append)
    end = time.monotonic() + 10
    for k in range(1000):
        if hand.target is not None:  # a page whose renderer has just died is reloaded automatically
            hand.qtbot.mouseMove(hand.target, QPoint(20 + k % 7, 30 + 3 * k % 50))
        pass_by(0.02)
        if any(event["event"] == "hover" for event in events):
            return True
        if time.monotonic() > end:
            break
    return False


def break_off(hand, documents, rng, times):
    """Begin to load pages, cancel each at some moment for another, and wait for the last."""
    canvas = hand.workbench.canvas
    for _ in range(times):
        canvas.load(rng.choice(documents))
        pass_by(rng.choice([0, 0.002, 0.02, 0.05, 0.1, 0.2]) * rng.random())
    with hand.qtbot.waitSignal(canvas.captured, timeout=60_000):
        canvas.load(rng.choice(documents))


@pytest.mark.slow
def test_the_mouse_is_reported_after_cancelled_loads(hand, tmp_path):
    documents, rng = pages(tmp_path), random.Random(7)
    for _ in range(4):
        break_off(hand, documents, rng, times=3)
        assert sees_mouse(hand)


@pytest.mark.long
def test_the_mouse_is_reported_after_two_hundred_cancelled_loads(hand, tmp_path):
    documents, rng = pages(tmp_path), random.Random(8)
    for _ in range(50):
        break_off(hand, documents, rng, times=4)
        assert sees_mouse(hand)


def test_cancelled_loads_do_not_end_the_renderer(hand, tmp_path):
    documents = pages(tmp_path)
    canvas = hand.workbench.canvas
    died = []
    canvas.view.page().renderProcessTerminated.connect(lambda *_: died.append(1))
    for document in documents[1:3]:
        canvas.load(document)
        pass_by(0.05)
    with hand.qtbot.waitSignal(canvas.captured, timeout=20_000):
        canvas.load(documents[4])
    assert died == []  # a renderer that had to be ended costs three seconds


@pytest.mark.slow
def test_the_mouse_is_reported_after_renderers_were_killed_during_loads(hand, tmp_path):
    documents = pages(tmp_path)
    workbench, session = hand.workbench, hand.session
    session.set_documents(documents)
    for k in range(6):
        workbench.navigation.open_document(k)
        pass_by(0.03 * k)
        workbench.canvas.view.kill_renderer()
        workbench.navigation.open_document((k - 1) % 6)
        workbench.canvas.view.kill_renderer()
        expected = documents[(k - 2) % 6]
        workbench.navigation.open_document((k - 2) % 6)
        hand.qtbot.waitUntil(
            lambda wanted=expected: (
                session.open.document == wanted and session.open.page is not None
            ),
            timeout=60_000,
        )
        assert sees_mouse(hand)


def test_a_lost_connection_to_the_page_is_restored(hand):
    hand.open("<p>words</p>")
    canvas = hand.workbench.canvas
    canvas.view.page().setWebChannel(
        canvas.view._channel, WORLD + 1
    )  # the connection out of the page
    hand.ask("(() => { try { pagelet.connect() } catch { return true } })()")
    assert hand.ask("pagelet.ping(0)") is False
    restored = canvas.stage.mouse_watch.restored
    with hand.qtbot.waitSignal(restored):
        canvas.stage.mouse_watch.check()
    assert sees_mouse(hand)


def test_a_connection_that_cannot_be_restored_is_reported(hand, monkeypatch):
    hand.open("<p>words</p>")
    hand.ask("(pagelet.ping = () => false, true)")
    monkeypatch.setattr(page_stage, "MOUSE_PATIENCE_S", 0.05)
    messages = []
    hand.session.messages.message_changed.connect(
        lambda: messages.append(hand.session.messages.message)
    )
    hand.workbench.canvas.stage.mouse_watch.check()
    hand.qtbot.waitUntil(lambda: any("does not reach" in text for text in messages))
