"""Test that a page is loaded again if its renderer has lost the view's scripts."""

import pytest
from PySide6.QtCore import QObject

from engine.document import plain_document
from engine.web.headless import Browser

pytestmark = pytest.mark.web


@pytest.fixture
def own(qapp):
    with Browser() as browser:
        yield browser


def text(browser, html):
    return browser.capture(plain_document(html)).rendered().text_below(0).strip()


def test_a_page_is_loaded_again_after_the_view_lost_its_scripts(own):
    own.view.page().scripts().clear()  # as if each frame had a dead renderer's address
    assert text(own, b"<p>after") == "after"
    assert own.capturing.starts == 2
    assert text(own, b"<p>later<iframe srcdoc='<p>in a frame'></iframe>").startswith("later")
    assert own.capturing.starts == 1


def test_the_new_page_emits_the_signals_of_the_old_one(own, qtbot):
    own.view.page().scripts().clear()
    with qtbot.waitSignal(own.view.extent_changed):
        assert text(own, b"<p style='height: 3000px'>long") == "long"
    with qtbot.waitSignal(own.view.scrolled):
        own.run("(scrollTo(0, 500), true)")
    with qtbot.waitSignal(own.view.renderer_died):
        own.view.kill_renderer()
    assert text(own, b"<p>and on") == "and on"


def test_a_bridge_reaches_the_new_page(own):
    own.view.set_bridge(QObject(), ["pagelet.isBridged = true"])
    own.view.page().scripts().clear()
    assert text(own, b"<p>here") == "here"
    assert own.run("pagelet.isBridged") is True


def test_the_new_page_keeps_the_image_animation_policy(own):
    policy = own.view.page().settings().imageAnimationPolicy()
    own.view.page().scripts().clear()
    text(own, b"<p>here")
    assert own.view.page().settings().imageAnimationPolicy() == policy


@pytest.mark.parametrize(
    "script", ["location = 'https://example.org/'", "location.replace('https://example.org/')"]
)
def test_a_page_that_navigates_away_does_not_restart_the_next_capture(own, script):
    for _ in range(3):
        text(own, b"<p>here<script>%s</script>" % script.encode())
        assert text(own, b"<p>next") == "next"
        assert own.capturing.starts == 1
