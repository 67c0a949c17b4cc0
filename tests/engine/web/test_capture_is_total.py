"""Test that a capture emits one `done` or one `failed` whatever goes wrong."""

import sys
from types import FrameType

import pytest
import shiboken6
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from annotate.datasets.opening import open_document
from engine.errors import CaptureError, RendererDied
from engine.web import capture as capture_module
from engine.web import collecting
from engine.web.capture import Capture
from engine.web.view import PageView

pytestmark = pytest.mark.web

HTML = (
    "<!doctype html><title>t</title><p>words</p><iframe srcdoc='<p>inside'></iframe>"
    "<script>setTimeout(() => document.body.append('more'), 30)</script>"
)

_FILES = {capture_module.__file__, collecting.__file__}

# Functions that end a capture or turn an error into its end.
_ENDS = {
    "__init__",
    "start",
    "guarded",
    "_on_crash",
    "_fail",
    "_finish",
    "_succeed",
    "stop",
    "cancel",
    "<lambda>",
}


class Injected(Exception):
    """An exception that no code expects."""


Line = tuple[str, int]
"""A function, and a number of a line."""


class Injector:
    """Trace function that records the lines of a capture and raises at one of them."""

    def __init__(self, line: Line | None) -> None:
        self.line = line
        self.lines: dict[Line, None] = {}  # in the order they are first run
        self.has_raised = False

    def __call__(self, frame: FrameType, event: str, _argument: object):
        code = frame.f_code
        if code.co_filename not in _FILES or code.co_name in _ENDS:
            return None
        return self.on_line

    def on_line(self, frame: FrameType, event: str, _argument: object):
        if event == "line":
            here = frame.f_code.co_name, frame.f_lineno
            self.lines.setdefault(here)
            if here == self.line and not self.has_raised:
                self.has_raised = True
                sys.settrace(None)
                raise Injected(here)
        return self.on_line


def answers_of(browser, qtbot, document, timeout_s=5.0):
    """Start a capture; return it and the list of all its answers, late ones included."""
    answers = []
    capture = Capture(browser.view, document, timeout_s=timeout_s)
    capture.done.connect(lambda page: answers.append(page))
    capture.failed.connect(lambda error: answers.append(error))
    capture.start()
    return capture, answers


def inject(browser, qtbot, document, line):
    """Capture with an exception at a line, or none; return the injector and the one answer."""
    injector = Injector(line)
    sys.settrace(injector)
    try:
        capture, answers = answers_of(browser, qtbot, document)
        qtbot.waitUntil(lambda: bool(answers), timeout=30_000)
    finally:
        sys.settrace(None)
    capture.cancel()
    QApplication.processEvents()
    assert len(answers) == 1, line
    return injector, answers[0]


def check_every(browser, qtbot, tmp_path, step):
    """Inject at every step-th line that a capture runs; return the functions where it failed."""
    (tmp_path / "index.html").write_text(HTML)
    document = open_document(tmp_path / "index.html")
    usual, answer = inject(browser, qtbot, document, None)
    assert not isinstance(answer, Exception)
    failed = set()
    for line in [*usual.lines][::step]:
        injector, answer = inject(browser, qtbot, document, line)
        if not injector.has_raised:  # such as what is run only where a page is late
            assert not isinstance(answer, Exception), line
            continue
        assert isinstance(answer, CaptureError), line
        assert "could not be read" in str(answer), line
        failed.add(line[0])
    return failed


STEPS = set(
    "_begin _on_begun _on_loading _on_loaded _settle _on_settling _poll _on_poll collect _on_frame"
    " _on_frames _collect_main _on_collected _finish_page".split()
)


def test_errors_of_frames_are_ignored_once_the_capture_is_deleted(qapp):
    view, parent = PageView(), QObject()
    frames = collecting.FrameCollector(view, [], parent)
    heard = []
    frames.failed.connect(heard.append)
    frames._on_frame_error(0, RendererDied("it has died"))
    shiboken6.delete(parent)
    frames._on_frame_error(1, RendererDied("it has died"))
    assert len(heard) == 1
    view.dispose()
    shiboken6.delete(view)  # else it stays until Python looks for cycles


@pytest.mark.slow
def test_an_error_at_every_seventh_line_emits_failed_once(browser, qtbot, tmp_path):
    assert check_every(browser, qtbot, tmp_path, 7)
    browser.capture(open_document(b"<p>next"))


@pytest.mark.long
def test_an_error_at_any_line_emits_failed_once(browser, qtbot, tmp_path):
    assert check_every(browser, qtbot, tmp_path, 1) >= STEPS
    browser.capture(open_document(b"<p>next"))
