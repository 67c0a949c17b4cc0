"""The page of a view keeps the keyboard, whatever page comes into the view."""

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from engine.document import plain_document
from engine.web.view import PageView

pytestmark = pytest.mark.web

PAGE = "<p>{}<script>addEventListener('keydown', e => document.title += e.key)</script>"


@pytest.fixture
def place(qtbot):
    """A window with a field before and after a view, active."""
    window = QWidget()
    qtbot.addWidget(window)
    view = PageView(window)
    fields = QLineEdit(window), QLineEdit(window)
    layout = QVBoxLayout(window)
    for each in (fields[0], view, fields[1]):
        layout.addWidget(each)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    yield window, view, fields
    view.dispose()


def load(view, qtbot, text):
    with qtbot.waitSignal(view.loaded, timeout=60_000):
        view.open(plain_document(PAGE.format(text).encode()))


def type_into(window, view, qtbot):
    """Press a key in the window as the system does; fails unless the page hears it."""
    heard = []
    look = lambda _=None: view.run("document.title", answer, answer)  # noqa: E731

    def answer(title):
        heard.append(title)
        if title != "a":
            QTimer.singleShot(50, view, look)

    QTest.keyClick(window.windowHandle(), Qt.Key.Key_A)
    look()
    qtbot.waitUntil(lambda: "a" in heard, timeout=10_000)


@pytest.mark.parametrize("is_warm", [False, True], ids=["new renderer", "renderer ready"])
def test_the_next_page_gets_the_keys_of_the_page_before(place, qtbot, is_warm):
    window, view, _ = place
    load(view, qtbot, "one")
    view.setFocus()
    qtbot.waitUntil(lambda: view.focusProxy().hasFocus(), timeout=5_000)
    type_into(window, view, qtbot)
    for text in ("two", "three"):
        if is_warm:
            view.warm_up()
            qtbot.waitUntil(lambda: view.is_warm)
        load(view, qtbot, text)
        type_into(window, view, qtbot)


def test_a_view_focused_before_its_first_page_and_while_one_loads_gets_the_keys(place, qtbot):
    window, view, fields = place
    view.setFocus()
    load(view, qtbot, "one")
    type_into(window, view, qtbot)
    fields[0].setFocus()
    with qtbot.waitSignal(view.loaded, timeout=60_000):
        view.open(plain_document(PAGE.format("two").encode()))
        view.setFocus()
    type_into(window, view, qtbot)


def test_a_page_takes_the_keys_from_no_field(place, qtbot):
    window, view, fields = place
    load(view, qtbot, "one")
    for field in fields:
        field.setFocus()
        load(view, qtbot, "two")
        QTest.keyClick(window.windowHandle(), Qt.Key.Key_A)
        assert field.text() == "a"
