"""Test that pages are the same in a renderer that was started in advance."""

import json
import os
import signal
import time

import numpy as np
import psutil
import pytest
from PySide6.QtCore import QObject

from engine.document import plain_document
from engine.errors import ScriptError
from engine.web.headless import Browser
from engine.web.scripts import WORLD
from resources import path

pytestmark = pytest.mark.web

WAIT = 20_000
RANDOM = b"<p><script>document.write(Math.random(), ' ', innerWidth, ' ', innerHeight)</script>"


@pytest.fixture
def own(qapp):
    with Browser() as browser:
        yield browser


def warm_up(browser, qtbot) -> int:
    """Start a renderer; return its process id."""
    browser.view.warm_up()
    qtbot.waitUntil(lambda: browser.view.is_warm, timeout=WAIT)
    return browser.view._spare._page.renderProcessPid()


def text(browser, html, **options):
    return browser.capture(plain_document(html, **options)).rendered().text_below(0).strip()


def test_a_document_is_drawn_by_the_spare_renderer(own, qtbot):
    assert text(own, b"<p>before") == "before"
    before = own.view.page()
    process_id = warm_up(own, qtbot)
    assert process_id != before.renderProcessPid()
    own.view.warm_up()  # one is enough
    assert text(own, b"<p>after") == "after"
    assert own.view.page().renderProcessPid() == process_id
    assert not own.view.is_warm
    assert text(own, b"<p>later") == "later"


_SLOW = (pytest.param(name, marks=pytest.mark.slow) for name in ("magazine", "rtl"))


@pytest.mark.parametrize("name", ["blog", "script", *_SLOW])
def test_a_page_of_the_spare_renderer_is_the_same(own, qtbot, name):
    document = plain_document(path(f"corpus/{name}/index.html"))
    cold = own.capture(document)
    warm_up(own, qtbot)
    warm = own.capture(document)
    assert warm.source("dom").html == cold.source("dom").html
    assert np.array_equal(warm.nodes.rect, cold.nodes.rect)
    assert np.array_equal(warm.nodes.visible, cold.nodes.visible)
    assert warm.notes == cold.notes


@pytest.mark.parametrize("viewport", [(1024, 768), (500, 900)])
def test_scripts_in_the_spare_renderer_see_the_same_viewport_and_numbers(own, qtbot, viewport):
    cold = text(own, RANDOM, viewport=viewport)
    assert cold.endswith("{} {}".format(*viewport))
    for _ in range(3):
        warm_up(own, qtbot)
        assert text(own, RANDOM, viewport=viewport) == cold


def spare_viewport(browser, qtbot) -> list[int]:
    """Return the viewport that scripts see in the blank spare page."""
    sizes = []
    script = "JSON.stringify([innerWidth, innerHeight])"
    browser.view._spare._page.runJavaScript(script, WORLD, sizes.append)
    qtbot.waitUntil(lambda: bool(sizes), timeout=WAIT)
    return json.loads(sizes[0])


def test_the_spare_renderer_has_the_viewport_of_the_last_document(own, qtbot):
    for viewport in ((1024, 768), (500, 900)):
        text(own, b"<p>before", viewport=viewport)
        warm_up(own, qtbot)
        assert spare_viewport(own, qtbot) == list(viewport)
        own.view.set_canonical((800, 600))
        own.view.warm_up()  # one is enough, and follows
        qtbot.waitUntil(lambda: spare_viewport(own, qtbot) == [800, 600], timeout=WAIT)


def test_a_spare_page_emits_the_signals_of_the_view(own, qtbot):
    warm_up(own, qtbot)
    with qtbot.waitSignal(own.view.extent_changed):
        assert text(own, b"<p style='height: 3000px'>long") == "long"
    with qtbot.waitSignal(own.view.scrolled):
        own.run("(scrollTo(0, 500), true)")
    warm_up(own, qtbot)
    with qtbot.waitSignal(own.view.renderer_died):
        own.view.kill_renderer()
    assert text(own, b"<p>and on") == "and on"


def test_a_spare_page_has_the_bridge_and_image_policy_of_the_view(own, qtbot):
    own.view.set_bridge(QObject(), ["pagelet.isBridged = true"])
    policy = own.view.page().settings().imageAnimationPolicy()
    for _ in range(2):
        warm_up(own, qtbot)
        assert text(own, b"<p>here") == "here"
        assert own.run("pagelet.isBridged") is True
        assert own.view.page().settings().imageAnimationPolicy() == policy


def test_a_spare_renderer_that_dies_does_not_affect_the_page(own, qtbot):
    assert text(own, b"<p>seen") == "seen"
    died = []
    own.view.renderer_died.connect(died.append)
    os.kill(warm_up(own, qtbot), signal.SIGKILL)
    qtbot.waitUntil(lambda: not own.view.is_warm, timeout=WAIT)
    assert own.run("document.body.textContent").strip() == "seen"
    assert not died
    assert text(own, b"<p>next") == "next"
    process_id = warm_up(own, qtbot)
    assert text(own, b"<p>later") == "later"
    assert own.view.page().renderProcessPid() == process_id


def test_requests_to_the_previous_page_are_answered_with_an_error_at_once(own, qtbot):
    text(own, b"<p>before")
    warm_up(own, qtbot)
    answers, start = [], time.monotonic()
    busy = "(() => { const end = Date.now() + 3000; while (Date.now() < end); return 1 })()"
    own.view.run(busy, answers.append, answers.append, 60.0)
    assert text(own, b"<p>after") == "after"
    assert time.monotonic() - start < 2.5
    assert [type(answer) for answer in answers] == [ScriptError]


def test_a_hanging_page_is_replaced_and_its_process_ended(own, qtbot):
    text(own, b"<p>before")
    process_id = own.view.page().renderProcessPid()
    warm_up(own, qtbot)
    own.view.run("(() => { for (;;); })()", lambda _: None, lambda _: None)
    assert text(own, b"<p>after") == "after"
    qtbot.waitUntil(lambda: not psutil.pid_exists(process_id), timeout=WAIT)
