"""Ticks beside the page: where marks and errors lie, and a click goes there."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt

from gui.features.errors.state import ErrorWalk
from gui.page.tick_bar import MOST, Tick, joined
from tests.gui.annotated import PAGE
from tests.gui.parts import press
from tests.hand import Hand

SHARES = st.floats(0, 1)


@pytest.fixture
def hand(window, qtbot, tmp_path):
    """Open a page that is higher than the view, and mark its footer."""
    made = Hand(window.workbench, qtbot, tmp_path)
    made.open(f"{PAGE}<div style='height: 4000px'></div>")
    press(made, Qt.Key.Key_1)
    made.click("#foot")
    qtbot.waitUntil(lambda: len(made.session.open.gold.marks) == 1, timeout=20_000)
    made.bar = window.workbench.canvas.bar
    qtbot.waitUntil(lambda: len(made.bar.ticks) == 1, timeout=20_000)
    return made


@pytest.mark.web
def test_a_mark_has_a_tick_at_its_share_of_the_page(hand, qtbot):
    (tick,) = hand.bar.ticks
    nodes, mark = hand.session.open.page.rendered(), hand.session.open.gold.marks[0]
    top = float(nodes.rect[mark.targets[0].row, 1])
    assert tick.top == pytest.approx(top / nodes.height)
    assert tick.top < tick.bottom < tick.top + 0.01
    press(hand, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: hand.bar.ticks == [], timeout=20_000)


@pytest.mark.web
def test_a_click_on_a_tick_scrolls_to_it(hand, qtbot):
    canvas = hand.workbench.canvas
    canvas.scroll_down_to(3000)
    qtbot.waitUntil(lambda: hand.bar.value() > 1000, timeout=20_000)
    place = hand.bar.box_of(hand.bar.ticks[0]).center().toPoint()
    qtbot.mouseClick(hand.bar, Qt.MouseButton.LeftButton, pos=place)
    top = hand.bar.ticks[0].top * canvas.page_height
    qtbot.waitUntil(lambda: canvas.seen[0] <= top < canvas.seen[1], timeout=20_000)


@pytest.mark.web
def test_errors_have_ticks_at_the_right_while_they_are_listed(hand, qtbot):
    hand.wait_for_methods()
    errors = hand.session.get(ErrorWalk)
    hand.session.layers.add_method("webterrain")
    hand.session.layers.set_current_layer("webterrain")
    hand.wait_for_methods()
    press(hand, Qt.Key.Key_F7)
    qtbot.waitUntil(lambda: any(error.rows for error in errors.items), timeout=30_000)
    qtbot.waitUntil(lambda: any(tick.is_error for tick in hand.bar.ticks), timeout=20_000)
    assert " errors" in hand.bar.accessibleDescription()


@given(st.lists(st.tuples(SHARES, SHARES, st.booleans()), max_size=600))
def test_joined_ticks_are_few_and_cover_all_given_ticks(drawn):
    ticks = [Tick(min(a, b), max(a, b), "#000000", is_error) for a, b, is_error in drawn]
    result = joined(ticks)
    assert len(result) <= MOST
    for tick in ticks:
        assert any(
            each.is_error == tick.is_error and each.top <= tick.top and tick.bottom <= each.bottom
            for each in result
        )
