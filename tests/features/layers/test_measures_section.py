"""All measures of a layer: computed when unfolded, each with its definition."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtWidgets import QScrollArea

from algorithms.core.attempt import GoldResults, Outcome, OutcomeStatus
from algorithms.measures.all_measures import BLOCK_MEASURES, MEASURES
from algorithms.measures.block_comparison import BlockComparison
from algorithms.measures.choice import measure_of
from algorithms.measures.measure import Family, Need, ShownIn
from algorithms.measures.regions import NO_BLOCK, UNTYPED
from algorithms.results import Block, Extraction, Segmentation
from annotate.marks.edits import remove
from annotate.marks.gold import Gold, Mark, Target
from engine.page import Page
from gui.features.layers.confusion import ConfusionTable
from gui.features.layers.details import DetailsDock
from gui.features.layers.measured import explain_score, in_words, measure_all
from resources import path
from tests.gui.parts import GOLD, HEADER, MAIN, NODES, STORY, session_on_page
from tests.tables import page_of_html

FOUND_BLOCKS = Segmentation(
    NODES, (Block((HEADER,), 1, "Header"), Block((MAIN,), 1, "Menu"), Block((STORY,), 2))
)


def scored(session, key, result):
    """Set the result of a layer and the scores that the runner would compute."""
    session.layers.set_outcome(key, Outcome(OutcomeStatus.OK, result, 0.01))
    gold = GoldResults(
        session.open.gold.as_extraction(session.open.page)
        if isinstance(result, Extraction)
        else None,
        session.open.gold.as_segmentation(session.open.page),
    )
    session.layers.set_scores({**session.layers.scores, key: gold.score(result)})


@pytest.fixture
def dock(qtbot):
    session = session_on_page()
    session.layers.set_current_layer("webterrain")
    made = DetailsDock(session)
    qtbot.addWidget(made)
    made.resize(360, 700)
    made.show()
    scored(session, "webterrain", FOUND_BLOCKS)
    made.session = session
    return made


def unfold(qtbot, dock):
    qtbot.mouseClick(dock.measures.switch, Qt.MouseButton.LeftButton)
    settle(qtbot, dock)


def settle(qtbot, dock):
    qtbot.waitUntil(lambda: dock.measures.is_current)


def test_the_panel_shows_every_measure_that_applies_to_one_page_with_gold():
    for measure in MEASURES:
        is_shown = measure.is_shown(ShownIn.PANEL) or measure.is_shown(ShownIn.COUNTED)
        is_f1_of_one_page = measure.is_pooled and measure.kind == "blocks"  # then F* is F1
        # Users do not mark phrases, and the panel is about gold.
        is_unmarked = Need.SNIPPETS in measure.needs or measure.family is Family.UNMARKED
        assert is_shown != (is_f1_of_one_page or is_unmarked), measure.key


def test_measures_are_computed_only_when_unfolded(qtbot, dock):
    assert not dock.measures.is_open
    assert dock.measures.table.findChildren(type(dock.measures.switch)) == []
    unfold(qtbot, dock)
    pair = BlockComparison(FOUND_BLOCKS, GOLD.as_segmentation(dock.session.open.page))
    known = {measure.key: measure for measure in BLOCK_MEASURES}
    for key in ("b3-pixels", "b3-nodes", "iou-50", "b3-chars"):
        score = known[key].score(pair)
        expected = tuple(f"{x:.3f}" for x in (score.precision, score.recall, score.value))
        assert dock.measures.table.values(key) == expected
    assert dock.measures.table.values("right") == ("", "", "3")
    assert dock.measures.table.values("b3-pixels-max")[:2] == ("", "")


def test_a_click_on_a_measure_shows_its_definition_and_a_second_hides_it(qtbot, dock):
    unfold(qtbot, dock)
    table = dock.measures.table
    assert table.note == ""
    qtbot.mouseClick(table.name("ari-words"), Qt.MouseButton.LeftButton)
    assert measure_of("ari-words").formula in table.note
    assert "L. Hubert" in table.note
    qtbot.mouseClick(table.name("iou-75"), Qt.MouseButton.LeftButton)
    assert "Hubert" not in table.note
    assert "IoU of .75 or more" in table.note
    qtbot.mouseClick(table.name("iou-75"), Qt.MouseButton.LeftButton)
    assert table.note == ""


def test_keys_unfold_the_measures_and_show_a_definition(qtbot, dock):
    dock.measures.switch.setFocus()
    qtbot.keyClick(dock.measures.switch, Qt.Key.Key_Return)
    settle(qtbot, dock)
    assert dock.measures.is_open
    name = dock.measures.table.name("b3-nodes")
    name.setFocus()
    qtbot.keyClick(name, Qt.Key.Key_Space)
    assert measure_of("b3-nodes").formula in dock.measures.table.note


def test_unfolding_by_key_scrolls_the_measures_into_view(qtbot, dock):
    dock.resize(360, 300)
    dock.toggle_measures()
    settle(qtbot, dock)
    nodes = dock.measures.table.name("b3-nodes")
    qtbot.waitUntil(lambda: not nodes.visibleRegion().isEmpty())


def test_tab_stops_once_per_row(qtbot, dock):
    unfold(qtbot, dock)
    stops = [
        label for label in dock.measures.table.findChildren(type(dock.measures.switch))
        if label.focusPolicy() != Qt.FocusPolicy.NoFocus
    ]  # fmt: skip
    assert len(stops) == sum(m.is_shown(ShownIn.PANEL) and m.level == "all" for m in BLOCK_MEASURES)


def test_measures_follow_the_marks_and_the_drawn_level(qtbot, dock):
    unfold(qtbot, dock)
    session = dock.session
    session.layers.change_layer("webterrain", level=2)
    settle(qtbot, dock)
    assert dock.measures.table.values("right-2") == ("", "", "1")
    session.layers.change_layer("webterrain", level=0)
    session.set_gold(remove(session.open.gold, ["head"]))
    scored(session, "webterrain", FOUND_BLOCKS)
    settle(qtbot, dock)
    assert dock.measures.table.values("right") == ("", "", "2")
    assert dock.measures.table.values("false") == ("", "", "1")


def test_measures_of_edges_have_no_value_and_explain_why(qtbot, dock):
    unfold(qtbot, dock)
    assert dock.measures.table.values("b3-edges-fine") == ("", "", "–")
    qtbot.mouseClick(dock.measures.table.name("b3-edges-fine"), Qt.MouseButton.LeftButton)
    assert "needs the edges in a picture of the page" in dock.measures.table.note


def test_a_layer_without_scores_has_no_measures(qtbot, dock):
    unfold(qtbot, dock)
    dock.session.layers.set_current_layer("gold-1")
    assert dock.measures.isHidden()
    dock.session.layers.set_current_layer("webterrain")
    assert not dock.measures.isHidden()
    settle(qtbot, dock)
    assert dock.measures.table.values("right") == ("", "", "3")


def test_the_measures_key_reports_that_scores_are_missing(dock):
    dock.session.layers.set_current_layer("vips")
    dock.toggle_measures()
    assert dock.session.messages.message == "Scores appear when the method has run."
    dock.session.layers.set_current_layer("webterrain")
    dock.toggle_measures()
    assert dock.measures.is_open


def test_types_are_cross_tabulated_and_each_cell_has_a_sentence(qtbot, dock):
    unfold(qtbot, dock)
    types = dock.measures.types
    assert types.rows == ("Article", "Content", "Header")
    assert types.columns == ("Header", "Menu", UNTYPED)
    assert types.say("Content", "Menu") == "1 block marked Content and found as Menu"
    assert "1 block marked Article and found as no type" in types.accessibleDescription()
    width = types.width()
    position = next(
        cell
        for x in range(width)
        for cell in [types.cell_at(QPointF(x, types.height() - 8))]
        if cell
    )
    assert position == ("Header", "Header")


def test_untyped_and_missing_blocks_are_listed_last(qtbot):
    table = ConfusionTable()
    qtbot.addWidget(table)
    table.show_counts({
        (NO_BLOCK, "Ad"): 2, ("Menu", NO_BLOCK): 1, ("Menu", "Menu"): 3, ("", UNTYPED): 1,
    })  # fmt: skip
    assert table.rows == ("", "Menu", NO_BLOCK)
    assert table.columns == ("Menu", "Ad", UNTYPED, NO_BLOCK)
    assert table.say(NO_BLOCK, "Ad") == "2 blocks found as Ad where nothing is marked"
    assert table.say("Menu", NO_BLOCK) == "1 block marked Menu and not found"
    assert table.cell_at(QPointF(QPoint(0, 0))) is None


def test_results_of_text_have_measures_of_text():
    page = page_of_html("<html><body><p>the cat sat on the mat</p></body></html>")
    assert measure_all(Page("/x"), Gold(), Extraction(page.dom, ()), 0) is None
    row = next(r for r in range(len(page.nodes)) if page.nodes.text[r])
    gold = Gold((Mark("m", 0, (Target(row),)),))
    words = gold.as_extraction(page)
    measured = measure_all(page, gold, words, 0)
    lines = {line.key: in_words(line) for _, rows in measured.groups for line in rows}
    assert lines.items() >= {
        "cetr": "1.000", "shingles": "1.000", "rouge-lsum": "1.000", "cleaneval": "1.000",
        "identical": "1.000",
    }.items()  # fmt: skip
    assert not lines.keys() & {"cs", "ws", "bow", "sow"}
    assert not measured.types


@pytest.mark.web
@pytest.mark.slow
def test_one_key_unfolds_and_folds_the_measures_of_a_real_page(window, qtbot):
    workbench, session = window.workbench, window.session
    with qtbot.waitSignal(session.open.page_changed, timeout=20_000):
        workbench.navigation.open_path(str(path("corpus")))
    qtbot.waitUntil(lambda: not workbench.runner.is_running, timeout=20_000)
    session.layers.set_current_layer("webterrain")
    measures, page = window.panel(DetailsDock).measures, workbench.canvas.view.focusProxy()
    qtbot.keyClick(page, Qt.Key.Key_M, Qt.KeyboardModifier.ControlModifier)
    assert measures.is_open
    qtbot.waitUntil(lambda: measures.is_current)
    shown = [float(text) for text in measures.table.values("b3-nodes")]
    assert all(0 < value < 1 for value in shown)
    assert measures.types.rows
    qtbot.keyClick(page, Qt.Key.Key_M, Qt.KeyboardModifier.ControlModifier)
    assert not measures.is_open


@pytest.mark.parametrize("letters", [44, 60])
def test_the_measures_fit_the_width_of_the_panel(qtbot, dock, letters):
    area = dock.findChild(QScrollArea)
    dock.resize(letters * dock.fontMetrics().averageCharWidth(), 700)
    unfold(qtbot, dock)
    qtbot.mouseClick(dock.measures.table.name("false"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() > 0)  # laid out again
    assert area.widget().width() <= area.viewport().width()


def test_blocks_marked_on_another_variant_have_no_score_of_location_and_a_reason(dock):
    page, why = dock.session.open.page, "they were marked elsewhere"
    texts = tuple((FOUND_BLOCKS.text_of(block), block.level) for block in FOUND_BLOCKS.blocks)
    gold = replace(GOLD, block_texts=texts, why_no_location=why)
    measured = measure_all(page, gold, FOUND_BLOCKS, 0)
    lines = {line.key: line for _, of_family in measured.groups for line in of_family}
    assert (lines["b3-pixels"].score.value, lines["b3-pixels"].why_none) == (None, why)
    assert explain_score(lines["b3-pixels"]).endswith(f"No value here: {why}.")
    assert measured.why_none == f"Some measures have no value here: {why}."
    assert measured.types == {}
