"""The pictures of the Site view, by mouse and key."""

import pytest
from PySide6.QtCore import QPoint, Qt

from algorithms.plugins.site.overview import overview
from engine.source import Source
from gui.plugins.site.dendrogram import DendrogramPicture
from gui.plugins.site.histogram import HistogramPicture
from gui.plugins.site.map import MapPicture
from gui.plugins.site.matrix import MatrixPicture
from gui.plugins.site.state import SiteState
from gui.plugins.site.thumbnails import Thumbnails

LEFT = Qt.MouseButton.LeftButton


def story(n):
    more = "<p>More</p>" * n
    return f"<body><nav><a>Home</a></nav><article><h1>{n}</h1><b>{more}</b></article></body>"


def table(n):
    return f"<body><table><tr><td>{n}</td><td><i>x</i></td></tr></table></body>"


@pytest.fixture
def state():
    state = SiteState()
    state.set_names(f"page {n}" for n in range(5))
    pages = [story(0), table(1), story(2), story(3), table(2)]
    state.set_overview(overview([Source.from_text(page) for page in pages], "cp"))
    return state


@pytest.fixture
def shown(qtbot, state):
    def show(kind):
        widget = kind(state)
        qtbot.addWidget(widget)
        widget.resize(400, 300)
        widget.show()
        qtbot.waitExposed(widget)
        return widget

    return show


def middle(rect):
    return QPoint(round(rect.center().x()), round(rect.center().y()))


def test_a_cell_of_the_matrix_hovers_and_selects_both_pages(shown, state, qtbot):
    matrix = shown(MatrixPicture)
    box, order = matrix.box, state.overview.order.tolist()
    step = box.width() / 5
    at = QPoint(round(box.left() + 3.5 * step), round(box.top() + 1.5 * step))
    qtbot.mouseMove(matrix, at)
    assert state.hovered == (order[1], order[3])
    qtbot.mouseClick(matrix, LEFT, pos=at)
    assert state.selected == {order[1], order[3]}


def test_equal_and_different_pages_differ_in_lightness_in_the_matrix(shown, state):
    matrix = shown(MatrixPicture)
    image, box = matrix.grab().toImage(), matrix.box
    ranks = {page: rank for rank, page in enumerate(state.overview.order.tolist())}

    def light(one, other):
        x, y = ((ranks[k] + 0.7) * box.width() / 5 for k in (one, other))
        return image.pixelColor(round(box.left() + x), round(box.top() + y)).lightness()

    assert abs(light(1, 4) - light(1, 2)) > 60


def test_a_dot_of_the_map_is_hovered_selected_and_opened_by_mouse(shown, state, qtbot):
    page_map = shown(MapPicture)
    at = QPoint(*(round(each) for each in page_map.points()[2]))
    qtbot.mouseMove(page_map, at)
    assert state.hovered == (2,)
    qtbot.mouseClick(page_map, LEFT, pos=at)
    assert state.selected == {2}
    with qtbot.waitSignal(state.opened) as opened:
        qtbot.mouseDClick(page_map, LEFT, pos=at)
    assert opened.args == [2]


def test_a_frame_on_the_map_selects_the_pages_within_it(shown, state, qtbot):
    page_map = shown(MapPicture)
    qtbot.mousePress(page_map, LEFT, pos=QPoint(1, 1))
    qtbot.mouseMove(page_map, QPoint(398, 298))
    qtbot.mouseRelease(page_map, LEFT, pos=QPoint(398, 298))
    assert state.selected == {0, 1, 2, 3, 4}


def test_dragging_the_threshold_in_the_histogram_to_the_end_joins_all_pages(shown, state, qtbot):
    histogram = shown(HistogramPicture)
    start = QPoint(round(histogram.x_of(state.threshold)), 100)
    qtbot.mousePress(histogram, LEFT, pos=start)
    qtbot.mouseMove(histogram, QPoint(round(histogram.box.right()), 100))
    qtbot.mouseRelease(histogram, LEFT, pos=QPoint(round(histogram.box.right()), 100))
    assert state.threshold == pytest.approx(state.overview.highest, abs=0.01)
    assert len(state.clusters()) == 1


def test_arrow_keys_move_the_threshold(shown, state, qtbot):
    histogram = shown(HistogramPicture)
    before = state.threshold
    qtbot.keyClick(histogram, Qt.Key.Key_Right)
    assert state.threshold == pytest.approx(before + 0.01 * state.overview.highest)


def test_the_cut_of_the_dendrogram_is_dragged_and_a_click_below_selects_a_cluster(
    shown, state, qtbot
):
    dendrogram = shown(DendrogramPicture)
    box = dendrogram.box
    cut = QPoint(round(box.center().x()), round(dendrogram.y_of(state.threshold)))
    qtbot.mousePress(dendrogram, LEFT, pos=cut)
    qtbot.mouseMove(dendrogram, QPoint(cut.x(), round(box.bottom())))
    qtbot.mouseRelease(dendrogram, LEFT, pos=QPoint(cut.x(), round(box.bottom())))
    assert state.threshold == pytest.approx(0.0, abs=0.02)
    state.set_threshold(state.overview.threshold)
    table_page = state.overview.order.tolist().index(1)
    at = QPoint(round(box.left() + (table_page + 0.5) * box.width() / 5), round(box.bottom() - 2))
    qtbot.mouseClick(dendrogram, LEFT, pos=at)
    assert state.selected == {1, 4}


def test_tiles_are_selected_opened_and_deselected_by_key(shown, state, qtbot):
    tiles = shown(Thumbnails)
    tiles.reset({})
    first = state.clusters()[0][0]
    qtbot.keyClick(tiles, Qt.Key.Key_Right)
    assert state.selected == {first}
    with qtbot.waitSignal(state.opened) as opened:
        qtbot.keyClick(tiles, Qt.Key.Key_Return)
    assert opened.args == [first]
    qtbot.keyClick(tiles, Qt.Key.Key_Space)
    assert state.selected == frozenset()


def test_a_click_on_the_heading_of_a_cluster_selects_it(shown, state, qtbot):
    tiles = shown(Thumbnails)
    tiles.reset({})
    above = tiles.rect_of(state.clusters()[1][0]).topLeft() + QPoint(20, -14)
    qtbot.mouseClick(tiles.viewport(), LEFT, pos=above)
    assert state.selected == {1, 4}


def test_shift_click_selects_a_range_of_tiles_and_ctrl_click_adds_one(shown, state, qtbot):
    tiles = shown(Thumbnails)
    tiles.reset({})
    order = [page for pages in state.clusters() for page in pages]
    positions = [middle(tiles.rect_of(page)) for page in order]
    qtbot.mouseClick(tiles.viewport(), LEFT, pos=positions[0])
    qtbot.mouseClick(tiles.viewport(), LEFT, Qt.KeyboardModifier.ShiftModifier, pos=positions[2])
    assert state.selected == set(order[:3])
    qtbot.mouseClick(tiles.viewport(), LEFT, Qt.KeyboardModifier.ControlModifier, pos=positions[4])
    assert state.selected == {*order[:3], order[4]}


def test_pictures_of_visible_tiles_are_requested_first(qtbot):
    state = SiteState()
    state.set_names(f"page {n}" for n in range(200))
    tiles = Thumbnails(state)
    qtbot.addWidget(tiles)
    tiles.resize(400, 300)
    with qtbot.waitSignal(tiles.requested) as expected:
        tiles.show()
        tiles.reset({})
    (pages,) = expected.args
    seen = tiles.in_sight()
    assert 0 < len(seen) < 30
    assert pages[: len(seen)] == seen
    assert len(pages) == 200
