"""The Methods panel, by mouse and key."""

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, QSettings, Qt
from PySide6.QtWidgets import QSlider

from algorithms.core.attempt import Outcome, OutcomeStatus
from algorithms.core.catalogue import METHODS
from algorithms.measures.blocks import BlockScorer
from algorithms.results import Block, Segmentation
from annotate.marks.gold import Gold
from gui.features.layers.controller import move_layer
from gui.features.layers.details import DetailsDock
from gui.features.layers.layer_row import MIME, LayersHost, time_of
from gui.features.layers.panel import LayersDock
from gui.state.layers import GOLD_1, GOLD_LAYERS, GOLD_MAIN
from gui.widgets.theme import ThemeSwitch
from tests.gui.parts import (
    GOLD,
    HEADER,
    MAIN,
    MOVED,
    NODES,
    STORY,
    CallRecorder,
    blocks,
    cut_off,
    drop,
)

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def host():
    return CallRecorder(LayersHost)


@pytest.fixture
def dock(qtbot, session, host):
    made = LayersDock(session, host)
    qtbot.addWidget(made)
    made.resize(360, 900)
    made.show()
    qtbot.waitExposed(made)
    return made


def test_gold_comes_first_then_every_method(dock, session):
    assert dock.order() == [layer.key for layer in session.layers.all]
    assert dock.order()[:3] == ["gold-main", "gold-1", "gold-2"]
    assert dock.row("webterrain").name.text() == "WebTerrain"


@pytest.mark.parametrize("width", [0, 300, 360, 500])
def test_no_name_is_cut_off_at_any_width(qtbot, dock, session, width):
    for entry in METHODS:
        session.layers.add_method(entry.key)
    dock.resize(max(width, dock.minimumSizeHint().width()), 900)
    assert len(dock.order()) > 25
    qtbot.waitUntil(lambda: cut_off(dock.widget()) == [])


def test_a_click_on_the_eye_toggles_a_layer(qtbot, dock, host):
    qtbot.mouseClick(dock.row("vips").swatch, LEFT)
    assert host.calls == [("toggle_layer", "vips")]


def test_a_click_makes_a_layer_current_without_moving_any_row(qtbot, dock, session):
    row = dock.row("vips")
    before = [dock.row(key).geometry() for key in dock.order()]
    names = [dock.row(key).name.geometry() for key in dock.order()]
    qtbot.mouseMove(row, QPoint(120, 12))
    qtbot.mouseClick(row, LEFT, pos=QPoint(120, 12))
    assert session.layers.current_layer == "vips"
    assert [dock.row(key).geometry() for key in dock.order()] == before
    assert [dock.row(key).name.geometry() for key in dock.order()] == names
    qtbot.mouseMove(dock, QPoint(1, 1))
    qtbot.waitUntil(lambda: not row.underMouse())


def test_only_the_current_name_is_bold_in_both_themes(qtbot, qapp, tmp_path, dock, session):
    switch = ThemeSwitch(
        qapp, QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    )
    for key in ("vips", "accb"):
        qtbot.mouseClick(dock.row(key), LEFT, pos=QPoint(120, 12))
        switch.toggle()
        assert [k for k in dock.order() if dock.row(k).name.font().bold()] == [key]
        for other in (key, "bte", "vips", key):
            qtbot.mouseClick(dock.row(other), LEFT, pos=QPoint(120, 12))
            assert [k for k in dock.order() if dock.row(k).name.font().bold()] == [other]


def test_alt_click_draws_a_layer_alone(qtbot, dock, host, session):
    row = dock.row("vips")
    qtbot.mouseClick(row, LEFT, Qt.KeyboardModifier.AltModifier, QPoint(120, 12))
    assert host.calls == [("solo_layer", "vips")]
    assert session.layers.current_layer != "vips"


def test_space_toggles_a_layer_and_enter_makes_it_current(qtbot, dock, host, session):
    row = dock.row("vips")
    row.setFocus()
    qtbot.keyClick(row, Qt.Key.Key_Space)
    assert host.calls == [("toggle_layer", "vips")]
    qtbot.keyClick(row, Qt.Key.Key_Return)
    assert session.layers.current_layer == "vips"


def test_buttons_are_shown_on_the_focused_row(qtbot, dock, host):
    row = dock.row("vips")
    assert row.solo.isHidden()
    row.setFocus()
    qtbot.waitUntil(row.solo.isVisible)
    qtbot.mouseClick(row.solo, LEFT)
    assert host.calls == [("solo_layer", "vips")]


def test_a_slider_sets_the_opacity_and_buttons_set_the_level(qtbot, session):
    details = DetailsDock(session)
    qtbot.addWidget(details)
    details.show()
    session.layers.set_current_layer("vips")
    slider = details.style_part.opacity.findChild(QSlider)
    slider.setFocus()
    qtbot.keyClick(slider, Qt.Key.Key_Left)
    assert session.layers.layer("vips").opacity == pytest.approx(0.99)
    qtbot.mouseClick(details.style_part.level.button(2), LEFT)
    assert session.layers.layer("vips").level == 2
    session.layers.set_current_layer(GOLD_MAIN)
    assert details.style_part.level.isHidden()


def test_colour_and_line_picked_in_the_swatch_are_set_on_the_layer(dock, session):
    dock.row("vips").swatch.color_picked.emit("#123456")
    dock.row("vips").swatch.dash_picked.emit("dotted")
    assert (session.layers.layer("vips").color, session.layers.layer("vips").dash) == (
        "#123456",
        "dotted",
    )


def test_scores_are_shown_with_their_counts_in_a_tool_tip(dock, session):
    result = Segmentation(NODES, (Block((HEADER,), 1), Block((MAIN,), 1), Block((STORY,), 2)))
    gold = session.open.gold.as_segmentation(session.open.page)
    session.layers.set_outcome("webterrain", blocks(*result.blocks))
    session.layers.set_scores({"webterrain": BlockScorer().score(result, gold)})
    row = dock.row("webterrain")
    assert row.score.text() == "1.000"
    assert row.precision.text() == row.recall.text() == "1.0"
    assert "3 of 3" in row.score.toolTip()
    assert row.fact.text() == "12 ms"
    session.layers.set_scores({})
    assert row.score.text() == ""


def test_the_score_follows_the_drawn_level(dock, session):
    result = Segmentation(NODES, (Block((HEADER,), 1), Block((MAIN,), 1)))
    gold = session.open.gold.as_segmentation(session.open.page)
    session.layers.set_outcome("webterrain", blocks(*result.blocks))
    session.layers.set_scores({"webterrain": BlockScorer().score(result, gold)})
    row = dock.row("webterrain")
    assert row.score.text() == "0.800"  # 2 of 2 found, 2 of 3 marked
    session.layers.change_layer("webterrain", level=1)
    assert row.score.text() == "1.000"


def test_a_failed_method_shows_its_error_in_its_row(dock, session):
    session.layers.set_outcome(
        "bte", Outcome(OutcomeStatus.FAILED, error="this page has no original HTML")
    )
    row = dock.row("bte")
    assert row.note.isVisible()
    assert row.note.text() == "this page has no original HTML"
    assert row.note.property("tone") == "bad"


def test_rows_show_empty_results_and_running_methods(dock, session):
    session.layers.set_outcome("bte", Outcome(OutcomeStatus.EMPTY, seconds=0.001))
    assert "nothing" in dock.row("bte").note.text()
    session.layers.set_outcome("bte", Outcome(OutcomeStatus.RUNNING))
    assert dock.row("bte").busy.isVisible()
    assert not dock.row("bte").note.isVisible()


def test_gold_rows_count_their_marks_and_marks_to_confirm(dock, session):
    assert dock.row(GOLD_1).fact.text() == "2 marks"
    session.set_gold(Gold((*GOLD.marks, MOVED)))
    assert "1 to be confirmed" in dock.row("gold-2").note.text()
    session.set_gold(Gold())
    assert dock.row(GOLD_1).fact.text() == "none yet"


def test_a_note_is_shown_in_full_height_after_methods_are_reordered(qtbot, dock, session):
    row = dock.row("bte")
    move_layer(session, "vips", 0)
    qtbot.waitUntil(lambda: dock.row("vips").y() < row.y(), timeout=20_000)
    before = row.height()
    session.layers.set_outcome("bte", Outcome(OutcomeStatus.FAILED, error="this page has no HTML"))
    qtbot.waitUntil(lambda: row.height() > before, timeout=20_000)
    assert row.note.geometry().height() >= row.note.heightForWidth(row.note.width())


def test_the_header_counts_the_drawn_layers(dock, session):
    drawn = sum(layer.visible for layer in session.layers.all)
    assert dock.remark() == f"{drawn} of {len(session.layers.all)} drawn"
    session.layers.set_solo("vips")
    assert dock.remark() == "only one is drawn"
    session.layers.set_gold_only(True)
    assert dock.remark() == "only gold is drawn"


def test_a_removed_method_is_added_again_by_typing_its_name(qtbot, dock, session):
    session.layers.remove_layer("bte")
    assert "bte" not in dock.order()
    qtbot.mouseClick(dock.add_button, LEFT)
    assert dock.methods.isVisible()
    qtbot.keyClicks(dock.methods.line, "bte")
    qtbot.keyClick(dock.methods.line, Qt.Key.Key_Return)
    assert dock.order().index("bte") < dock.order().index("webterrain")
    assert session.layers.layer("bte").visible


def test_the_list_reports_that_no_method_matches_the_typed_words(qtbot, dock):
    qtbot.mouseClick(dock.add_button, LEFT)
    qtbot.keyClicks(dock.methods.line, "zeppelin")
    assert dock.methods.nothing.isVisible()
    qtbot.keyClick(dock.methods.line, Qt.Key.Key_Backspace)
    for _ in "zeppeli":
        qtbot.keyClick(dock.methods.line, Qt.Key.Key_Backspace)
    assert not dock.methods.nothing.isVisible()


def test_methods_can_be_reordered_but_never_above_gold(dock, session):
    move_layer(session, "vips", 0)
    assert dock.order()[:4] == ["gold-main", "gold-1", "gold-2", "vips"]


def test_a_dropped_row_moves_to_the_drop_position(dock):
    data = QMimeData()
    data.setData(MIME, b"vips")
    rows = dock.row("vips").parentWidget()
    first = dock.row(dock.order()[3]).geometry()
    drop(rows, data, QPointF(50, first.top() + 1))
    assert dock.order()[3] == "vips"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.00042, "0.4 ms"), (0.0093, "9.3 ms"), (0.012, "12 ms"), (0.999, "999 ms"), (2.5, "2.5 s")],
)
def test_times_have_at_most_three_digits_and_a_unit(seconds, words):
    assert time_of(seconds) == words


def test_a_hidden_layer_is_drawn_while_it_is_current(qtbot, dock, session):
    hidden = [layer.key for layer in session.layers.all if not layer.visible]
    first, second = hidden[:2]
    before = session.layers.all
    qtbot.mouseClick(dock.row(first).name, Qt.MouseButton.LeftButton)
    assert session.layers.is_drawn(session.layers.layer(first))
    qtbot.mouseClick(dock.row(second).name, Qt.MouseButton.LeftButton)
    assert not session.layers.is_drawn(session.layers.layer(first))
    assert session.layers.is_drawn(session.layers.layer(second))
    assert session.layers.all == before


def test_scores_are_hidden_while_only_gold_is_drawn(dock, session):
    result = blocks(Block((HEADER,), 1), Block((STORY,), 2))
    session.layers.set_outcome("vips", result)
    gold = Segmentation(NODES, (Block((HEADER,), 1), Block((MAIN,), 1), Block((STORY,), 2)))
    session.layers.set_scores({"vips": BlockScorer().score(result.result, gold)})
    row = dock.row("vips")
    assert row.score.text()
    session.layers.set_gold_only(True)
    assert (row.score.text(), row.precision.text(), row.recall.text()) == ("", "", "")
    session.layers.set_gold_only(False)
    assert row.score.text()


def test_a_method_added_while_only_gold_is_drawn_stays_hidden(dock, session):
    session.layers.remove_layer("bte")
    session.layers.set_gold_only(True)
    session.layers.add_method("bte")
    assert session.layers.is_gold_only
    assert not session.layers.is_drawn(session.layers.layer("bte"))
    assert "Shift+G" in session.messages.message


def test_an_added_method_follows_the_last_of_its_kind(dock, session):
    session.layers.set_layers(
        tuple(x for x in session.layers.all if x.is_gold or x.key in ("bte", "vips"))
    )
    session.layers.add_method("plain")
    session.layers.add_method("terrain")
    methods = [key for key in dock.order() if key not in GOLD_LAYERS]
    assert methods == ["bte", "plain", "vips", "terrain"]
    session.layers.set_layers(tuple(x for x in session.layers.all if x.is_gold or x.key == "vips"))
    session.layers.add_method("plain")
    assert [key for key in dock.order() if key not in GOLD_LAYERS] == ["plain", "vips"]
