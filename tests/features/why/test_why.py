"""Explanations of why a text was kept or dropped: asked for, copied and changed."""

import time

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QEnterEvent, QGuiApplication
from PySide6.QtWidgets import QApplication

from algorithms.explain.differences import words_kept
from gui.features.errors.state import ErrorWalk
from gui.features.why.controller import WhyActions
from gui.features.why.panel import WhyDock
from gui.features.why.state import WhyState
from gui.state.selection import NOTHING, Mode
from tests.features.errors.test_errors import open_sample, show_errors
from tests.gui.parts import cut_off, press
from tests.hand import Hand

pytestmark = pytest.mark.web
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def hand(window, qtbot, tmp_path):
    made = Hand(window.workbench, qtbot, tmp_path)
    open_sample(window, made, "news")
    return made


def only(window, *keys):
    """Draw these methods alone, the first of them current."""
    session = window.session
    for key in keys:
        session.layers.add_method(key)
    for layer in session.layers.all:
        session.layers.change_layer(layer.key, visible=layer.key in keys)
    session.layers.set_current_layer(keys[0])


def wait_for_answers(window, hand, *keys):
    why = window.session.get(WhyState)
    hand.qtbot.waitUntil(lambda: [answer.key for answer in why.answers] == list(keys))


def wait_for_counterfactuals(window, hand):
    hand.qtbot.waitUntil(lambda: not window.workbench.get(WhyActions).is_busy, timeout=30_000)


def test_a_click_in_why_mode_explains_every_drawn_method(window, hand):
    only(window, "lqf", "bte", "webterrain")
    hand.wait_for_methods()
    press(hand, Qt.Key.Key_W)
    assert window.session.selection.mode is Mode.WHY
    assert window.panel(WhyDock).isVisible()
    hand.click("nav a")
    wait_for_answers(window, hand, "lqf", "bte", "webterrain")
    first, second, blocks = window.session.get(WhyState).answers
    assert not first.is_kept
    assert "dropped" in first.sentence
    assert first.is_wrong is False
    assert first.why.f1 is not None
    assert first.why.turned_f1 < first.why.f1
    assert second.why is not None
    assert blocks.sentence
    assert any("its largest child covers" in step for step in blocks.steps)
    assert window.panel(WhyDock).answer_of("lqf").sentence.text() == first.sentence


def test_an_answer_agrees_with_the_result_at_the_clicked_word(window, hand):
    only(window, "accb")
    hand.wait_for_methods()
    press(hand, Qt.Key.Key_W)
    hand.click("nav a")
    wait_for_answers(window, hand, "accb")
    (answer,) = window.session.get(WhyState).answers
    is_kept = words_kept(window.session.layers.outcomes["accb"].result)
    assert answer.is_kept == bool(is_kept[answer.why.first])


@pytest.mark.slow
def test_a_second_answer_takes_less_than_a_fifth_of_a_second(window, hand):
    only(window, "accb", "bte", "lqf")
    hand.wait_for_methods()
    press(hand, Qt.Key.Key_W)
    hand.click("nav a")
    wait_for_answers(window, hand, "accb", "bte", "lqf")
    wait_for_counterfactuals(window, hand)
    before = window.session.get(WhyState).answers
    start = time.process_time()  # of this process only
    hand.click("h1")
    hand.qtbot.waitUntil(lambda: window.session.get(WhyState).answers is not before)
    assert time.process_time() - start < 0.2 * len(before)


@pytest.mark.slow
def test_page_and_answers_are_copied_as_a_picture_for_a_report(window, hand, qtbot):
    only(window, "lqf")
    hand.wait_for_methods()
    board = QGuiApplication.clipboard()
    board.clear()
    shift = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    press(hand, Qt.Key.Key_W, shift)
    assert "nothing to copy yet" in window.session.messages.message
    press(hand, Qt.Key.Key_W)
    hand.click("h1")
    wait_for_answers(window, hand, "lqf")
    wait_for_counterfactuals(window, hand)
    press(hand, Qt.Key.Key_W, shift)
    qtbot.waitUntil(lambda: not board.image().isNull(), timeout=60_000)
    image = board.image()
    view = window.workbench.canvas.view
    assert image.width() >= view.width()
    assert image.height() > view.height() + 60  # the text below it
    words = image.copy(0, view.height() + 4, image.width(), image.height() - view.height() - 4)
    shades = {words.pixelColor(x, y).lightness() for x in range(16, 300) for y in range(40)}
    assert min(shades) < 80
    assert max(shades) == 255
    page = {image.pixelColor(x, y).rgb() for x in range(0, 600, 5) for y in range(0, 300, 5)}
    assert len(page) > 20  # it is painted
    assert window.session.selection.highlight == NOTHING


def test_a_click_applies_a_counterfactual_and_a_key_reverts_it(window, hand):
    only(window, "lqf")
    hand.wait_for_methods()
    before = window.session.layers.layer("lqf").params
    press(hand, Qt.Key.Key_W)
    hand.click("nav a")
    wait_for_answers(window, hand, "lqf")
    wait_for_counterfactuals(window, hand)
    change = window.session.get(WhyState).counterfactuals["lqf"].counterfactual
    assert change is not None
    was = window.session.get(WhyState).answers[0].is_kept
    hand.qtbot.mouseClick(window.panel(WhyDock).answer_of("lqf").applied, LEFT)
    assert getattr(window.session.layers.layer("lqf").params, change.parameter) == change.after
    hand.qtbot.waitUntil(
        lambda: (
            bool(window.session.get(WhyState).answers)
            and window.session.get(WhyState).answers[0].is_kept is not was
        ),
    )
    hand.qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.AltModifier)
    assert window.session.layers.layer("lqf").params == before


@pytest.mark.slow
def test_walking_the_errors_explains_each(window, hand):
    show_errors(window, hand, "accb")
    press(hand, Qt.Key.Key_J)
    press(hand, Qt.Key.Key_W)
    hand.qtbot.waitUntil(lambda: bool(window.session.get(WhyState).answers))
    for _ in range(2):
        press(hand, Qt.Key.Key_J)
        error = window.session.get(ErrorWalk).current
        hand.qtbot.waitUntil(lambda e=error: window.session.get(WhyState).location.word == e.word)
        hand.qtbot.waitUntil(lambda: bool(window.session.get(WhyState).answers))
    wait_for_counterfactuals(window, hand)
    answer = window.session.get(WhyState).answers[0]
    assert answer.why.first <= error.word < answer.why.last
    assert answer.is_kept == (str(error.kind) == "superfluous")


@pytest.mark.slow
def test_answers_are_copied_as_text_with_page_method_parameters_and_checksum(window, hand):
    only(window, "bte")
    hand.wait_for_methods()
    press(hand, Qt.Key.Key_W)
    hand.click("h1")
    wait_for_answers(window, hand, "bte")
    press(hand, Qt.Key.Key_W, Qt.KeyboardModifier.ShiftModifier)
    text = QGuiApplication.clipboard().text()
    answer = window.session.get(WhyState).answers[0]
    for part in ("news", "BTE (bte)", "tag_cost=", "SHA-256", answer.sentence, answer.cost):
        assert part in text


@pytest.mark.slow
def test_hovering_an_answer_outlines_it_on_the_page_and_a_click_keeps_it(window, hand, qtbot):
    session = window.session
    only(window, "lqf", "webterrain")
    hand.wait_for_methods()
    press(hand, Qt.Key.Key_W)
    hand.click("nav a")
    wait_for_answers(window, hand, "lqf", "webterrain")
    lqf, terrain = session.get(WhyState).answers
    text, blocks = (
        window.panel(WhyDock).answer_of("lqf").location_texts[0],
        window.panel(WhyDock).answer_of("webterrain").location_texts[0],
    )
    assert session.selection.highlight == NOTHING
    enter(text)
    assert session.selection.highlight.texts == lqf.location.texts != ()
    assert session.selection.highlight.is_outlined
    leave(text)
    assert session.selection.highlight == NOTHING
    qtbot.mouseClick(window.panel(WhyDock).answer_of("webterrain").sentence, LEFT)
    leave(blocks)
    assert session.selection.highlight.rows == terrain.location.rows != ()
    text.setFocus()
    qtbot.keyClick(text, Qt.Key.Key_Return)
    assert session.selection.highlight.texts == lqf.location.texts
    lit = "CSS.highlights.has('light-of-pagelet')"
    qtbot.waitUntil(lambda: hand.ask(lit) is True)
    qtbot.keyClick(text, Qt.Key.Key_Return)
    assert session.selection.highlight == NOTHING
    qtbot.waitUntil(lambda: hand.ask(lit) is False)


@pytest.mark.slow
def test_each_step_of_an_answer_outlines_its_place(window, hand, qtbot):
    only(window, "webterrain")
    hand.wait_for_methods()
    press(hand, Qt.Key.Key_W)
    hand.click("nav a")
    wait_for_answers(window, hand, "webterrain")
    (answer,) = window.session.get(WhyState).answers
    assert len(answer.step_locations) == len(answer.steps) > 1
    assert "B³ pixels, level 2 is" in answer.cost
    assert answer.is_wrong in (True, False)
    wait_for_counterfactuals(window, hand)
    change = window.session.get(WhyState).counterfactuals["webterrain"].counterfactual
    text = window.panel(WhyDock).answer_of("webterrain").counterfactual.text()
    assert ("B³ pixels, level 2 of the page becomes" in text) == (change is not None)
    qtbot.mouseClick(window.panel(WhyDock).answer_of("webterrain").unfold, LEFT)
    words = window.panel(WhyDock).answer_of("webterrain").location_texts[1:]
    for each, position in zip(words, answer.step_locations, strict=True):
        enter(each)
        assert window.session.selection.highlight.rows == position.rows


def enter(widget) -> None:
    position = QPointF(5, 5)
    QApplication.sendEvent(widget, QEnterEvent(position, position, widget.mapToGlobal(position)))


def leave(widget) -> None:
    QApplication.sendEvent(widget, QEvent(QEvent.Type.Leave))


@pytest.mark.slow
@pytest.mark.parametrize("width", [1000, 1366])
def test_many_answers_with_their_steps_are_not_cut_off(window, hand, qtbot, width):
    keys = ("lqf", "webterrain", "vips", "block-fusion-rb", "page-segmenter", "cetr-km")
    window.resize(width, 700)
    only(window, *keys)
    hand.wait_for_methods()
    press(hand, Qt.Key.Key_W)
    hand.click("aside li a")
    qtbot.waitUntil(lambda: len(window.session.get(WhyState).answers) == len(keys), timeout=60_000)
    wait_for_counterfactuals(window, hand)
    for answer in window.session.get(WhyState).answers:
        if answer.steps:
            qtbot.mouseClick(window.panel(WhyDock).answer_of(answer.key).unfold, LEFT)
    qtbot.waitUntil(lambda: cut_off(window.panel(WhyDock)) == [], timeout=30_000)
