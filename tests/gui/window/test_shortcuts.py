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


def test_every_shortcut_is_listed():
    listed = {key for _, rows in sections(ACTIONS) for _, keys in rows for key in keys}
    for action in ACTIONS:
        if action.name.startswith("layer-"):
            continue  # one row for all nine
        assert not action.keys or shown_keys(action)[0] in listed, action.name


def test_the_overlay_shows_keys_and_escape_restores_the_focus(qtbot, ground):
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


def test_a_click_outside_the_card_closes_it_but_not_one_inside(qtbot, ground):
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
def test_keys_are_not_cut_off_at_the_right(qtbot, ground, size):
    ground.resize(*size)
    overlay = ShortcutsOverlay(ground, lambda: ACTIONS)
    overlay.open_up()
    area = overlay.findChild(QScrollArea)
    QApplication.processEvents()  # the columns are laid out in the next turn of the event loop
    right = max(cap.mapTo(area.widget(), cap.rect().topRight()).x()
                for cap in overlay.findChildren(KeyCap))  # fmt: skip
    reached = area.viewport().width() + area.horizontalScrollBar().maximum()
    assert right < reached
    assert area.horizontalScrollBar().maximum() == 0 or size[0] < 1000


def test_typing_filters_the_keys_by_names_of_actions_and_by_keys(qtbot, ground):
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


def test_a_search_with_few_results_does_not_move_the_search_field(qtbot, ground):
    overlay = ShortcutsOverlay(ground, lambda: ACTIONS)
    overlay.open_up()
    qtbot.waitExposed(overlay)
    before = overlay.search.mapTo(ground, QPoint(0, 0)), overlay.search.width()
    qtbot.keyClicks(overlay.search, "freeze")
    Pulse().wait(qtbot, 3)
    assert (overlay.search.mapTo(ground, QPoint(0, 0)), overlay.search.width()) == before


def test_unavailable_actions_are_grey_and_can_be_hidden(qtbot, ground):
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


def test_keys_scroll_the_overlay_and_a_button_requests_the_printed_sheet(qtbot, ground):
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


def test_every_key_is_on_the_drawn_keyboard_with_a_selectable_combination():
    drawn = {key for row in ROWS for key in row}
    offered = {combination for combination, _ in COMBINATIONS}
    for action in ACTIONS:
        for key in action.keys:
            name, held = key_of(key)
            assert name in drawn, (action.name, key)
            assert held in offered, (action.name, key)


def test_the_keyboard_shows_the_keys_of_held_or_chosen_modifiers(qtbot, ground):
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


def test_the_keyboard_shows_available_actions_and_is_hidden_by_a_search(qtbot, ground):
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


def test_drawn_keys_do_not_overlap_and_fit_the_keyboard(qtbot, ground):
    overlay = ShortcutsOverlay(ground, lambda: ACTIONS)
    overlay.open_up()
    keys = overlay.keyboard.keys
    qtbot.waitUntil(lambda: keys.width() > 600)
    rects = list(keys.rects().values())
    assert all(keys.rect().contains(rect) for rect in rects)
    assert not any(a.intersects(b) for a in rects for b in rects if a is not b)
