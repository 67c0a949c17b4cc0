"""A reused window is like a new one; a window that cannot be reset is not reused."""

import pytest
from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QLabel, QWidget

from gui.features.evaluate.view import EvaluateView
from gui.state.selection import Mode
from tests.gui.reused_window import SIZE, Memory, WindowPool, appearance
from tests.hand import Hand

pytestmark = pytest.mark.web


@pytest.fixture
def pool(qapp, tmp_path):
    made = WindowPool(tmp_path)
    yield made
    made.close()


def test_a_window_in_which_a_page_was_marked_is_reset_and_reused(pool, qtbot, tmp_path):
    window = pool.take(SIZE)
    hand = Hand(window.workbench, qtbot, tmp_path)
    hand.open("<p id=p>The ferry returned to the harbour this morning.")
    window.session.selection.set_mode(Mode.MAIN)
    hand.click("#p")
    qtbot.waitUntil(lambda: bool(window.session.open.gold.marks), timeout=20_000)
    window.session.documents = (*window.session.documents, None)
    window.workbench.left_to_do.append(lambda: "nothing")
    pool.give_back()
    again = pool.take(SIZE)
    assert again is window, pool.refused
    assert pool.uses == 2
    assert (again.session.documents, again.session.open.page) == ((), None)
    assert again.session.selection.mode is Mode.SELECT
    assert again.workbench.workspace.pages() == ()
    assert all(do() != "nothing" for do in again.workbench.left_to_do)
    pool.give_back()


@pytest.mark.parametrize("words", ["reused: ", "new"])
def test_a_failed_test_reports_whether_its_window_was_new(request, windows, words):
    windows.take(SIZE)
    windows.give_back()
    if words == "new":
        windows.close()
    request.getfixturevalue("window")
    said = [text for _, title, text in request.node._report_sections if title == "window"]
    assert len(said) == 1
    assert said[0].startswith(words)


class Owner(QObject):
    """The part of a window that is remembered."""

    def __init__(self):
        super().__init__()
        self.workbench = self.session = QObject(self)
        self.chosen = {"mine": True}


def test_a_changed_key_with_the_same_value_is_restored(qapp):
    window = Owner()
    memory = Memory(window)
    window.chosen["yours"] = window.chosen.pop("mine")
    assert memory.restore() == ""
    assert window.chosen == {"mine": True}


@pytest.mark.slow
@pytest.mark.parametrize(
    "leave",
    [
        lambda window: QLabel("left", window),
        lambda window: window.tasks.choose("debug"),
        lambda window: window.main_area.toggle(EvaluateView),
        lambda window: window.main_area.get(EvaluateView),
        lambda window: window.menuBar().setEnabled(False),
    ],
    ids=["a widget", "a task", "a shown view", "a view", "disabled"],
)
def test_a_changed_window_is_set_back(pool, leave):
    window = pool.take(SIZE)
    before = appearance(window)
    leave(window)
    assert appearance(window) != before or window.main_area._views
    pool.give_back()
    assert pool.take(SIZE) is window, pool.refused
    assert not window.main_area._views
    assert appearance(window) == before
    pool.give_back()


def test_widgets_within_a_disabled_one_are_not_disabled_themselves(pool):
    def disabled():
        is_disabled = Qt.WidgetAttribute.WA_ForceDisabled
        return {id(w) for w in window.findChildren(QWidget) if w.testAttribute(is_disabled)}

    window = pool.take(SIZE)
    before = disabled()
    assert any(not w.isEnabled() and id(w) not in before for w in window.findChildren(QWidget))
    QLabel("left", window)  # it is reset widget by widget
    pool.give_back()
    assert pool.take(SIZE) is window, pool.refused
    assert disabled() == before


@pytest.mark.parametrize(
    "leave",
    [
        lambda window: window.close(),
        lambda window: window.actions_["open-file"].setText("another"),
    ],
    ids=["closed", "an action"],
)
def test_a_window_that_cannot_be_reset_is_replaced(pool, leave):
    window = pool.take(SIZE)
    leave(window)
    pool.give_back()
    assert pool.take(SIZE) is not window
    pool.give_back()
