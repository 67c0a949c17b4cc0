"""A window that is used again is as new; one that cannot be brought back is not used again."""

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QLabel

from gui.state.selection import Mode
from tests.gui.reused_window import SIZE, Memory, WindowPool
from tests.hand import Hand

pytestmark = pytest.mark.web


@pytest.fixture
def pool(qapp, tmp_path):
    made = WindowPool(tmp_path)
    yield made
    made.close()


def test_after_marking_a_page_the_same_window_comes_as_new(pool, qtbot, tmp_path):
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
    assert (again.session.documents, again.session.open.page) == ((), None)
    assert again.session.selection.mode is Mode.SELECT
    assert again.workbench.workspace.pages() == ()
    assert all(do() != "nothing" for do in again.workbench.left_to_do)
    pool.give_back()


class Owner(QObject):
    """As much of a window as is remembered."""

    def __init__(self):
        super().__init__()
        self.workbench = self.session = QObject(self)
        self.chosen = {"mine": True}


def test_a_key_is_set_back_where_the_value_is_the_same(qapp):
    window = Owner()
    memory = Memory(window)
    window.chosen["yours"] = window.chosen.pop("mine")
    assert memory.restore() == ""
    assert window.chosen == {"mine": True}


@pytest.mark.parametrize(
    "leave",
    [
        lambda window: QLabel("left", window),
        lambda window: window.close(),
        lambda window: window.actions_["open-file"].setText("another"),
        lambda window: window.actions_["evaluate"].trigger(),
    ],
    ids=["a widget", "closed", "an action", "a view"],
)
def test_what_cannot_be_taken_away_means_another_window(pool, leave):
    window = pool.take(SIZE)
    leave(window)
    pool.give_back()
    assert pool.take(SIZE) is not window
    pool.give_back()
