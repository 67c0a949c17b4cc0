"""Stored results: kept over a restart, marked where out of date, and opened from files."""

import sqlite3

import numpy as np
import pytest
from PySide6.QtCore import Qt

from annotate.evaluation.store.row_files import write_rows
from annotate.evaluation.store.rows import cells
from annotate.evaluation.tables.result_table import NOT_RUN, OK, Stale
from annotate.marks import gold_file
from annotate.marks.gold import Gold
from gui.features.evaluate.columns import offer
from gui.features.evaluate.filtering import ComparedPair
from gui.features.evaluate.gold_lookup import GoldLookup
from gui.features.evaluate.measures import measure
from gui.features.evaluate.view import EvaluateView
from tests.features.evaluate.scored import STORIES, file_of, key_of, marked, rows
from tests.gui.parts import make_window
from tests.hand import Hand

pytestmark = pytest.mark.web

LEFT, TIP = Qt.MouseButton.LeftButton, Qt.ItemDataRole.ToolTipRole
METHODS = ("bte", "dsc")
BTE, DSC = range(2)
PATIENCE_MS = 90_000
COMET, FERRY, KETTLE, MILL, OWL = range(5)
"""In the order of the list."""


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "pages"
    made.mkdir()
    for name in STORIES:
        (made / name).write_bytes(file_of(name))
        gold_file.write(gold_file.gold_path(made / name), *marked(name))
    return made


@pytest.fixture
def begin(qtbot, tmp_path):
    """Return a function that starts the program again on the same workspace."""
    windows = []

    def start():
        for window in windows:
            window.close_down()
        windows[:] = [make_window(tmp_path)]
        qtbot.addWidget(windows[0])
        windows[0].resize(1300, 850)
        return windows[0]

    yield start
    for window in windows:
        window.close_down()


def at_table(window, folder, qtbot, tmp_path):
    """Return the table of a folder's pages once their gold is read."""
    Hand(window.workbench, qtbot, tmp_path).open_path(folder)
    with qtbot.waitSignal(window.workbench.get(GoldLookup).found):
        window.main_area.toggle(EvaluateView)
    return window.main_area.get(EvaluateView)


def choose(window):
    """Choose two methods that read the file, so that no page has to be rendered."""
    session = window.session
    session.layers.set_layers(tuple(layer for layer in session.layers.all if layer.is_gold))
    for key in METHODS:
        session.layers.add_method(key)
        session.layers.change_layer(key, source="original")


@pytest.mark.slow
def test_scores_are_kept_over_a_restart_and_only_outdated_ones_run_again(
    begin, folder, qtbot, tmp_path
):
    window = begin()
    choose(window)
    table = at_table(window, folder, qtbot, tmp_path)
    table.run()
    qtbot.waitUntil(lambda: not table.running.is_running, timeout=PATIENCE_MS)
    scores, ws = table.model.shown.table, measure("extraction", "ws")
    assert (scores.status != NOT_RUN).all()
    assert (scores.status[:, BTE] == OK).all()
    before = [scores.values(ws, position) for position in (BTE, DSC)]

    table = at_table(begin(), folder, qtbot, tmp_path)
    scores = table.model.shown.table
    after = [scores.values(ws, position) for position in (BTE, DSC)]
    np.testing.assert_array_equal(after, before)
    assert not scores.stale.any()
    assert table.run_bar.run.text() == "Run again"
    assert table.run_bar.doing.text() == "Scored just now"
    assert "Scored just now, pagelet" in table.model.index(OWL, BTE).data(TIP)

    (folder / "mill.html").write_bytes(file_of("mill.html") + b"<p>more")
    page, gold = marked("owl.html")
    gold_file.write(gold_file.gold_path(folder / "owl.html"), page, Gold(gold.marks[:1]))
    db = sqlite3.connect(tmp_path / "marks.pagelet")
    db.execute("UPDATE runs SET version = 'pagelet 0.0', made = made - 90000 WHERE method = 'dsc'"
               " AND page = (SELECT id FROM pages WHERE key LIKE '%ferry.html')")  # fmt: skip
    db.commit()
    db.close()
    table = at_table(begin(), folder, qtbot, tmp_path)
    scores = table.model.shown.table
    assert scores.why_stale(MILL, [BTE]) == Stale.PAGE
    assert scores.why_stale(OWL, [DSC]) == Stale.GOLD
    assert scores.why_stale(FERRY, [DSC]) == Stale.VERSION
    assert not scores.why_stale(FERRY, [BTE])
    assert not scores.stale[[COMET, KETTLE]].any()
    assert "the page has changed" in table.model.index(MILL, BTE).data(TIP)
    tip = table.model.index(FERRY, DSC).data(TIP)
    assert "Scored 1 day ago, pagelet 0.0" in tip
    assert "the method has another version" in tip
    assert table.run_bar.doing.text().endswith("3 pages out of date")
    what = offer(scores, scores.columns)
    assert what.words == table.run_bar.run.text() == "Run 3 changed pages"
    assert {(page, column.method) for page, column in what.request.left_out} == {(FERRY, "bte")}
    made = scores.made.copy()
    qtbot.mouseClick(table.run_bar.run, LEFT)
    qtbot.waitUntil(lambda: not table.running.is_running, timeout=PATIENCE_MS)
    again = {COMET: [], FERRY: [DSC], KETTLE: [], MILL: [BTE, DSC], OWL: [BTE, DSC]}
    assert {
        page: (scores.made[page] != made[page]).nonzero()[0].tolist() for page in again
    } == again
    assert not scores.stale.any()
    assert table.run_bar.doing.text().startswith("3 pages in")


@pytest.mark.slow
def test_the_order_of_pages_is_restored_after_a_comparison_and_a_restart(
    begin, folder, qtbot, tmp_path
):
    window = begin()
    choose(window)
    table = at_table(window, folder, qtbot, tmp_path)
    for name in STORIES:
        table.running.page_done.emit(key_of(name), rows(name))
    table.grid.setCurrentIndex(table.model.index(0, BTE))
    for _ in range(2):
        qtbot.keyClick(table.grid, Qt.Key.Key_S, Qt.KeyboardModifier.AltModifier)
    chosen = table.model.shown.sort_by
    assert (chosen.by.method, chosen.down) == ("bte", True)
    table.grid.compare(ComparedPair(BTE, DSC))
    assert table.model.shown.sort_by != chosen
    table.grid.compare(None)
    assert table.model.shown.sort_by == chosen
    window.activateWindow()
    table = at_table(begin(), folder, qtbot, tmp_path)
    assert table.model.shown.sort_by == chosen


@pytest.mark.slow
def test_scores_are_out_of_date_when_marks_change_during_a_run(begin, folder, qtbot, tmp_path):
    window = begin()
    choose(window)
    table = at_table(window, folder, qtbot, tmp_path)
    table.run()
    session = window.session
    session.set_gold(Gold(session.open.gold.marks[:1]), "delete")
    assert table.running.is_running
    qtbot.waitUntil(lambda: not table.running.is_running, timeout=PATIENCE_MS)
    scores = table.model.shown.table
    assert scores.why_stale(COMET, [BTE]) == Stale.GOLD
    assert not scores.stale[[FERRY, KETTLE, MILL, OWL]].any()


@pytest.mark.slow
def test_a_tool_tip_shows_the_score_of_earlier_parameters(begin, folder, qtbot, tmp_path):
    window = begin()
    choose(window)
    table = at_table(window, folder, qtbot, tmp_path)
    table.run()
    qtbot.waitUntil(lambda: not table.running.is_running, timeout=PATIENCE_MS)
    layer = window.session.layers.layer("bte")
    other = type(layer.params)(**{**layer.params.as_dict(), "tag_cost": 4.0})
    window.session.layers.change_layer("bte", params=other)
    tip = table.model.index(OWL, 0).data(TIP)
    assert "Not run yet" in tip
    assert "With tag_cost = 1.0: 0." in tip or "With tag_cost = 1.0: 1." in tip


@pytest.fixture
def written(tmp_path):
    """Return a folder with the scores that an evaluation writes."""
    write_rows(tmp_path / "out" / "scores.csv", (cells(r) for name in STORIES for r in rows(name)))
    return tmp_path / "out"


def test_a_folder_written_by_evaluate_opens_as_a_table_and_closes_again(
    begin, folder, written, qtbot, tmp_path
):
    window = begin()
    window.open_path(str(written))
    table = window.main_area.get(EvaluateView)
    assert window.main_area.shows(EvaluateView)
    assert table.isVisible()
    shown = table.model.shown
    assert table.model.rowCount() == len(STORIES)
    expected = next(r for r in rows("owl.html") if (r.run.method, r.measure) == ("bte", "ws"))
    index = next(k for k, column in enumerate(shown.table.columns) if column.method == "bte")
    ws = measure("extraction", "ws")
    row = shown.table.row_of(expected.run.dataset, "owl.html")
    assert shown.table.value(ws, row, index) == expected.score.value
    assert not table.run_bar.run.isVisible()
    table.run()  # results of a file cannot be run
    assert not table.running.is_running
    table.show_cell(row, index)
    assert "open its folder" in window.session.messages.message
    Hand(window.workbench, qtbot, tmp_path).open_path(folder)
    assert not shown.table.has_results  # the open pages have none
    window.open_path(str(written))
    qtbot.mouseClick(table.run_bar.close_file, LEFT)
    assert not shown.table.has_results
    window.open_path(str(written))
    table.show_cell(row, index)
    qtbot.waitUntil(lambda: window.session.open.document.path == "owl.html")
    assert not window.main_area.shows(EvaluateView)


def test_a_folder_without_results_is_refused_with_a_message(begin, tmp_path):
    window = begin()
    (tmp_path / "scores.csv").write_text("a,b\n1,2\n")
    window.open_path(str(tmp_path))
    assert "no column dataset" in window.session.messages.message
    assert not window.main_area.shows(EvaluateView)
