"""The rounds of VIPS, stage by stage: in the panel, by key, and on the page."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QScrollArea

from algorithms.core.attempt import Outcome, OutcomeStatus
from algorithms.results import Block, Part, Round, Segmentation, Separator
from gui.features.layers.details import DetailsDock
from gui.features.layers.rounds import COHERENCE
from gui.state.layers import method_layer, to_records
from gui.state.round_steps import Stage, separator_fill, step_at, steps_of
from tests.gui.parts import HEADER, MAIN, NODES, STORY, TITLE, press, session_on_page

FIRST = Round(
    (Part((1,), "DoC 1", "the page"),),
    (Part((HEADER,), "DoC 7", "nothing large in it (DoC 7)"), Part((MAIN,), "DoC 3", "wide")),
    (Separator((0, 80, 1000, 0), 4, "0 px between (+0)"),),
    (),
)
SECOND = Round(
    (Part((MAIN,), "DoC 3", "wide"),),
    (Part((TITLE,), "DoC 9", "a text"), Part((STORY,), "DoC 10", "a text")),
    (Separator((0, 118, 1000, 4), 2, "4 px between (+1)"),),
    (Part((TITLE, STORY), "DoC 9", "merged over light separators"),),
)
RESULT = Segmentation(NODES, (Block((HEADER,), 1), Block((MAIN,), 1)), (FIRST, SECOND))


@pytest.fixture
def session():
    made = session_on_page()
    made.layers.set_current_layer("vips")
    made.layers.set_outcome("vips", Outcome(OutcomeStatus.OK, RESULT, 0.01))
    return made


@pytest.fixture
def dock(qtbot, session):
    made = DetailsDock(session)
    qtbot.addWidget(made)
    made.resize(360, 700)
    made.show()
    return made


def click(qtbot, button):
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_empty_stages_are_left_out():
    assert [(step.number, step.stage) for step in steps_of(RESULT.rounds)] == [
        (1, Stage.BLOCKS), (1, Stage.SEPARATORS),
        (2, Stage.BLOCKS), (2, Stage.SEPARATORS), (2, Stage.MERGED),
    ]  # fmt: skip
    assert step_at(RESULT.rounds, 0) is None
    assert step_at(RESULT.rounds, 99).stage is Stage.MERGED
    assert step_at((), 3) is None


def test_heavier_separators_are_darker():
    fills = [separator_fill(weight) for weight in range(1, 11)]
    assert fills == sorted(fills)
    assert 0 < fills[0] < fills[-1] <= 1


def test_clicks_step_through_all_stages_and_back(qtbot, dock):
    rounds = dock.rounds
    assert rounds.bar.status.text() == "the result"
    assert not rounds.bar.previous.isEnabled()
    seen = []
    for _ in range(5):
        click(qtbot, rounds.bar.next)
        seen.append(rounds.bar.status.text())
    assert seen == [
        "round 1 of 2: blocks", "round 1 of 2: separators",
        "round 2 of 2: blocks", "round 2 of 2: separators", "round 2 of 2: merged",
    ]  # fmt: skip
    assert not rounds.bar.next.isEnabled()
    for _ in range(5):
        click(qtbot, rounds.bar.previous)
    assert rounds.bar.status.text() == "the result"


def test_each_stage_is_described_in_words(qtbot, dock):
    click(qtbot, dock.rounds.bar.next)
    lines = dock.rounds.lines()
    assert "1 block divided" in lines
    assert "2 blocks found in it" in lines
    assert COHERENCE in lines
    assert "nothing large in it" in lines  # the DoC is shown beside it
    click(qtbot, dock.rounds.bar.next)
    lines = dock.rounds.lines()
    assert "1 separator, the heavier the darker" in lines
    assert "0 px between (+0)" in lines


def test_each_step_emits_its_row_of_the_page(qtbot, dock):
    rows = []
    dock.rounds.reached.connect(rows.append)
    for _ in range(3):
        click(qtbot, dock.rounds.bar.next)
    assert rows == [1, 1, MAIN]


def test_other_methods_have_no_rounds(dock, session):
    assert not dock.rounds.isHidden()
    session.layers.set_current_layer("webterrain")
    assert dock.rounds.isHidden()
    dock.step(1)
    assert (
        session.messages.message == "WebTerrain has no rounds to show; choose VIPS in the layers."
    )


def test_a_step_beyond_the_last_round_shows_the_last(dock, session):
    session.layers.change_layer("vips", step=5)
    session.layers.set_outcome(
        "vips", Outcome(OutcomeStatus.OK, Segmentation(NODES, (), (FIRST,)), 0.01)
    )
    assert dock.rounds.bar.status.text() == "round 1 of 1: separators"


def test_stepping_scrolls_the_description_into_view(qtbot, dock):
    area = dock.findChild(QScrollArea)
    dock.resize(360, 260)
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() > 0)
    dock.step(1)
    line = dock.rounds.findChildren(QLabel)[-1]
    qtbot.waitUntil(lambda: bool(line.visibleRegion().boundingRect().height()))
    assert dock.rounds.bar.status.visibleRegion().boundingRect().height()


def test_the_step_is_not_stored_in_the_workspace():
    assert "step" not in to_records((method_layer("vips"),))[0]


PAGE = """<body style="margin:0">
<div id=head style="height:100px;background:#eee">A headline over the whole page</div>
<div id=left style="float:left;width:300px;height:700px;margin-top:40px">one <p>text</p></div>
<div id=right style="float:right;width:500px;height:700px;margin-top:40px"><p>a story</p>
<p>and more of it</p></div>"""


@pytest.mark.slow
@pytest.mark.web
def test_keys_step_through_the_stages_drawn_on_the_page(window, qtbot, tmp_path):
    file = tmp_path / "page.html"
    file.write_text(f"<!doctype html><meta charset=utf-8>{PAGE}", encoding="utf-8")
    workbench, session = window.workbench, window.session
    with qtbot.waitSignal(session.open.page_changed, timeout=20_000):
        workbench.navigation.open_path(str(file))
    qtbot.waitUntil(lambda: not workbench.runner.is_running, timeout=20_000)
    for layer in session.layers.all:
        session.layers.change_layer(layer.key, visible=layer.key == "vips")
    session.layers.set_current_layer("vips")
    drawn = []
    workbench.canvas.draw = drawn.append
    position, box = window.panel(DetailsDock).rounds.bar.status, workbench.canvas.view.focusProxy()

    class _Hand:  # the attributes that `press` uses
        target = box

    _Hand.qtbot = qtbot

    def on_page():
        boxes = drawn[-1][0]["boxes"] if drawn else []
        return [each for each in boxes if isinstance(each["pieces"][0], list)]

    press(_Hand, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    assert position.text().endswith("blocks")
    qtbot.waitUntil(lambda: bool(drawn))
    assert not on_page()
    press(_Hand, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    assert position.text().endswith("separators")
    qtbot.waitUntil(lambda: bool(on_page()))
    # The strip between headline and columns: 40 px high, as wide as the page, with its weight.
    strips = {tuple(each["pieces"][0][1:]): each["label"] for each in on_page()}
    ((across, weight),) = [
        (strip, label) for strip, label in strips.items() if strip[2] > strip[3] and strip[1] == 100
    ]
    assert across[3] == 40
    assert int(weight) >= 4
    press(_Hand, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert position.text().endswith("blocks")


@pytest.mark.web
def test_a_separator_is_drawn_at_its_position(hand):
    hand.open(PAGE)
    for layer in hand.session.layers.all:
        hand.session.layers.change_layer(layer.key, visible=layer.key == "vips", step=2)
    hand.qtbot.waitUntil(lambda: not hand.workbench.drawing.timer.isActive())
    view = hand.workbench.canvas.view
    x, y = round(600 * view.zoomFactor()), round(120 * view.zoomFactor())  # between the two rows

    def is_pink():
        color = view.grab().toImage().pixelColor(x, y)
        return color.red() > color.green() + 30

    hand.qtbot.waitUntil(is_pink)
    hand.session.layers.change_layer("vips", step=0)
    hand.qtbot.waitUntil(lambda: not is_pink())
