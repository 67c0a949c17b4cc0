"""Cards and fields: few controls, nothing cut, covered or faint."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from gui.features.evaluate.view import EvaluateView
from gui.widgets.choice_popup import PopupCard
from resources import path
from tests.gui.calm import controls, cut_texts, faint_texts, is_seen, overlaps
from tests.hand import Hand

pytestmark = [pytest.mark.web, pytest.mark.slow]

MOST_CONTROLS = 25


@pytest.fixture
def opened(window, qtbot, tmp_path):
    """Return the window with sample pages that have gold."""
    Hand(window.workbench, qtbot, tmp_path).open_path(path("corpus") / "news" / "index.html")
    yield window
    window.themes.choose("light")


def faults(widget):
    return [*cut_texts(widget), *overlaps(widget), *faint_texts(widget)]


def evaluate(window, qtbot):
    window.tasks.choose("evaluate")
    return window.main_area.get(EvaluateView)


def press(view, qtbot, text):
    (button,) = (b for b in view.findChildren(QPushButton) if b.text() == text)
    qtbot.waitUntil(lambda: is_seen(button), timeout=60_000)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    card = next(each for each in view.findChildren(PopupCard) if each.isVisible())
    qtbot.waitUntil(lambda: is_seen(card))
    return card


def filters(window, qtbot):
    return press(evaluate(window, qtbot), qtbot, "+ Filter")


def comparison(window, qtbot):
    return press(evaluate(window, qtbot), qtbot, "Compare…")


def facts(window, qtbot):
    qtbot.mouseClick(window.status_bar.info, Qt.MouseButton.LeftButton)
    return next(each for each in window.findChildren(PopupCard) if each.isVisible())


def tags(window, qtbot):
    window.actions_["page-tag-open"].trigger()
    return window.main_area.field


def fields(window, qtbot):
    window.main_area.field.ask("Field of the mark", "Its name", str, ())
    return window.main_area.field


CARDS = (filters, comparison, facts, tags, fields)


@pytest.mark.parametrize(("size", "theme"), [((1600, 1000), "light"), ((960, 540), "dark")])
@pytest.mark.parametrize("bring", CARDS, ids=lambda bring: bring.__name__)
def test_what_comes_when_asked_is_whole_readable_and_small(opened, qtbot, bring, size, theme):
    opened.themes.choose(theme)
    opened.resize(*size)
    shown = bring(opened, qtbot)
    qtbot.waitUntil(lambda: is_seen(shown))
    qtbot.waitUntil(lambda: faults(shown) == [], timeout=4_000)
    of = [controls(shown)] if shown.isWindow() else [controls(opened)]
    assert all(len(each) <= MOST_CONTROLS for each in of), of
    shown.close() if shown.isWindow() else None


def test_a_faint_a_cut_and_a_covering_text_are_found(qtbot):
    card = QWidget()
    qtbot.addWidget(card)
    card.setStyleSheet("background: #ffffff; color: #222222")
    card.resize(300, 100)
    label = QLabel("Words that are read", card)
    label.setGeometry(10, 10, 200, 24)
    card.show()
    qtbot.waitExposed(card)
    assert faults(card) == []
    label.setStyleSheet("color: #a0a0a0")
    assert [each.partition(":")[0] for each in faint_texts(card)] == ["Words that are read"]
    label.setStyleSheet("")
    label.resize(30, 24)
    assert len(cut_texts(card)) == 1
    label.resize(200, 24)
    QPushButton("Over", card).setGeometry(20, 10, 100, 24)
    card.findChild(QPushButton).show()
    assert len(overlaps(card)) == 1
