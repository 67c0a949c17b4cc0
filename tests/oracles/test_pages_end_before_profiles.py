"""Qt deletes each page before its profile, whatever ends first: views, windows or the program.

The independent truth is Qt's own: it warns where a profile goes before a page of it, and the
process ends by a signal if it is unlucky.  Each way out is a process of its own.
"""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.web

_BEGIN = """
import sys, tempfile
from pathlib import Path
import shiboken6
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from engine.document import plain_document
from engine.web import locked_page, profile
from engine.web.headless import Browser
"""
_PLANTED = """
class Reversed(locked_page.LonePage.__mro__[1]):
    def __init__(self, parent=None):
        own = profile.make_profile()
        own.setParent(parent)
        super().__init__(own, parent)
locked_page.LockedPage.__bases__ = (Reversed,)
"""
_PAGES = """
browser = Browser()
for text in "one", "two", "three":
    browser.capture(plain_document(f"<p>{text}".encode()))
    browser.view.warm_up()
"""
_WINDOW = """
from tests.gui.parts import make_window
profile.prepare(headless=True)
app = QApplication(["pagelet"])
window = make_window(Path(tempfile.mkdtemp()))
from gui.features.help.view import HelpView
HelpView(window.workbench).open_at("methods.md")
loop = QTimer(singleShot=True, interval=1500)
loop.timeout.connect(app.quit)
loop.start()
app.exec()
"""
_ENDS = {
    "nothing closed": "",
    "an exit": "sys.exit()",
    "an error": "raise SystemExit(0) from ValueError()",
    "a page still loading": "browser.view.open(plain_document(b'<p>four')); sys.exit()",
    "a page let go, then closed": "browser.view.open(plain_document(b'<p>four')); browser.close()",
    "the spare page's renderer dead": (
        "from os import kill; page = browser.view._spare._page\n"
        "wait = lambda: [browser.capture(plain_document(b'<p>five')), browser.view.warm_up()]\n"
        "browser.view.kill_renderer(); wait(); browser.close()"
    ),
    "closed twice": "browser.close(); browser.view.dispose()",
    "the view deleted": "shiboken6.delete(browser.view)",
    "the program deleted first": "shiboken6.delete(QApplication.instance())",
}
_WINDOW_ENDS = {
    "nothing closed": "",
    "closed": "window.close_down()",
    "closed twice": "window.close_down(); window.close_down()",
    "shut by the user": "window.close(); window.close_down()",
    "deleted": "shiboken6.delete(window)",
}


def complaints(script: str) -> str:
    """Return how a process that runs a script ended, where Qt or the system complains."""
    done = subprocess.run(
        [sys.executable, "-c", _BEGIN + script],
        check=False, capture_output=True, text=True, timeout=200,
    )  # fmt: skip
    of_qt = [line for line in done.stderr.splitlines() if "Release of profile" in line]
    return "\n".join(of_qt or ([f"{done.returncode} {done.stderr}"] if done.returncode else []))


@pytest.mark.slow
@pytest.mark.parametrize("end", _ENDS)
def test_a_view_ends_without_a_complaint_of_qt(end):
    assert complaints(_PAGES + _ENDS[end]) == ""


@pytest.mark.slow
@pytest.mark.parametrize("end", _WINDOW_ENDS)
def test_a_window_ends_without_a_complaint_of_qt(end):
    assert complaints(_WINDOW + _WINDOW_ENDS[end]) == ""


@pytest.mark.slow
def test_the_oracle_finds_a_profile_that_goes_first():
    assert "Release of profile" in complaints(_PLANTED + _PAGES)
