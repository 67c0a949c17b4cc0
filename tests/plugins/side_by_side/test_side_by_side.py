"""Side by side in the window: panes, scrolling together, swapping, one legend."""

import os
import signal

import pytest
from PySide6.QtCore import Qt

from annotate.marks.gold import Gold, Mark, Target
from annotate.workspace import annotators
from annotate.workspace.workspace import page_key
from gui.features.layers.details import DetailsDock
from gui.features.layers.panel import LayersDock
from gui.features.pages.panel import PagesDock
from gui.plugins.side_by_side.legend import LegendLine
from gui.plugins.side_by_side.pane import GOLD, PaneContent
from gui.plugins.side_by_side.view import SideBySide
from tests.gui.parts import press
from tests.hand import hand_in_window

pytestmark = pytest.mark.web

PAGE = """
<title>Harbour news</title>
<style>*{margin:0} body{font:16px/24px sans-serif} p{padding:40px 10px}</style>
<header id=top>The Courier</header>
<div id=slot></div>
<main id=story><h1 id=head>Ferry back</h1>
<p id=first>The ferry <b>returned</b> to the harbour this morning.</p>
<p id=second>Nobody was hurt, the captain said later.</p><p>Three</p><p>Four</p>
</main><div style="height:4000px">foot</div>
<script>document.getElementById('slot').innerHTML =
  '<div style="height:900px">an ad of the day</div>'</script>
"""


@pytest.fixture
def window(new_window):
    """Return a new window, as each test makes the view, which stays."""
    return new_window


@pytest.fixture
def window_size():
    return 1500, 850


hand = hand_in_window


def wait_for_panes(side, qtbot, count):
    qtbot.waitUntil(
        lambda: len(side.panes) == count and all(pane.page for pane in side.panes), timeout=30_000
    )


@pytest.fixture
def side(window, hand, qtbot):
    window.session.layers.set_current_layer("bte")
    press(hand, Qt.Key.Key_F2)
    wait_for_panes(window.main_area.get(SideBySide), qtbot, 2)
    return window.main_area.get(SideBySide)


def test_two_panes_show_gold_and_the_current_method_with_one_legend(window, side, qtbot):
    assert side.isVisible()
    layers = window.session.layers
    assert layers.shown_method == "bte"
    assert [pane.shown.key for pane in side.panes] == [GOLD, "bte"]
    assert all(pane.sync.is_same for pane in side.panes)
    shown = [each.name for each in layers.all if each.is_gold or each.key == "bte"]
    assert sorted(side.legend.words) == sorted(shown)
    qtbot.keyClick(side.panes[0].canvas.view.focusProxy(), Qt.Key.Key_Escape)
    assert window.workbench.canvas.isVisible()
    assert all(pane.page is None for pane in side.panes)


@pytest.mark.slow
def test_shift_f2_shows_four_panes_of_different_layers_and_f2_two_again(window, side, qtbot):
    two = [pane.shown for pane in side.panes]
    shift = Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(window, Qt.Key.Key_F2, shift)
    wait_for_panes(side, qtbot, 4)
    assert len({pane.shown.key for pane in side.panes}) == 4
    assert all(pane.isVisible() for pane in side.panes)
    four = side.panes
    qtbot.keyClick(window, Qt.Key.Key_F2)
    wait_for_panes(side, qtbot, 2)
    assert [pane.isVisible() for pane in four] == [True, True, False, False]
    assert [pane.shown for pane in side.panes] == two


def test_panes_swap_by_key(window, side, qtbot):
    before = [pane.shown for pane in side.panes]
    qtbot.keyClick(window, Qt.Key.Key_F2, Qt.KeyboardModifier.ControlModifier)
    assert [pane.shown for pane in side.panes] == before[::-1]


@pytest.mark.slow
def test_actual_size_applies_to_the_panes_and_not_to_the_page_behind(window, side, qtbot):
    behind = window.workbench.canvas
    assert behind.is_fitted
    assert all(pane.canvas.zoom < 1 for pane in side.panes)
    qtbot.keyClick(window, Qt.Key.Key_0, Qt.KeyboardModifier.ControlModifier)
    assert [pane.canvas.zoom for pane in side.panes] == [1.0, 1.0]
    assert behind.is_fitted
    assert window.zoom.text() == "100 %"
    qtbot.keyClick(window, Qt.Key.Key_Z)
    assert all(pane.canvas.is_fitted for pane in side.panes)
    assert window.zoom.text() == f"{side.panes[0].canvas.zoom * 100:.0f} %"
    qtbot.keyClick(side.panes[0].canvas.view.focusProxy(), Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: window.zoom.text() == f"{behind.zoom * 100:.0f} %")


def test_scrolling_one_pane_scrolls_the_other(window, side, qtbot):
    one, other = side.panes
    one.canvas.scroll_down_to(600)
    qtbot.waitUntil(lambda: abs(other.top - 600) < 2)
    other.canvas.scroll_down_to(250)
    qtbot.waitUntil(lambda: abs(one.top - 250) < 2)


@pytest.mark.slow
def test_a_pane_without_scripts_scrolls_by_the_elements_of_the_other(window, side, qtbot):
    one, other = side.panes
    other.set_shown(PaneContent(other.shown.key, other.shown.source, has_scripts=False))
    qtbot.waitUntil(lambda: other.page is not None and not other.sync.is_same, timeout=20_000)
    row = next(
        row
        for row in range(len(one.page.nodes))
        if one.page.nodes.attributes[row].get("id") == "second"
    )
    top = float(one.page.nodes.rect[row, 1])
    expected = float(other.page.nodes.rect[other.sync.row(row), 1])
    assert top - expected == pytest.approx(900, abs=1)
    one.canvas.scroll_down_to(top)
    qtbot.waitUntil(lambda: abs(other.top - expected) < 2)


@pytest.mark.slow
def test_alt_down_shows_the_method_of_a_pane_on_the_next_input(window, side, qtbot):
    pane = side.panes[1]
    shown = [each for _, each in pane.choices() if each.key == "accb"]
    assert [each.source for each in shown] == ["original", "dom", "seen"]
    pane.set_shown(shown[0])
    qtbot.waitUntil(lambda: pane.words.text() != "running")
    pane.setFocus()
    qtbot.keyClick(pane.canvas.view.focusProxy(), Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert pane.shown == shown[1]


@pytest.mark.slow
def test_the_next_page_opens_side_by_side_too(window, hand, side, qtbot):
    hand.open("<title>Mill</title><p>Tide mill", "mill.html")
    qtbot.waitUntil(
        lambda: (
            side.isVisible() and all(pane.page and len(pane.page.nodes) < 12 for pane in side.panes)
        ),
        timeout=30_000,
    )


@pytest.mark.slow
def test_only_a_reviewer_sees_the_gold_of_annotators_side_by_side(window, hand, qtbot):
    session, workspace = window.session, window.workbench.workspace
    story, head = hand.row("#story"), hand.row("#head")
    store = workspace.store
    for name, row in (("Anna", story), ("Ben", head)):
        with store.saving():
            who = annotators.add(store, name)
        workspace.work_as(who)
        gold = Gold((Mark(f"of-{name}", 1, (Target(row),)),))
        workspace.save_gold(
            page_key(session.open.document), gold, session.open.page.rendered(), "mark"
        )
    assert window.main_area.get(SideBySide).golds() == {}  # Ben is to judge for himself
    with store.saving():
        eve = annotators.add(store, "Eve", annotators.Role.REVIEWER)
    workspace.work_as(eve)
    press(hand, Qt.Key.Key_F2)
    side = window.main_area.get(SideBySide)
    wait_for_panes(side, qtbot, 2)
    for pane, name, row in zip(side.panes, ("Anna", "Ben"), (story, head), strict=True):
        words = [each for each, _ in pane.choices()]
        index = words.index(f"Gold of {name}")
        pane.choice.setCurrentIndex(index)
        pane.choice.activated.emit(index)
        assert pane.words.text() == "1 mark"
        drawn = {spec["id"]: spec for spec in pane.canvas.drawn if spec["boxes"]}
        (box,) = drawn["gold-1"]["boxes"]
        assert box["pieces"] == [pane.canvas.pieces.piece(row)]


@pytest.mark.slow
def test_the_legend_fits_every_layer_at_any_width(window, hand, side, qtbot):
    for key in ("bte", "dsc", "lqf", "cetr", "page-segmenter"):
        window.session.layers.add_method(key)
    layers = window.session.layers.all
    entries = [LegendLine(each.color, each.dash, each.name) for each in layers]
    side.legend.show_entries(entries)
    for width in (1200, 500, 200):
        positions = side.legend.positions(width)
        assert len(positions) == len(side.legend.words)
        lines = positions[-1][1] + 1
        assert side.legend.heightForWidth(width) >= lines * side.legend.fontMetrics().height()
    assert side.legend.positions(200)[-1][1] > side.legend.positions(1200)[-1][1]


@pytest.mark.slow
def test_a_pane_reloads_after_one_crash_and_reports_the_second(window, side, qtbot):
    one, _ = side.panes
    page = one.page
    os.kill(one.canvas.view.page().renderProcessPid(), signal.SIGKILL)
    qtbot.waitUntil(lambda: one.page is not None and one.page is not page, timeout=60_000)
    wait_for_panes(side, qtbot, 2)  # one process may draw both
    assert not one.trouble.isVisible()
    page = one.page
    os.kill(one.canvas.view.page().renderProcessPid(), signal.SIGKILL)
    qtbot.waitUntil(one.trouble.isVisible, timeout=60_000)
    assert "process" in one.trouble.words.text()
    qtbot.mouseClick(one.trouble.again, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: one.page not in (None, page) and one.canvas.isVisible(), timeout=60_000)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("width", "away"),
    [
        (1600, ""),
        (1100, ""),  # the panels are tabs in one column there
        (900, "left and right"),
    ],
)
def test_panels_are_hidden_where_panes_would_scroll_across_and_restored(
    window, hand, qtbot, width, away
):
    window.resize(width, 700)
    sides = {"left": window.panel(PagesDock), "right": window.panel(LayersDock)}
    qtbot.waitUntil(lambda: window.width() == width)
    details_are_seen = not window.panel(DetailsDock).visibleRegion().isEmpty()
    qtbot.keyClick(window, Qt.Key.Key_F2, Qt.KeyboardModifier.ShiftModifier)
    side = window.main_area.get(SideBySide)
    wait_for_panes(side, qtbot, 4)

    def scrolls_across():
        views = [pane.canvas.view for pane in side.panes]
        return [view.width() > view.parentWidget().width() for view in views]

    qtbot.waitUntil(lambda: scrolls_across() == [False] * 4, timeout=20_000)
    assert {name for name, dock in sides.items() if dock.isHidden()} == set(away.split()) - {"and"}
    hand.open("<title>Mill</title><p>Tide mill", "mill.html")
    wait_for_panes(side, qtbot, 4)
    qtbot.waitUntil(lambda: scrolls_across() == [False] * 4, timeout=20_000)
    qtbot.keyClick(side.panes[0].canvas.view.focusProxy(), Qt.Key.Key_Escape)
    assert not any(dock.isHidden() for dock in window.panels.docks)
    qtbot.waitUntil(
        lambda: (not window.panel(DetailsDock).visibleRegion().isEmpty()) == details_are_seen
    )


@pytest.mark.slow
def test_a_panel_that_the_user_shows_again_stays_visible(window, hand, qtbot):
    window.resize(900, 700)
    qtbot.waitUntil(lambda: window.width() == 900)
    press(hand, Qt.Key.Key_F2)
    wait_for_panes(window.main_area.get(SideBySide), qtbot, 2)
    qtbot.waitUntil(window.panel(PagesDock).isHidden)
    window.panel(PagesDock).toggleViewAction().trigger()
    assert window.panel(PagesDock).isVisible()
    window.session.layers.set_labels(not window.session.layers.has_labels)
    window.workbench.session.selection.set_candidate(5)
    window.workbench.select_row(5)
    assert window.panel(PagesDock).isVisible()


@pytest.mark.slow
def test_panes_open_at_the_scroll_position_of_the_page(window, hand, qtbot):
    canvas = window.workbench.canvas
    canvas.scroll_down_to(500)
    qtbot.waitUntil(lambda: abs(canvas.scrolled - 500) < 2)
    press(hand, Qt.Key.Key_F2)
    side = window.main_area.get(SideBySide)
    wait_for_panes(side, qtbot, 2)
    qtbot.waitUntil(lambda: all(abs(pane.top - 500) < 2 for pane in side.panes))
