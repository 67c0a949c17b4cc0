"""Whatever goes wrong in a capture, one `done` or one `failed` comes, and the view stays fit."""

import sys
from types import FrameType

import pytest
from PySide6.QtWidgets import QApplication

from annotate.datasets.opening import open_document
from engine.errors import CaptureError
from engine.web import capture as capture_module
from engine.web.capture import Capture

pytestmark = pytest.mark.web

HTML = (
    "<!doctype html><title>t</title><p>words</p><iframe srcdoc='<p>inside'></iframe>"
    "<script>setTimeout(() => document.body.append('more'), 30)</script>"
)

# What ends a capture, and what turns an error into its end.
_ENDS = {
    "__init__",
    "start",
    "guarded",
    "_on_crash",
    "_fail",
    "_finish",
    "_succeed",
    "_stop_watching",
    "cancel",
    "<lambda>",
}


class Injected(Exception):
    """What no code expects."""


class Injector:
    """Raises at one line of the capture's steps, counted as they are run."""

    def __init__(self, place: int) -> None:
        self.left = place
        self.where = ""

    def __call__(self, frame: FrameType, event: str, _argument: object):
        code = frame.f_code
        if code.co_filename != capture_module.__file__ or code.co_name in _ENDS:
            return None
        return self.on_line

    def on_line(self, frame: FrameType, event: str, _argument: object):
        if event == "line":
            self.left -= 1
            if self.left < 0 and not self.where:
                self.where = f"{frame.f_code.co_name}, line {frame.f_lineno}"
                sys.settrace(None)
                raise Injected(self.where)
        return self.on_line


def answers_of(browser, qtbot, document, timeout_s=5.0):
    """Run one capture; return all its answers, those that come too late included."""
    answers = []
    capture = Capture(browser.view, document, timeout_s=timeout_s)
    capture.done.connect(lambda page: answers.append(page))
    capture.failed.connect(lambda error: answers.append(error))
    capture.start()
    return capture, answers


def inject(browser, qtbot, document, place):
    """Capture with an exception at the place-th line; return (where, the one answer)."""
    injector = Injector(place)
    sys.settrace(injector)
    try:
        capture, answers = answers_of(browser, qtbot, document)
        qtbot.waitUntil(lambda: bool(answers), timeout=30_000)
    finally:
        sys.settrace(None)
    capture.cancel()
    QApplication.processEvents()
    assert len(answers) == 1, injector.where
    return injector.where, answers[0]


def check_every(browser, qtbot, tmp_path, step):
    (tmp_path / "index.html").write_text(HTML)
    document = open_document(tmp_path / "index.html")
    failed = set()
    position = 0
    while True:
        where, answer = inject(browser, qtbot, document, position)
        if not where:
            assert not isinstance(answer, Exception)
            return failed
        assert isinstance(answer, CaptureError), where
        assert "could not be read" in str(answer), where
        failed.add(where.partition(",")[0])
        position += step


STEPS = set(
    "_begin _on_begun _on_loading _on_loaded _settle _on_settling _poll _on_poll _collect _on_frame"
    " _collect_main _on_collected _finish_page".split()
)


@pytest.mark.slow
def test_an_error_at_any_seventh_line_becomes_one_failed(browser, qtbot, tmp_path):
    assert check_every(browser, qtbot, tmp_path, 7)
    browser.capture(open_document(b"<p>next"))


@pytest.mark.long
def test_an_error_at_any_line_becomes_one_failed(browser, qtbot, tmp_path):
    assert check_every(browser, qtbot, tmp_path, 1) >= STEPS
    browser.capture(open_document(b"<p>next"))
