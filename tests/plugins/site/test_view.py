"""The Site view in the window, on a folder of pages."""

import pytest
from PySide6.QtCore import Qt

from algorithms.plugins.site.overview import overview
from engine.source import Source
from gui.features.evaluate.view import EvaluateView
from gui.plugins.site.view import SiteView
from tests.gui.parts import make_window

pytestmark = pytest.mark.web

STORY = (
    "<!doctype html><title>s{n}.html</title>"
    "<body style='background:#{color}'><nav><a href=x>Home</a>"
    "</nav><article><h1>Story {n}</h1><p>It goes on.</p></article>"
)
TABLE = (
    "<!doctype html><title>t{n}.html</title><table><tr><td>{n}</td><td><b>x</b></td></tr></table>"
)

TAGS = ("p", "table", "ul", "form", "section", "h3")
UNLIKE = [f"<body><{tag}><b>{tag}</b></{tag}>" for tag in TAGS]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    pages = tmp_path / "pages"
    pages.mkdir()
    for n in range(3):
        (pages / f"s{n}.html").write_text(STORY.format(n=n, color="ff0000"))
        (pages / f"t{n}.html").write_text(TABLE.format(n=n))
    return pages


@pytest.fixture
def site(qtbot, folder, tmp_path):
    window = make_window(tmp_path)
    qtbot.addWidget(window)
    window.resize(1100, 700)
    window.open_path(str(folder))
    qtbot.waitUntil(lambda: window.session.open.page is not None, timeout=20_000)
    window.actions_["site"].trigger()
    site = window.main_area.get(SiteView)
    qtbot.waitUntil(lambda: site.state.overview is not None, timeout=30_000)
    yield window, site
    window.close_down()


@pytest.mark.slow
def test_pages_are_compared_drawn_and_opened(site, qtbot):
    window, view = site
    names = [{view.state.names[page][0] for page in pages} for pages in view.state.clusters()]
    assert sorted(map(sorted, names)) == [["s"], ["t"]]
    qtbot.waitUntil(lambda: len(view.thumbnails.paths) == 6, timeout=60_000)
    page = view.state.names.index("s1.html")
    view.thumbnails.verticalScrollBar().setValue(0)
    middle = view.thumbnails.rect_of(page).center()

    def is_red():
        color = view.thumbnails.viewport().grab().toImage().pixelColor(middle)
        return color.red() > 200 and color.green() < 60

    qtbot.waitUntil(is_red, timeout=60_000)
    view.state.opened.emit(page)
    assert window.session.open.document.name == "s1.html"
    assert not window.main_area.is_covered


@pytest.mark.slow
def test_selected_pages_are_listed_and_hovered_pages_are_described(site):
    _, view = site
    view.state.set_selected([0, 1])
    assert view.list.count() == 2
    view.state.set_hovered(0, 1)
    assert "apart: s0.html and s1.html" in view.note.text()
    view.state.set_hovered(2)
    assert view.note.text().startswith(view.state.names[2])


@pytest.mark.slow
def test_choosing_another_distance_computes_another_overview(site, qtbot):
    _, view = site
    with qtbot.waitSignal(view.state.overview_changed, timeout=30_000):
        view.show_distance("tv")
    assert view.state.overview.key == "tv"


def test_escape_and_the_action_of_a_view_return_to_the_page(site, qtbot):
    window, view = site
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert not window.main_area.is_covered
    window.actions_["site"].trigger()
    assert window.main_area.shows(SiteView)
    window.actions_["evaluate"].trigger()
    assert window.main_area.shows(EvaluateView)
    window.actions_["evaluate"].trigger()
    assert not window.main_area.is_covered


@pytest.mark.slow
def test_a_missing_page_does_not_prevent_comparing_the_others(site, folder, qtbot, tmp_path):
    window, view = site
    (folder / "gone.html").write_text(TABLE.format(n=9))
    window.open_path(str(folder))
    (folder / "gone.html").unlink()
    with qtbot.waitSignal(view.state.overview_changed, timeout=30_000):
        view.show_distance("cp")
    qtbot.waitUntil(lambda: view.state.overview is not None, timeout=30_000)
    assert len(view.state.overview) == 7


def test_a_single_page_starts_no_comparison(qtbot, folder, tmp_path):
    window = make_window(tmp_path)
    qtbot.addWidget(window)
    window.open_path(str(folder / "s0.html"))
    qtbot.waitUntil(lambda: window.session.open.page is not None, timeout=20_000)
    window.actions_["site"].trigger()
    assert window.main_area.shows(SiteView)
    assert not window.main_area.get(SiteView).comparison.is_busy
    window.close_down()


def test_unlike_pages_bring_a_note_and_another_distance(site, qtbot):
    _, view = site
    assert not view.apart.isVisible()
    assert "2 clusters" in view.bar.words.text()
    view.state.set_threshold(0)
    view.state.set_overview(overview([Source.from_text(page) for page in UNLIKE], "cps"))
    qtbot.waitUntil(view.apart.isVisible)
    assert view.thumbnails._tiles.heads == ()
    assert view.bar.words.text() == "6 pages, 0 clusters"
    assert not view.bar.transfer.isEnabled()
    qtbot.mouseClick(view.apart.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(view.bar.distance.view().isVisible)
    view.bar.distance.hidePopup()
    slider = view.threshold.slider
    slider.setFocus()
    qtbot.keyClick(slider, Qt.Key.Key_End)
    qtbot.waitUntil(lambda: not view.apart.isVisible())
    assert view.bar.words.text() == "6 pages, 1 cluster"


def test_the_threshold_cannot_be_changed_where_all_pages_are_equal(site, qtbot):
    _, view = site
    assert view.threshold.slider.isEnabled()
    view.state.set_overview(overview([Source.from_text(UNLIKE[0])] * 3, "cps"))
    qtbot.waitUntil(lambda: view.state.overview is not None and len(view.state.overview) == 3)
    assert not view.threshold.slider.isEnabled()


def test_one_figure_is_shown_and_its_choice_changes_it_by_key(site, qtbot):
    _, view = site
    assert view.map.isVisible()
    assert not view.matrix.isVisible()
    view.figures.button(0).setFocus()
    qtbot.keyClick(view.figures.button(0), Qt.Key.Key_Right)
    assert view.dendrogram.isVisible()
    qtbot.mouseClick(view.figures.button(2), Qt.MouseButton.LeftButton)
    assert view.matrix.isVisible()
