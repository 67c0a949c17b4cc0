"""The scroll area of a panel gives new content the height that it needs."""

import pytest
from PySide6.QtWidgets import QApplication, QFrame, QLabel, QVBoxLayout, QWidget

from gui.widgets.layouts import ColumnArea
from gui.widgets.parts import clear
from tests.gui.parts import cut_off

WORDS = "the captain said that nobody was hurt when the ferry came back to the quay " * 3


@pytest.fixture
def area(qtbot):
    content = QWidget()
    QVBoxLayout(content)
    made = ColumnArea(content)
    qtbot.addWidget(made)
    made.resize(300, 240)
    made.show()
    qtbot.waitExposed(made)
    return made


def card(parent, steps):
    made = QFrame(parent)
    lines = QVBoxLayout(made)
    for number in range(steps):
        inner = QFrame(made)
        label = QLabel(f"{number}. {WORDS}", inner)
        label.setWordWrap(True)
        QVBoxLayout(inner).addWidget(label)
        lines.addWidget(inner)
    return made


@pytest.mark.parametrize("cards", [1, 6])
def test_wrapped_texts_of_new_parts_are_not_cut_off_after_two_event_loops(area, cards):
    layout = area.widget().layout()
    for unfolded in range(1, cards + 1):
        clear(layout)
        for number in range(cards):
            layout.addWidget(card(area.widget(), 12 if number < unfolded else 1))
        layout.addStretch(1)
        QApplication.processEvents()
        QApplication.processEvents()
        assert cut_off(area) == []
        assert area.verticalScrollBar().maximum() > 0
