"""The `?` overlay."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from gui.widgets.parts import KeyCap
from gui.window.action_table import shown_keys
from gui.window.actions import ACTIONS
from gui.window.shortcuts import ShortcutsOverlay, sections, split


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


@given(st.lists(st.integers(1, 30), min_size=1, max_size=12), st.integers(1, 4))
def test_split_keeps_order_and_fills_columns_evenly(weights, parts):
    groups = split(weights, parts)
    assert [place for group in groups for place in group] == list(range(len(weights)))
    assert len(groups) <= parts
    heaviest = max(sum(weights[i] for i in group) for group in groups)
    assert heaviest <= sum(weights) / parts + max(weights)
