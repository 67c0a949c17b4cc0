"""The `?` overlay."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QScrollArea, QVBoxLayout, QWidget

from gui.widgets.parts import KeyCap
from gui.window.action_table import shown_keys
from gui.window.actions import ACTIONS
from gui.window.keyboard import COMBINATIONS, NONE, ROWS, actions_by_key, key_of
from gui.window.shortcuts import ShortcutsOverlay, sections
from gui.window.user_keys import split
from tests.pulse import Pulse


@pytest.fixture
def ground(qtbot):
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.field = QLineEdit(widget)
    QVBoxLayout(widget).addWidget(widget.field)
    widget.resize(1100, 700)
    widget.show()
    qtbot.waitExposed(widget)
    return widget


def test_every_shortcut_of_the_table_is_listed():
    listed = {key for _, rows in sections(ACTIONS) for _, keys in rows for key in keys}
    for action in ACTIONS:
        if action.name.startswith("layer-"):
            continue  # one row for all nine
        assert not action.keys or shown_keys(action)[0] in listed, action.name


def test_it_shows_keys_takes_the_keyboard_and_gives_it_back(qtbot, ground):
    ground.field.setFocus()
    overlay = ShortcutsOverlay(ground, lambda: ACTIONS)
    overlay.open_up()
    assert overlay.isVisible()
    assert overlay.size() == ground.size()
    caps = {cap.text() for cap in overlay.findChildren(KeyCap)}
    assert {"V", "M", "?"} <= caps
    qtbot.keyClick(overlay, Qt.Key.Key_Escape)
    assert overlay.isHidden()
    qtbot.waitUntil(lambda: ground.focusWidget() is ground.field)


def test_a_click_beside_the_card_closes_it_and_one_on_it_does_not(qtbot, ground):
    overlay = ShortcutsOverlay(ground, lambda: ACTIONS)
    overlay.open_up()
    qtbot.mouseClick(overlay, Qt.MouseButton.LeftButton, pos=overlay.rect().center())
    assert overlay.isVisible()
    qtbot.mouseClick(overlay, Qt.MouseButton.LeftButton, pos=QPoint(3, 3))
    assert overlay.isHidden()


@pytest.mark.parametrize("size", [(860, 520), (1100, 700), (2560, 1440)])
def test_the_card_stays_inside_the_window(qtbot, ground, size):
    overlay = ShortcutsOverlay(ground, lambda: ACTIONS)
    overlay.open_up()
    ground.resize(*size)
    qtbot.waitUntil(lambda: overlay.size() == ground.size())
    card = overlay.findChild(QWidget, "HelpCard")
    assert overlay.rect().contains(card.geometry())
    assert card.width() > 400


@pytest.mark.parametrize("size", [(860, 520), (1100, 700), (1600, 1000)])
def test_no_key_is_cut_off_at_the_right(qtbot, ground, size):
    ground.resize(*size)
    overlay = ShortcutsOverlay(ground, lambda: ACTIONS)
    overlay.open_up()
    area = overlay.findChild(QScrollArea)
    QApplication.processEvents()  # the layout of the columns is of the next turn of the loop
    right = max(cap.mapTo(area.widget(), cap.rect().topRight()).x()
                for cap in overlay.findChildren(KeyCap))  # fmt: skip
    reached = area.viewport().width() + area.horizontalScrollBar().maximum()
    assert right < reached
    assert area.horizontalScrollBar().maximum() == 0 or size[0] < 1000


def test_typing_narrows_the_keys_to_an_action_by_any_of_its_names_or_keys(qtbot, ground):
    overlay = ShortcutsOverlay(ground, lambda: ACTIONS)
    overlay.open_up()
    for typed, key in (("kappa", "Ctrl+F10"), ("ctrl+shift+l", "Ctrl+Shift+L")):
        overlay.search.clear()
        qtbot.keyClicks(overlay.search, typed)
        shown = {cap.text() for cap in overlay.findChildren(KeyCap) if cap.isVisible()}
        assert key in shown
        assert len(shown) < 4
    qtbot.keyClicks(overlay.search, "nothing like it")
    assert [cap for cap in overlay.findChildren(KeyCap) if cap.isVisible()] == []


def test_a_search_that_finds_little_leaves_the_card_and_its_field_where_they_are(qtbot, ground):
    overlay = ShortcutsOverlay(ground, lambda: ACTIONS)
    overlay.open_up()
    qtbot.waitExposed(overlay)
    before = overlay.search.mapTo(ground, QPoint(0, 0)), overlay.search.width()
    qtbot.keyClicks(overlay.search, "freeze")
    Pulse().wait(qtbot, 3)
    assert (overlay.search.mapTo(ground, QPoint(0, 0)), overlay.search.width()) == before


def test_what_is_not_live_now_is_grey_and_can_be_left_out(qtbot, ground):
    overlay = ShortcutsOverlay(ground, lambda: ACTIONS, lambda row: row.name == "undo")
    overlay.open_up()
    label = {label.text(): label for label in overlay.findChildren(QLabel)}
    assert label["Redo"].property("tone") == "muted"
    assert label["Undo"].property("tone") is None
    qtbot.mouseClick(overlay.live, Qt.MouseButton.LeftButton, pos=QPoint(8, 8))
    qtbot.waitUntil(overlay.live.isChecked)
    texts = {label.text() for label in overlay.findChildren(QLabel) if label.isVisible()}
    assert "Undo" in texts
    assert "Redo" not in texts


def test_keys_scroll_it_and_a_button_asks_for_the_page_to_print(qtbot, ground):
    overlay = ShortcutsOverlay(ground, lambda: ACTIONS)
    overlay.open_up()
    bar = overlay.findChild(QScrollArea).verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    qtbot.keyClick(overlay.search, Qt.Key.Key_PageDown)
    assert bar.value() > 0
    with qtbot.waitSignal(overlay.saving):
        qtbot.mouseClick(overlay.sheet, Qt.MouseButton.LeftButton)


@given(st.lists(st.integers(1, 30), min_size=1, max_size=12), st.integers(1, 4))
def test_split_keeps_order_and_fills_columns_evenly(weights, parts):
    groups = split(weights, parts)
    assert [index for group in groups for index in group] == list(range(len(weights)))
    assert len(groups) <= parts
    heaviest = max(sum(weights[i] for i in group) for group in groups)
    assert heaviest <= sum(weights) / parts + max(weights)


def test_every_key_of_the_table_is_one_of_the_keyboard_with_a_combination_that_can_be_chosen():
    drawn = {key for row in ROWS for key in row}
    offered = {combination for combination, _ in COMBINATIONS}
    for action in ACTIONS:
        for key in action.keys:
            name, held = key_of(key)
            assert name in drawn, (action.name, key)
            assert held in offered, (action.name, key)


def test_holding_a_modifier_shows_what_it_adds_and_letting_go_what_was_chosen(qtbot, ground):
    overlay = ShortcutsOverlay(ground, lambda: ACTIONS)
    overlay.open_up()
    keys = overlay.keyboard.keys
    assert keys.shown["M"].name == "mode-main"
    assert "P" in keys.shown
    qtbot.keyPress(overlay.search, Qt.Key.Key_Control)
    assert keys.shown["Z"].name == "undo"
    qtbot.keyPress(overlay.search, Qt.Key.Key_Shift, Qt.KeyboardModifier.ControlModifier)
    assert keys.shown["P"].name == "palette"
    qtbot.keyRelease(overlay.search, Qt.Key.Key_Shift)
    qtbot.keyRelease(overlay.search, Qt.Key.Key_Control)
    assert keys.shown["M"].name == "mode-main"
    alt = overlay.keyboard.combinations.button(Qt.KeyboardModifier.AltModifier)
    qtbot.mouseClick(alt, Qt.MouseButton.LeftButton)
    assert keys.shown["1"].name == "task-mark"
    assert "1: Mark" in keys.accessibleDescription()


def test_of_two_meanings_the_keyboard_shows_the_live_one_and_gives_room_to_what_is_searched(
    qtbot, ground
):
    right = [row for row in ACTIONS if "Right" in row.keys]
    assert len(right) > 1
    for meant in right:
        live = {meant.name}
        shown = actions_by_key(ACTIONS, lambda row: row.name in live, NONE)  # noqa: B023
        assert shown["Right"] is meant
    overlay = ShortcutsOverlay(ground, lambda: ACTIONS)
    overlay.open_up()
    assert overlay.keyboard.isVisible()
    qtbot.keyClicks(overlay.search, "kappa")
    assert not overlay.keyboard.isVisible()


def test_keys_lie_beside_each_other_and_inside(qtbot, ground):
    overlay = ShortcutsOverlay(ground, lambda: ACTIONS)
    overlay.open_up()
    keys = overlay.keyboard.keys
    qtbot.waitUntil(lambda: keys.width() > 600)
    rects = list(keys.rects().values())
    assert all(keys.rect().contains(rect) for rect in rects)
    assert not any(a.intersects(b) for a in rects for b in rects if a is not b)
