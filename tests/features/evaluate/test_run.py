"""Evaluating the open pages for real: worker processes, progress, stopping, going on."""

import shutil

import pytest
from PySide6.QtCore import Qt

from annotate.evaluation.tables.result_table import FAILED, NOT_RUN, OK, SKIPPED
from gui.features.evaluate.gold_lookup import GoldLookup
from gui.features.evaluate.measures import measure
from gui.features.evaluate.view import EvaluateView
from resources import path
from tests.children import living
from tests.hand import Hand

pytestmark = pytest.mark.web

LEFT = Qt.MouseButton.LeftButton
PAGES = ("blog", "forum", "news")
METHODS = ("bte", "webterrain")
PATIENCE_MS = 90_000


@pytest.fixture
def window(new_window):
    """Return a new window: each test creates the view, which stays."""
    return new_window


@pytest.fixture
def others():
    """Return the processes that earlier tests have not yet ended."""
    return living()


@pytest.fixture
def table(others, window, qtbot, tmp_path, monkeypatch):
    """Return the table of three sample pages with gold and without snapshots."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "pages"
    folder.mkdir()
    for name in PAGES:
        for ending in ("html", "gold.json"):
            shutil.copy(path("corpus") / name / f"index.{ending}", folder / f"{name}.{ending}")
    session = window.session
    session.layers.set_layers(tuple(layer for layer in session.layers.all if layer.is_gold))
    for key in METHODS:
        session.layers.add_method(key)
    Hand(window.workbench, qtbot, tmp_path).open_path(folder)
    qtbot.keyClick(window, Qt.Key.Key_F8)
    return window.main_area.get(EvaluateView)


@pytest.mark.slow
def test_the_table_and_the_layers_panel_show_the_same_scores(window, table, qtbot):
    states = []
    table.running.progressed.connect(states.append)
    qtbot.mouseClick(table.placeholder.button("Run"), LEFT)
    assert table.running.is_running
    assert table.run_bar.stop.isVisible()
    qtbot.waitUntil(lambda: not table.running.is_running, timeout=PATIENCE_MS)
    scores = table.model.shown.table
    assert (scores.status == OK).all()
    shown = window.session.layers.scores
    bte, webterrain = range(2)
    blog = 0  # the page that is open
    assert window.session.open.document.path == "blog.html"
    ws, fuzzy = measure("extraction", "ws"), measure("segmentation", "fuzzy")
    assert scores.value(ws, blog, bte) == pytest.approx(shown["bte"].ws.f1)
    expected = shown["webterrain"].fuzzy["all"].prf.f1
    assert scores.value(fuzzy, blog, webterrain) == pytest.approx(expected)
    assert table.run_bar.run.text() == "Run again"
    assert "3 pages in" in table.run_bar.doing.text()
    assert not table.run_bar.workers.toolTip()  # no worker is busy
    assert any(state.workers for state in states)


@pytest.mark.slow
def test_a_stopped_run_keeps_its_scores_and_resuming_runs_the_rest(window, table, qtbot):
    done = []
    table.running.page_done.connect(lambda key, _rows: done.append(key[1:]))
    qtbot.keyClick(window, Qt.Key.Key_F8, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: bool(done), timeout=PATIENCE_MS)
    qtbot.keyClick(window, Qt.Key.Key_Period, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: not table.running.is_running, timeout=PATIENCE_MS)
    status = table.model.shown.table.status
    assert (status == NOT_RUN).any()
    remaining = (status != NOT_RUN).sum()
    assert remaining == len(done)
    assert table.run_bar.run.text().startswith("Go on")
    first = list(done)
    qtbot.mouseClick(table.run_bar.run, LEFT)
    qtbot.waitUntil(lambda: not table.running.is_running, timeout=PATIENCE_MS)
    assert (table.model.shown.table.status == OK).all()
    assert set(done) == {(f"{name}.html", form) for name in PAGES for form in ("dom", "rendered")}
    assert len(first) < len(set(done))


@pytest.mark.slow
def test_unreadable_pages_fail_and_pages_without_gold_are_skipped_unread(table, qtbot, tmp_path):
    (tmp_path / "pages" / "forum.gold.json").unlink()
    (tmp_path / "pages" / "news.html").unlink()
    window = table.window()
    result = window.workbench.get(GoldLookup).found
    with qtbot.waitSignal(result):  # to the page and back: the gold is read again
        window.main_area.toggle(EvaluateView)
        window.main_area.toggle(EvaluateView)
    done = []
    table.running.page_done.connect(lambda key, _rows: done.append(key[1]))
    table.run()
    qtbot.waitUntil(lambda: not table.running.is_running, timeout=PATIENCE_MS)
    blog, forum, news = range(3)
    status = table.model.shown.table.status
    assert (status[blog] == OK).all()
    assert (status[forum] == SKIPPED).all()
    assert (status[news] == FAILED).all()
    assert set(done) == {"blog.html", "news.html"}
    tip = table.model.index(news, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert "Failed: " in tip
    assert "news.html" in tip
    mean = table.model.shown.mean(0)
    assert (mean.scored, mean.failures, mean.skipped) == (1, 1, 1)


@pytest.mark.slow
def test_pages_opened_later_get_no_scores_from_a_run_in_progress(window, table, qtbot, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    for ending in ("html", "gold.json"):  # another page with the same name
        shutil.copy(path("corpus") / "shop" / f"index.{ending}", other / f"blog.{ending}")
    done = []
    table.running.page_done.connect(lambda key, _rows: done.append(key))
    qtbot.keyClick(window, Qt.Key.Key_F8, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: bool(done), timeout=PATIENCE_MS)
    Hand(window.workbench, qtbot, tmp_path).open_path(other)
    before = len(done)
    qtbot.waitUntil(lambda: not table.running.is_running, timeout=PATIENCE_MS)
    assert len(done) == before
    assert not table.model.shown.table.has_results
    assert table.placeholder.words[0] == "Evaluate 2 methods on 1 page"


def test_closing_the_window_ends_all_workers(others, window, table, qtbot):
    qtbot.keyClick(window, Qt.Key.Key_F8, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: bool(living() - others), timeout=PATIENCE_MS)
    assert table.running.is_running
    window.close()
    table.close_down()
    assert living() <= others


@pytest.mark.slow
def test_a_click_opens_the_notes_of_a_run_and_escape_closes_them(window, table, qtbot, tmp_path):
    (tmp_path / "pages" / "forum.html").write_text("<p>another page, the marks find nothing here")
    table.run()
    assert not table.run_bar.notes.isVisible()
    qtbot.waitUntil(lambda: not table.running.is_running, timeout=PATIENCE_MS)
    assert table.run_bar.notes.isVisible()
    qtbot.mouseClick(table.run_bar.notes, LEFT)
    popup = table.run_bar.noted
    assert popup.isVisible()
    lines = popup.text.toPlainText().splitlines()
    assert table.run_bar.notes.text() == f"{len(lines)} note{'s' * (len(lines) != 1)}"
    assert any(line.startswith("forum.html") for line in lines)
    qtbot.keyClick(popup.text, Qt.Key.Key_Escape)
    assert not popup.isVisible()
    assert table.isVisible()


def test_enter_presses_the_focused_run_button(table, qtbot):
    assert not table.running.is_running
    table.run_bar.run.setFocus()
    qtbot.keyClick(table.run_bar.run, Qt.Key.Key_Return)
    assert table.running.is_running
    table.stop()


@pytest.mark.slow
def test_only_sample_pages_are_evaluated_when_the_table_is_opened(window, qtbot, tmp_path):
    hand = Hand(window.workbench, qtbot, tmp_path)
    hand.open("<p>one two three", "mine.html")
    table = window.main_area.get(EvaluateView)
    with qtbot.waitSignal(window.workbench.get(GoldLookup).found):
        qtbot.keyClick(window, Qt.Key.Key_F8)
    assert not table.running.is_running
    qtbot.keyClick(window, Qt.Key.Key_F8)
    hand.open_path(path("corpus") / "news" / "index.html")
    qtbot.keyClick(window, Qt.Key.Key_F8)
    qtbot.waitUntil(lambda: table.running.is_running, timeout=30_000)
    assert table.isVisible()
    table.stop()
