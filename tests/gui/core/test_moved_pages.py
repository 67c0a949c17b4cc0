"""A folder that was moved or renamed opens with the marks made in it."""

import pytest
from PySide6.QtCore import Qt

from gui.state.selection import Mode
from tests.gui.parts import press
from tests.hand import Hand

pytestmark = pytest.mark.web

PAGE = "<title>Harbour news</title><p id=first style='margin:20px'>The ferry returned.</p>"


@pytest.mark.slow
def test_marks_are_kept_when_their_folder_is_renamed(window, qtbot, tmp_path):
    folder = tmp_path / "to do"
    folder.mkdir()
    hand = Hand(window.workbench, qtbot, folder)
    hand.open(PAGE, "ferry.html")
    hand.workbench.session.selection.set_mode(Mode.LEVEL_1)
    hand.click("#first")
    qtbot.waitUntil(lambda: bool(hand.session.open.gold.marks))
    (mark,) = hand.session.open.gold.marks

    done = folder.rename(tmp_path / "done")
    messages = []
    hand.session.messages.message_changed.connect(
        lambda: messages.append(hand.session.messages.message)
    )
    hand.open_path(done / "ferry.html")
    assert [each.id for each in hand.session.open.gold.marks] == [mark.id]
    assert "1 page found in a new folder; all marks are kept" in messages
    press(hand, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: not hand.session.open.gold.marks)
