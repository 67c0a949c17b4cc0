"""Test scripts in the page, the bridge to it, and navigation that the view refuses."""

import pytest
from PySide6.QtCore import QObject, Signal, Slot

from annotate.datasets.opening import open_document
from engine.errors import LoadTimeout, RendererDied, ScriptError
from engine.web import view
from engine.web.capture import Capture

pytestmark = pytest.mark.web


def ask(view, qtbot, script, **options):
    """Evaluate a script; return its value or its error."""
    answers = []
    view.run(script, answers.append, answers.append, **options)
    qtbot.waitUntil(lambda: bool(answers), timeout=20_000)
    assert len(answers) == 1
    return answers[0]


@pytest.mark.parametrize(
    ("script", "value"),
    [
        ("1 + 1", 2),
        ("[1, 'a', null, true]", [1, "a", None, True]),
        ("({a: {b: []}})", {"a": {"b": []}}),
        ("undefined", None),
        ("'\\ud83d\\ude00 \\u2028'", "😀 \u2028"),
        ("'x'.repeat(5_000_000).length", 5_000_000),
    ],
)
def test_a_script_returns_its_value(browser, capture, qtbot, script, value):
    capture("<p>a")
    assert ask(browser.view, qtbot, script) == value


@pytest.mark.parametrize("script", ["nothing.at.all", "(() => { throw new Error('no') })()", "("])
def test_a_failing_script_returns_a_script_error(browser, capture, qtbot, script):
    capture("<p>a")
    error = ask(browser.view, qtbot, script)
    assert isinstance(error, ScriptError)


def test_a_script_that_does_not_return_times_out(browser, capture, qtbot):
    capture("<p>a")
    error = ask(browser.view, qtbot, "(() => { for (;;); })()", timeout_s=0.3)
    assert isinstance(error, LoadTimeout)
    with qtbot.waitSignal(browser.view.renderer_died, timeout=10_000):
        browser.view.kill_renderer()
    capture("<p>next")


def test_a_running_script_is_answered_when_the_renderer_dies(browser, capture, qtbot):
    capture("<p>a")
    answers = []
    browser.view.run("(() => { for (;;); })()", answers.append, answers.append)
    browser.view.kill_renderer()
    qtbot.waitUntil(lambda: bool(answers), timeout=10_000)
    assert isinstance(answers[0], RendererDied)
    capture("<p>next")


def test_the_page_of_a_dead_renderer_is_replaced_with_its_profile(browser, capture, qtbot):
    # Otherwise Qt may hand the view's scripts to a dead renderer.
    capture("<p>a")
    for _ in range(3):
        profile = browser.view.page().profile()
        with qtbot.waitSignal(browser.view.renderer_died, timeout=60_000):
            browser.view.kill_renderer()
        page = capture("<p>next")
        assert page.notes == ()
        assert browser.view.page().profile() is not profile


def test_a_browser_that_starts_slowly_gets_more_time_each_time(browser, capture, monkeypatch):
    capture("<p>a")
    ended, end = [], browser.view.kill_renderer
    monkeypatch.setattr(browser.view, "kill_renderer", lambda: (ended.append(1), end()))
    monkeypatch.setattr(view, "_BLANK_MS", 1)  # no page can be left in that time
    assert capture("<p>next").notes == ()
    assert len(ended) < 15  # 1, 2, 4 ... ms: 16 s with these


def test_the_page_does_not_see_pagelets_scripts(browser, capture, qtbot):
    page = capture(
        "<!doctype html><p><script>document.write(typeof qt, typeof QWebChannel, typeof pagelet)"
        "</script>"
    )
    assert "undefinedundefinedundefined" in page.nodes.text
    assert ask(browser.view, qtbot, "typeof pagelet") == "object"


class Bridge(QObject):
    said = Signal(str)

    @Slot(str)
    def say(self, what: str) -> None:
        self.said.emit(what)


LISTEN = """
new QWebChannel(qt.webChannelTransport, ({objects}) => { objects.bridge.say(document.title) })
"""


def test_scripts_reach_the_bridge_in_every_document(browser, capture, qtbot):
    for name in ("first", "second"):  # a new bridge takes the place of the old one
        bridge = Bridge()
        browser.view.set_bridge(bridge, (LISTEN.replace("document.title", f"'{name}'"),))
        with qtbot.waitSignal(bridge.said, timeout=10_000) as text:
            page = capture("<p><script>document.write(typeof qt)</script>")
        assert text.args == [name]
        assert "undefined" in page.nodes.text


def test_a_script_runs_in_the_given_frame_or_the_page(browser, capture, qtbot):
    capture("<!doctype html><title>top</title><iframe srcdoc='<title>inner</title>'></iframe>")
    (frame,) = browser.view.page().mainFrame().children()
    assert ask(browser.view, qtbot, "document.title", frame=frame) == "inner"
    assert ask(browser.view, qtbot, "document.title") == "top"


def test_links_and_reloads_do_not_leave_the_page(browser, capture, qtbot):
    capture("<!doctype html><a href=other.html>go</a>", **{"other.html": "<p>other"})
    before = browser.view.page().url()
    ask(browser.view, qtbot, "(document.links[0].click(), true)")
    ask(browser.view, qtbot, "(window.location.reload(), true)")
    assert ask(browser.view, qtbot, "document.links.length") == 1
    assert browser.view.page().url() == before


def test_a_capture_emits_each_progress_step_and_one_page(browser, tmp_path, qtbot):
    (tmp_path / "a.html").write_text("<p>a")
    capture = Capture(browser.view, open_document(tmp_path / "a.html"))
    data, pages = [], []
    capture.progress.connect(data.append)
    capture.done.connect(pages.append)
    with qtbot.waitSignal(capture.done, timeout=20_000):
        capture.start()
    assert data == ["loading a.html", "waiting for the page to settle", "reading the page"]
    assert len(pages) == 1
