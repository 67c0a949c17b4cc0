"""The Evaluate view in the window, by mouse and key, with really computed scores."""

import csv
import io

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from algorithms.core.batch import RunStatus
from annotate.evaluation.tables.axes import ListedPage
from annotate.marks import gold_file
from annotate.marks.gold import Gold
from gui.features.evaluate.arrangement import DELTA
from gui.features.evaluate.filtering import ComparedPair, Sort
from gui.features.evaluate.gold_lookup import GoldLookup
from gui.features.evaluate.headers import HeaderLines
from gui.features.evaluate.view import EvaluateView
from gui.state.selection import Mode
from tests.features.evaluate.desk import (
    ALT,
    BTE,
    CONTROL,
    DSC,
    LEFT,
    LQF,
    PLAIN,
    WEBTERRAIN,
    make_desk,
)
from tests.features.evaluate.scored import (
    COLUMNS,
    METHODS,
    STORIES,
    column,
    failed,
    file_of,
    key_of,
    marked,
    rows,
)
from tests.gui.parts import make_window
from tests.hand import Hand

pytestmark = pytest.mark.web


@pytest.fixture
def window(new_window):
    """Return a new window: each test creates the view, which stays."""
    return new_window


@pytest.fixture
def desk(window, qtbot, tmp_path):
    return make_desk(window, qtbot, tmp_path / "pages")


@pytest.fixture(scope="module")
def one_desk(request, qapp, tmp_path_factory):
    folder = tmp_path_factory.mktemp("table")
    window, qtbot = make_window(folder), QtBot(request)
    window.resize(1300, 850)
    qtbot.waitExposed(window)
    yield make_desk(window, qtbot, folder / "pages")
    window.close_down()
    window.close()
    window.deleteLater()


@pytest.fixture
def shared(one_desk):
    """Reset and return the desk of tests that neither leave the table nor change marks."""
    desk = one_desk
    desk.window.activateWindow()
    desk.bar.clear()
    desk.grid.compare(None)
    desk.grid._sort(Sort())
    for kind, key in (("extraction", "ws"), ("segmentation", "fuzzy")):
        desk.table._show_measure(kind, key)
    desk.fill()
    desk.grid.clearSelection()
    desk.grid.setCurrentIndex(desk.model.index(0, 0))
    desk.grid.setFocus()
    desk.session.messages.say("")
    assert desk.table.isVisible()
    assert desk.listed() == sorted(STORIES)
    assert desk.grid.heads.picked is None
    yield desk
    desk.table.inspection.end()  # it may just begin to draw the page of the current cell


def by_score(key, name="ws"):
    def score(page):
        return float(next(r.score.value for r in rows(page)
                          if r.run.method == key and r.measure == name))  # fmt: skip

    return score


# contents ---------------------------------------------------------------------------------
def test_the_empty_view_offers_the_sample_pages_and_a_click_opens_them(window, qtbot):
    window.workbench.canvas.view.setFocus()
    qtbot.keyClick(window, Qt.Key.Key_F8)
    table = window.main_area.get(EvaluateView)
    assert table.placeholder.words[0] == "No pages to evaluate"
    qtbot.mouseClick(table.placeholder.button("Open the sample pages"), LEFT)
    qtbot.waitUntil(lambda: table.placeholder.words[0].startswith("Evaluate 10 methods on"))
    qtbot.waitUntil(lambda: table.placeholder.button("Run").hasFocus(), timeout=20_000)
    assert table.isVisible()
    assert not table.grid.isVisible()
    qtbot.waitUntil(lambda: window.session.open.page is not None, timeout=20_000)
    assert window.main_area.stack.currentWidget() is table  # the page does not replace it
    assert window.session.open.page.notes == ()  # and is measured as if it were visible


@pytest.mark.slow
def test_the_view_reports_missing_gold_and_a_click_opens_the_page_to_mark(window, qtbot, tmp_path):
    hand = Hand(window.workbench, qtbot, tmp_path)
    hand.open("<p>nobody has marked me")
    qtbot.keyClick(window, Qt.Key.Key_F8)
    placeholder = window.main_area.get(EvaluateView).placeholder
    qtbot.waitUntil(lambda: placeholder.words[0] == "None of these pages has gold yet")
    run_bar = window.main_area.get(EvaluateView).run_bar
    assert not run_bar.run.isVisible()
    assert not run_bar.methods.isVisible()  # methods cannot be chosen without gold
    qtbot.mouseClick(placeholder.button("Mark this page"), LEFT)
    assert window.main_area.stack.currentWidget() is window.workbench.canvas
    hand.workbench.session.selection.set_mode(Mode.MAIN)
    hand.click("p")
    qtbot.waitUntil(lambda: bool(window.session.open.gold.marks))
    qtbot.keyClick(window, Qt.Key.Key_F8)
    qtbot.waitUntil(lambda: placeholder.words[0].startswith("Evaluate"))
    assert placeholder.button("Run").hasFocus()


def test_running_all_again_starts_nothing_without_gold(window, qtbot, tmp_path):
    hand = Hand(window.workbench, qtbot, tmp_path)
    hand.open("<p>nobody has marked me")
    qtbot.keyClick(window, Qt.Key.Key_F8)
    table = window.main_area.get(EvaluateView)
    qtbot.waitUntil(lambda: table.placeholder.words[0] == "None of these pages has gold yet")
    starts = []
    table.running.progressed.connect(starts.append)
    window.actions_["evaluate-all"].trigger()
    qtbot.waitUntil(lambda: not table.running.is_running, timeout=20_000)
    assert not starts
    assert table.placeholder.words[0] == "None of these pages has gold yet"


def test_a_view_first_opened_after_marking_counts_the_gold(window, qtbot, tmp_path):
    hand = Hand(window.workbench, qtbot, tmp_path)
    with qtbot.waitSignal(window.workbench.get(GoldLookup).found, timeout=20_000):
        hand.open("<p>nobody has marked me")
    hand.workbench.session.selection.set_mode(Mode.MAIN)
    hand.click("p")
    qtbot.waitUntil(lambda: bool(window.session.open.gold.marks))
    assert not window.findChildren(EvaluateView)
    qtbot.keyClick(window, Qt.Key.Key_F8)
    table = window.main_area.get(EvaluateView)
    assert table.placeholder.words[0].startswith("Evaluate")  # and not that there is no gold
    assert window.findChildren(EvaluateView) == [table]


def test_the_item_model_passes_the_model_tester_at_every_step(shared):
    QAbstractItemModelTester(shared.model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    shared.fill()
    shared.click_head(BTE)
    shared.grid.compare(ComparedPair(BTE, DSC))
    shared.bar.low.setValue(0.2)
    shared.bar.clear()
    shared.grid.compare(None)


def test_cells_and_headings_have_a_text_for_screen_readers(shared):
    assert shared.grid.isVisible()
    role = Qt.ItemDataRole.AccessibleTextRole
    assert shared.model.index(0, 0).data(role).startswith("Plain on comet.html, WS 0.")
    assert shared.model.headerData(0, Qt.Orientation.Horizontal, role).startswith("Plain, mean 0.")


@pytest.mark.slow
def test_methods_without_gold_of_their_kind_are_neither_shown_nor_offered(desk, tmp_path):
    other = tmp_path / "blocks"
    other.mkdir()
    page, gold = marked("owl.html")
    (other / "owl.html").write_bytes(file_of("owl.html"))
    blocks = Gold(tuple(mark for mark in gold.marks if mark.level))
    gold_file.write(gold_file.gold_path(other / "owl.html"), page, blocks)
    desk.window.workbench.navigation.open_path(str(other))
    words = "Evaluate 1 method on 1 page"  # WebTerrain's
    desk.qtbot.waitUntil(lambda: desk.table.placeholder.words[0] == words)
    desk.fill()
    assert desk.shown.columns == (WEBTERRAIN,)
    assert not desk.table.run_bar.kinds.button("extraction").isEnabled()
    button, chosen = desk.table.run_bar.methods, len(desk.shown.chosen)
    assert button.text().startswith(f"1 of {chosen} methods")
    assert "no gold of their kind" in button.toolTip()


# sorting -----------------------------------------------------------------------------------
def test_clicks_on_a_method_sort_worst_first_then_best_first_then_as_listed(shared):
    pages = shared.listed()
    shared.click_head(PLAIN)
    assert shared.listed() == sorted(pages, key=by_score("plain"))
    shared.click_head(PLAIN)
    assert shared.listed() == sorted(pages, key=by_score("plain"), reverse=True)
    shared.click_head(PLAIN)
    assert shared.listed() == pages


def test_a_key_sorts_by_the_current_column_and_keeps_the_current_page(shared):
    shared.grid.setCurrentIndex(shared.model.index(2, LQF))
    page = shared.listed()[2]
    shared.press(Qt.Key.Key_S, ALT)
    assert shared.shown.sort_by == Sort(COLUMNS[LQF])
    assert shared.listed() == sorted(sorted(STORIES), key=by_score("lqf"))
    assert shared.listed()[shared.grid.currentIndex().row()] == page


def test_the_worst_pages_are_in_view_after_sorting(shared):
    grid = shared.grid
    grid.setMaximumHeight(grid.heads.height() + 2 * grid.rowHeight(0))
    shared.qtbot.waitUntil(lambda: grid.verticalScrollBar().maximum() > 0)
    grid.setCurrentIndex(shared.model.index(4, PLAIN))
    assert grid.verticalScrollBar().value() > 0
    shared.press(Qt.Key.Key_S, ALT)
    assert grid.rowAt(4) == 0
    shared.click_head(PLAIN)
    assert grid.rowAt(4) == 0
    grid.setMaximumHeight(16_777_215)


def test_a_click_on_the_corner_sorts_by_title(shared):
    qtbot, corner = shared.qtbot, shared.grid.corner
    qtbot.mouseClick(corner, LEFT, pos=QPoint(20, HeaderLines(corner).band + 10))
    qtbot.mouseClick(corner, LEFT, pos=QPoint(20, HeaderLines(corner).band + 10))
    assert shared.listed() == sorted(STORIES, reverse=True)


# filtering -----------------------------------------------------------------------------------
def test_typing_filters_the_pages_and_one_click_lists_all_again(shared):
    shared.press(Qt.Key.Key_F, CONTROL)
    shared.qtbot.keyClicks(QApplication.focusWidget(), "owl")
    assert shared.listed() == ["owl.html"]
    shared.qtbot.mouseClick(shared.bar.all, LEFT)
    assert len(shared.listed()) == len(STORIES)
    assert not shared.bar.all.isVisible()


def test_a_score_range_of_a_method_filters_the_list_and_its_mean(shared):
    shared.qtbot.mouseClick(shared.bar.more, LEFT)
    shared.qtbot.waitUntil(shared.bar.of.isVisible)
    shared.qtbot.keyClicks(shared.bar.of, "D")  # DSC
    shared.bar.low.selectAll()
    shared.qtbot.keyClicks(shared.bar.low, "0.5")
    shared.qtbot.keyClick(shared.bar.low, Qt.Key.Key_Return)
    shared.qtbot.keyClick(shared.bar.low, Qt.Key.Key_Escape)
    expected = [name for name in sorted(STORIES) if by_score("dsc")(name) >= 0.5]
    assert shared.listed() == expected
    mean = shared.shown.mean(PLAIN).value
    assert mean == pytest.approx(sum(map(by_score("plain"), expected)) / len(expected))


def test_failed_runs_are_listed_by_status_and_show_their_error(shared):
    broken = failed("owl.html", "dsc", RunStatus.FAILED, "the method crashed")
    shared.table.running.page_done.emit(key_of("owl.html"), broken)
    shared.qtbot.mouseClick(shared.bar.more, LEFT)
    shared.qtbot.waitUntil(shared.bar.status.isVisible)
    shared.qtbot.keyClicks(shared.bar.status, "F")
    shared.qtbot.keyClick(shared.bar.status, Qt.Key.Key_Escape)
    assert shared.listed() == ["owl.html"]
    assert shared.bar.chips == ("Failed",)
    cell = shared.model.index(0, DSC)
    assert cell.data() == "failed"
    assert "the method crashed" in cell.data(Qt.ItemDataRole.ToolTipRole)


@pytest.mark.slow
def test_pages_are_filtered_by_the_types_in_their_gold(desk, qtbot, tmp_path):
    hand = Hand(desk.window.workbench, qtbot, tmp_path)
    desk.mark(hand, Mode.LEVEL_2, "ul")
    hand.workbench.set_type("Menu")
    marked = desk.session.open.document.path
    desk.press(Qt.Key.Key_F8)
    qtbot.waitUntil(lambda: desk.bar.type.count() == 3)
    desk.qtbot.mouseClick(desk.bar.more, LEFT)
    desk.qtbot.waitUntil(desk.bar.type.isVisible)
    desk.qtbot.keyClicks(desk.bar.type, "M")
    desk.qtbot.keyClick(desk.bar.type, Qt.Key.Key_Escape)
    assert desk.bar.type.currentText() == "Menu"
    assert desk.listed() == [marked]


# comparing -------------------------------------------------------------------------------------
def test_control_clicks_compare_two_methods_with_the_largest_difference_first(shared):
    shared.click_head(BTE, CONTROL)
    shared.click_head(DSC, CONTROL)
    assert shared.shown.pair == ComparedPair(BTE, DSC)
    assert shared.shown.columns[:3] == (BTE, DELTA, DSC)
    sizes = [abs(by_score("bte")(name) - by_score("dsc")(name)) for name in shared.listed()]
    assert sizes == sorted(sizes, reverse=True)
    assert (shared.bar.one.currentText(), shared.bar.other.currentText()) == ("BTE", "DSC")


def test_one_key_compares_two_methods_and_ends_the_comparison(shared):
    shared.grid.setCurrentIndex(shared.model.index(0, PLAIN))
    shared.press(Qt.Key.Key_C, ALT)
    assert shared.grid.heads.picked == PLAIN
    shared.press(Qt.Key.Key_Right)
    shared.press(Qt.Key.Key_C, ALT)
    assert shared.shown.pair == ComparedPair(PLAIN, BTE)
    shared.press(Qt.Key.Key_C, ALT)
    assert shared.shown.pair is None
    assert shared.listed() == sorted(STORIES)


def test_methods_chosen_by_name_are_compared_only_with_methods_of_their_kind(shared):
    shared.qtbot.mouseClick(shared.bar.compare, LEFT)
    shared.qtbot.waitUntil(shared.bar.one.isVisible)
    shared.qtbot.keyClick(shared.bar.one, Qt.Key.Key_Down)
    assert shared.grid.heads.picked == PLAIN
    offered = [shared.bar.other.itemText(i) for i in range(shared.bar.other.count())]
    assert offered == ["with …", "BTE", "DSC", "LQF 50"]  # WebTerrain finds blocks
    shared.qtbot.keyClicks(shared.bar.other, "L")
    shared.qtbot.keyClick(shared.bar.other, Qt.Key.Key_Escape)
    assert shared.shown.pair == ComparedPair(PLAIN, LQF)


# headings and keys ----------------------------------------------------------------------------
def test_a_number_typed_outside_its_field_opens_no_page(shared):
    before = shared.session.open.document
    for part in (shared.bar.more, shared.grid):
        part.setFocus()
        for key in (Qt.Key.Key_0, Qt.Key.Key_Period, Qt.Key.Key_9, Qt.Key.Key_Comma):
            shared.press(key)
    assert shared.session.open.document is before
    assert shared.table.isVisible()


def test_a_band_shows_the_full_name_of_its_measure_if_it_fits(shared):
    heads = shared.grid.heads
    metrics = heads.fontMetrics()
    assert heads.band_text(PLAIN, metrics, 900) == "Main content: word sequence (WS)  ▾"
    assert heads.band_text(WEBTERRAIN, metrics, 900) == "Blocks: texts alike (fuzzy)  ▾"
    short = "Blocks: fuzzy  ▾"
    assert heads.band_text(WEBTERRAIN, metrics, metrics.horizontalAdvance(short)) == short


def test_keys_of_the_page_have_no_effect_while_the_table_is_shown(shared):
    mode = shared.session.selection.mode
    document = shared.session.open.document
    status = shared.window.workbench.pages.status
    shared.qtbot.waitUntil(lambda: status(document) == "open")
    for key in (Qt.Key.Key_M, Qt.Key.Key_1, Qt.Key.Key_D, Qt.Key.Key_Y, Qt.Key.Key_X):
        shared.press(key)
    shared.press(Qt.Key.Key_Z, CONTROL)
    assert (shared.session.selection.mode, shared.session.open.document) == (mode, document)
    assert status(document) == "open"
    assert shared.table.isVisible()


def test_typed_letters_select_the_page_of_that_name(shared):
    shared.qtbot.keyClicks(shared.grid, "ow")
    assert shared.listed()[shared.grid.currentIndex().row()] == "owl.html"


# measures and methods ------------------------------------------------------------------------
def test_the_band_above_the_methods_offers_measures_with_their_definitions(shared):
    shared.click_head(PLAIN, y=5)
    popup = shared.table.measures.popup
    assert popup.isVisible()
    item = popup.item("cleaneval")
    assert "alignment" in item.toolTip()
    popup.list.setCurrentItem(item)
    shared.qtbot.keyClick(popup.list, Qt.Key.Key_Return)
    assert shared.shown.shown["extraction"].key == "cleaneval"
    row = shared.listed().index("kettle.html")
    expected = next(r.score.value for r in rows("kettle.html")
                  if r.run.method == "plain" and r.measure == "cleaneval")  # fmt: skip
    assert shared.model.index(row, PLAIN).data() == f"{float(expected):.3f}"


def test_a_key_offers_the_measures_of_the_current_column(shared):
    shared.grid.setCurrentIndex(shared.model.index(0, WEBTERRAIN))
    shared.press(Qt.Key.Key_M, CONTROL | Qt.KeyboardModifier.ShiftModifier)
    popup = shared.table.measures.popup
    shared.qtbot.keyClicks(popup.line, "nodes")
    shared.qtbot.keyClick(popup.line, Qt.Key.Key_Down)
    shared.qtbot.keyClick(popup.list, Qt.Key.Key_Return)
    assert shared.shown.shown["segmentation"].key.startswith("b3-nodes")
    assert shared.shown.shown["extraction"].key == "ws"


def test_the_level_of_blocks_is_chosen_with_the_measure(shared):
    shared.click_head(WEBTERRAIN, y=5)
    popup = shared.table.measures
    shared.qtbot.mouseClick(popup.levels.button("2"), LEFT)
    assert shared.shown.shown["segmentation"].key == "fuzzy-2"
    shared.qtbot.keyClicks(popup.popup.line, "exact")
    shared.qtbot.keyClick(popup.popup.line, Qt.Key.Key_Return)
    assert shared.shown.shown["segmentation"].key == "exact-2"


def test_a_method_chosen_by_typing_is_offered_to_run(desk):
    desk.table.choose_methods()
    popup = desk.table.methods
    desk.qtbot.keyClicks(popup.line, "tccb")
    desk.qtbot.keyClick(popup.line, Qt.Key.Key_Return)
    assert popup.isVisible()  # several can be chosen
    popup.hide()
    assert desk.shown.chosen == (*COLUMNS, column("tccb"))
    assert desk.table.run_bar.run.text() == "Run 1 new method"


def test_restoring_the_parameters_of_a_layer_restores_its_scores(shared):
    layer = shared.session.layers.layer("bte")
    other = type(layer.params)(**{**layer.params.as_dict(), "tag_cost": 4.0})
    shared.session.layers.change_layer("bte", params=other)
    assert shared.table.run_bar.run.text() == "Run 1 new method"
    shared.session.layers.change_layer("bte", params=layer.params)
    assert shared.model.index(0, BTE).data() == f"{by_score('bte')(shared.listed()[0]):.3f}"
    assert shared.table.run_bar.run.text() == "Run again"


def test_one_kind_of_methods_can_be_shown_alone(shared):
    shared.qtbot.mouseClick(shared.table.run_bar.kinds.button("segmentation"), LEFT)
    assert shared.shown.columns == (WEBTERRAIN,)
    shared.qtbot.mouseClick(shared.table.run_bar.kinds.button("all"), LEFT)
    assert len(shared.shown.columns) == len(METHODS)


# changed gold, files -----------------------------------------------------------------------
def test_a_page_with_changed_marks_is_out_of_date_and_offered_to_run(desk, qtbot, tmp_path):
    hand = Hand(desk.window.workbench, qtbot, tmp_path)
    desk.mark(hand, Mode.MAIN, "li")
    desk.press(Qt.Key.Key_F8)
    page = desk.listed().index(desk.session.open.document.path)
    assert "have changed" in desk.model.index(page, BTE).data(Qt.ItemDataRole.ToolTipRole)
    assert desk.table.run_bar.run.text() == "Run 1 changed page"
    desk.table.running.page_done.emit(key_of(desk.listed()[page]), rows(desk.listed()[page]))
    assert "changed" not in desk.model.index(page, BTE).data(Qt.ItemDataRole.ToolTipRole)


def test_a_selection_is_copied_as_tab_separated_text(shared):
    shared.grid.setCurrentIndex(shared.model.index(1, BTE))
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Right):
        shared.press(key, Qt.KeyboardModifier.ShiftModifier)
    shared.press(Qt.Key.Key_C, CONTROL)
    text = QApplication.clipboard().text()
    lines = [line.split("\t") for line in text.splitlines()]
    assert lines[0] == ["page", "bte (dom) ws", "dsc (dom) ws"]
    assert [line[0] for line in lines[1:]] == shared.listed()[1:3]
    assert float(lines[1][1]) == by_score("bte")(shared.listed()[1])


def test_the_listed_pages_are_saved_as_csv(shared, tmp_path):
    shared.bar.words.setText("owl")
    shared.table.export_to(str(tmp_path / "scores.csv"))
    lines = list(csv.reader(io.StringIO((tmp_path / "scores.csv").read_text("utf-8"))))
    assert [line[0] for line in lines] == ["page", "owl.html"]
    assert shared.session.messages.message == "saved 1 page in scores.csv"
    shared.table.export_to(str(tmp_path / "nowhere" / "scores.csv"))
    assert "cannot be written" in shared.session.messages.message


def test_a_window_closed_at_the_table_opens_again_with_its_panels(qtbot, tmp_path):
    first = make_window(tmp_path)
    qtbot.addWidget(first)
    first.main_area.toggle(EvaluateView)
    first.close()
    first.close_down()
    again = make_window(tmp_path)
    qtbot.addWidget(again)
    assert all(not dock.isHidden() for dock in again.panels.docks)
    assert not again.main_area.shows(EvaluateView)
    again.close_down()


# many pages -----------------------------------------------------------------------------------
def test_painting_reads_only_the_visible_cells(desk, monkeypatch):
    asked = []
    value = desk.shown.value
    monkeypatch.setattr(desk.shown, "value", lambda *cell: (asked.append(cell), value(*cell))[1])
    desk.model.set_pages([ListedPage("many", str(index), f"Page {index}") for index in range(2000)])
    desk.qtbot.waitUntil(lambda: desk.model.rowCount() == 2000)
    asked.clear()
    desk.grid.verticalScrollBar().setValue(20_000)
    desk.grid.viewport().repaint()
    seen = desk.grid.viewport().height() // desk.grid.rowHeight(0) + 2
    assert 0 < len(set(asked)) <= seen * len(METHODS)
