"""Keys report changes to blocks out of view, and a failed drag leaves nothing selected."""

import pytest
from PySide6.QtCore import QPoint, Qt

from gui.state.selection import Mode
from tests.gui.page.test_rectangles import corners
from tests.gui.parts import press
from tests.hand import Hand

pytestmark = pytest.mark.web

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
PAGE = """
<title>Harbour news</title>
<style>body{margin:0;font:16px/23px sans-serif} div,p{margin:0}
 #menu{position:absolute;left:60px;top:60px;width:500px;height:23px;background:#eee}
 #icon{position:absolute;left:700px;top:300px;width:16px;height:16px;background:#444}
 #story{position:absolute;left:60px;top:160px;width:500px;height:300px}
 #foot{position:absolute;left:60px;top:3000px;width:500px;height:60px}</style>
<div id=menu class=menu>News Tides Boats</div><div id=icon></div>
<div id=story><p id=first>The ferry returned to the harbour this morning.</p></div>
<footer id=foot>Printed at the quay</footer>
"""


@pytest.fixture
def hand(window, qtbot, tmp_path):
    made = Hand(window.workbench, qtbot, tmp_path)
    made.open(PAGE, "quay.html")
    press(made, Qt.Key.Key_1)
    return made


def types(hand) -> dict[str, str]:
    names = {hand.row(f"#{name}"): name for name in ("menu", "story", "foot", "icon", "first")}
    return {names[m.targets[0].row]: m.type for m in hand.session.open.gold.marks}


def mark(hand, selector: str) -> None:
    before = len(hand.session.open.gold.marks)
    hand.click(selector)
    hand.qtbot.waitUntil(lambda: len(hand.session.open.gold.marks) > before, timeout=20_000)


def scroll(hand, y: int) -> None:
    hand.ask(f"scrollTo({{top: {y}, behavior: 'instant'}}), 1")
    canvas = hand.workbench.canvas
    hand.qtbot.waitUntil(lambda: canvas.seen[0] <= y + 5 <= canvas.seen[1], timeout=20_000)


def wait_until_seen(hand, selector: str) -> None:
    row, canvas = hand.row(selector), hand.workbench.canvas
    y = hand.session.open.page.rendered().rect[row, 1]
    hand.qtbot.waitUntil(lambda: canvas.seen[0] <= y <= canvas.seen[1], timeout=20_000)


def around(hand, selector: str, loose: int) -> tuple[QPoint, QPoint]:
    start, end = corners(hand, selector)
    return start - QPoint(loose - 2, loose - 2), end + QPoint(loose - 2, loose - 2)


def test_a_letter_takes_the_nearest_element_of_a_rectangle_and_changes_no_other(hand):
    mark(hand, "#foot")
    press(hand, Qt.Key.Key_F)
    assert types(hand) == {"foot": "Footer"}
    scroll(hand, 0)
    start, _ = corners(hand, "#story")
    hand.drag(start + QPoint(80, 60), start + QPoint(220, 150))
    hand.qtbot.waitUntil(lambda: "no element lies" in hand.session.messages.message, timeout=20_000)
    press(hand, Qt.Key.Key_L)
    assert types(hand) == {"foot": "Footer", "story": "Logo"}


def test_a_drag_without_shift_clears_the_selection_when_it_begins(hand):
    mark(hand, "#menu")
    assert hand.session.selection.selected
    start, _ = corners(hand, "#story")
    hand.hold(start + QPoint(80, 60), start + QPoint(120, 90), SHIFT)
    assert hand.session.selection.selected
    hand.let_go(start + QPoint(120, 90), SHIFT)
    hand.qtbot.waitUntil(lambda: "no element lies" in hand.session.messages.message, timeout=20_000)
    hand.hold(start + QPoint(80, 60), start + QPoint(120, 90))
    hand.qtbot.waitUntil(lambda: not hand.session.selection.selected, timeout=20_000)
    hand.let_go(start + QPoint(120, 90))


@pytest.mark.parametrize("loose", [2, 8, 14, 20])
def test_a_drag_up_to_20_px_outside_of_a_thin_menu_marks_it(hand, loose):
    hand.drag(*around(hand, "#menu", loose))
    hand.qtbot.waitUntil(lambda: types(hand) == {"menu": ""}, timeout=20_000)
    press(hand, Qt.Key.Key_N)
    assert types(hand) == {"menu": "Menu"}


def test_a_drag_outside_of_an_element_marks_it_at_another_zoom(hand):
    hand.workbench.canvas.set_zoom(0.5)
    hand.drag(*around(hand, "#menu", 12))
    hand.qtbot.waitUntil(lambda: types(hand) == {"menu": ""}, timeout=20_000)


def test_a_rectangle_without_elements_offers_the_nearest_and_enter_marks_it(hand):
    start, end = around(hand, "#menu", 26)
    hand.drag(start, end)
    hand.qtbot.waitUntil(lambda: "no element lies" in hand.session.messages.message, timeout=20_000)
    assert hand.session.messages.message.endswith("Nearest: div#menu (Enter, or a type's letter)")
    hand.move(end + QPoint(3, 2))  # a hand is never perfectly still
    press(hand, Qt.Key.Key_Return)
    assert types(hand) == {"menu": ""}


def test_a_click_marks_the_clicked_element_and_not_the_offered_one(hand):
    hand.drag(*around(hand, "#menu", 26))
    hand.qtbot.waitUntil(lambda: "no element lies" in hand.session.messages.message, timeout=20_000)
    mark(hand, "#first")
    assert "menu" not in types(hand)


def test_a_small_rectangle_inside_a_small_element_marks_nothing(hand):
    start, _ = corners(hand, "#icon")
    hand.drag(start + QPoint(4, 4), start + QPoint(10, 10))
    hand.qtbot.waitUntil(lambda: "no element lies" in hand.session.messages.message, timeout=20_000)
    assert types(hand) == {}


def test_a_letter_that_types_a_block_out_of_view_reports_it_and_scrolls_there(hand):
    mark(hand, "#foot")
    press(hand, Qt.Key.Key_F)
    scroll(hand, 0)
    press(hand, Qt.Key.Key_L)
    assert types(hand) == {"foot": "Logo"}
    assert "out of view: Footer “Printed at the quay” is now Logo" in hand.session.messages.message
    wait_until_seen(hand, "#foot")


@pytest.mark.parametrize(
    ("key", "modifier", "said"),
    [
        (Qt.Key.Key_Delete, Qt.KeyboardModifier.NoModifier, "is deleted"),
        (Qt.Key.Key_2, CTRL | Qt.KeyboardModifier.AltModifier, "is now on level 2"),
        (Qt.Key.Key_Z, CTRL, "is deleted"),
    ],
)
def test_keys_that_change_a_block_out_of_view_report_it_and_scroll(hand, key, modifier, said):
    mark(hand, "#foot")
    scroll(hand, 0)
    press(hand, key, modifier)
    assert hand.session.messages.message.startswith("out of view: ")
    assert said in hand.session.messages.message
    wait_until_seen(hand, "#foot")


def test_changes_in_view_show_no_message(hand):
    hand.session.messages.say("")
    mark(hand, "#menu")
    press(hand, Qt.Key.Key_N)
    assert types(hand) == {"menu": "Menu"}
    assert hand.session.messages.message == ""
    assert hand.session.selection.mode is Mode.LEVEL_1
