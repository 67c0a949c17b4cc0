"""3-D view in the window, by mouse and key, on a live page."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QWheelEvent
from PySide6.QtWidgets import QApplication

from gui.plugins.view_3d.colors import Coloring
from gui.plugins.view_3d.panel import View3DPanel
from gui.state.selection import Mode
from tests.gui.parts import press
from tests.hand import hand_in_window

pytestmark = pytest.mark.web

PAGE = """
<title>Harbour news</title>
<style>*{margin:0} body{font:16px/24px sans-serif} section{padding:10px} nav{float:left;width:200px}
#card{position:absolute;left:900px;top:90px;width:200px;height:90px;background:#fc0;z-index:2}</style>
<header id=top>The Courier</header><nav id=menu><p>home</p><p>news</p></nav>
<section id=story><h1 id=head>Ferry back</h1>
<p id=first>The ferry <b>returned</b> to the harbour this morning.</p>
<p id=second>Nobody was hurt, the captain said later.</p></section>
<div id=card>over all</div><div style="height:1500px"></div>
<div style="height:40px;background:#00aa00"></div>
"""


hand = hand_in_window


@pytest.fixture
def view(window, hand, qtbot):
    press(hand, Qt.Key.Key_F6)
    view = window.main_area.get(View3DPanel).view
    assert view.isVisible()
    qtbot.waitUntil(lambda: view.texture is not None)
    return view


def flat(view, qtbot):
    qtbot.keyClick(view, Qt.Key.Key_Home)
    qtbot.waitUntil(lambda: view.is_flat)


def test_f6_shows_the_page_in_3d_and_escape_returns_to_the_page(window, hand, view, qtbot):
    assert view.scene.top >= 3
    assert not view.is_flat
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert window.workbench.canvas.isVisible()
    assert view.scene is None  # its picture no longer takes memory


@pytest.mark.slow
def test_hovering_the_flat_view_selects_the_same_element_as_the_page(window, hand, view, qtbot):
    expected = {}
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    for selector in ("#top", "#head", "#first b", "#second", "#card", "#menu p"):
        row = hand.row(selector)

        def is_framed(selector=selector, row=row):
            hand.hover(selector)  # again: what comes before the first frame is lost
            return window.session.selection.candidate == row

        qtbot.waitUntil(is_framed)
        at = hand.ask(
            f"(r => [r.x + r.width / 2, r.y + r.height / 2 + scrollY])"
            f"(document.querySelector('{selector}').getBoundingClientRect())"
        )
        expected[selector] = (at, row)
    press(hand, Qt.Key.Key_F6)
    flat(view, qtbot)
    for at, row in expected.values():
        position = QPoint(*map(round, view.projection.seen(*at, 0)))
        qtbot.mouseMove(view, QPoint(2, 2))
        qtbot.mouseMove(view, position)
        assert window.session.selection.candidate == row


def test_a_click_selects_the_element_at_that_point(window, hand, view, qtbot):
    row = hand.row("#head")
    index = view.scene.index(row)
    left, top, right, bottom = view.scene.boxes[index].tolist()
    level = int(view.scene.level[index])
    seen = view.projection.seen((left + right) / 2, (top + bottom) / 2, level)
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(*map(round, seen)))
    assert window.session.selection.candidate == row


def test_arrows_turn_and_tilt_and_the_wheel_zooms(window, hand, view, qtbot):
    before = view.camera
    qtbot.keyClick(view, Qt.Key.Key_Right)
    assert view.camera.turn > before.turn
    qtbot.keyClick(view, Qt.Key.Key_Up)
    assert view.camera.tilt > before.tilt
    position = QPointF(view.rect().center())
    none = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase
    event = QWheelEvent(
        position, view.mapToGlobal(position), QPoint(), QPoint(0, 120), *none, False
    )
    QApplication.sendEvent(view, event)
    assert view.camera.zoom > before.zoom


@pytest.mark.slow
def test_actual_size_draws_one_pixel_for_each_pixel_of_the_page(window, hand, view, qtbot):
    assert window.workbench.canvas.is_fitted
    qtbot.keyClick(window, Qt.Key.Key_0, Qt.KeyboardModifier.ControlModifier)
    assert view.camera.zoom == pytest.approx(1)
    assert window.zoom.text() == "100 %"
    assert window.workbench.canvas.is_fitted
    flat(view, qtbot)
    (left, _), (right, _) = (view.projection.seen(x, 50, 0) for x in (100, 300))
    assert right - left == pytest.approx(200)


def test_keys_cut_levels_and_change_the_colouring(window, hand, view, qtbot):
    panel = window.main_area.get(View3DPanel)
    top = view.level
    qtbot.keyClick(view, Qt.Key.Key_PageDown)
    assert view.level == top - 1
    qtbot.keyClick(view, Qt.Key.Key_PageUp)
    assert view.level == top
    seen = {panel.coloring}
    for _ in range(4):
        qtbot.keyClick(view, Qt.Key.Key_Space)
        seen.add(panel.coloring)
    assert seen == set(Coloring)


@pytest.mark.slow
def test_shift_and_arrows_move_the_frame_and_enter_selects_its_mark(window, hand, view, qtbot):
    window.workbench.session.selection.set_mode(Mode.LEVEL_2)
    for selector in ("#head", "#first"):
        window.session.selection.set_candidate(hand.row(selector))
        window.workbench.marking.take()
    window.workbench.session.selection.set_mode(Mode.SELECT)
    window.workbench.clear_selection()
    window.session.selection.set_candidate(hand.row("#head"))
    qtbot.keyClick(view, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(view, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert window.session.selection.candidate == hand.row("#first")
    qtbot.keyClick(view, Qt.Key.Key_Return)
    (mark,) = window.session.selection.selected_marks()
    assert mark.targets[0].row == hand.row("#first")


@pytest.mark.parametrize("kind", ["png", pytest.param("svg", marks=pytest.mark.slow)])
def test_the_saved_picture_looks_like_the_view(window, hand, view, qtbot, tmp_path, kind):
    path = tmp_path / f"page.{kind}"
    window.main_area.current.save_picture(str(path))
    picture = QImage(str(path))
    assert not picture.isNull()
    expected = view.grab().toImage().scaled(200, 120)
    result = picture.scaled(200, 120)
    alike = sum(
        abs(expected.pixelColor(x, y).lightness() - result.pixelColor(x, y).lightness()) < 40
        for x in range(0, 200, 5)
        for y in range(0, 120, 5)
    )
    assert alike > 0.93 * 40 * 24


@pytest.mark.slow
def test_the_next_page_opens_in_3d(window, hand, view, qtbot):
    hand.open("<title>Mill</title><p>Tide mill</p>", "mill.html")
    qtbot.waitUntil(lambda: view.isVisible() and view.scene is not None)
    assert view.scene.rows.size < 6


@pytest.mark.slow
def test_the_texture_is_the_whole_page_and_the_zoom_of_the_page_is_kept(window, hand, view):
    panel = window.main_area.get(View3DPanel)
    panel.set_coloring(Coloring.PLAIN)
    view.grab()
    width, height = view.scene.size
    assert (view.texture.width(), view.texture.height()) == (width, height)
    assert view.texture.pixelColor(600, height - 20).name() == "#00aa00"
    canvas = window.workbench.canvas
    assert canvas.view.zoomFactor() == pytest.approx(canvas.zoom, abs=0.01)
