"""The window at rest: few controls, much page, nothing cut; each count finds a planted fault."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton

from gui.core.main_area import Room
from gui.window.features import FEATURES
from gui.window.tasks import TASKS
from tests.gui.calm import SIZES, controls, cut_texts, overlaps, page_share
from tests.gui.parts import press
from tests.hand import hand_in_window

pytestmark = pytest.mark.web

PAGE = """<title>Harbour news</title><style>body{margin:0;font:16px/24px sans-serif}</style>
<main id=story><h1>Ferry back</h1><p id=first>The ferry returned this morning.</p>
<p id=second>Nobody was hurt, the captain said.</p></main>"""
MOST_CONTROLS, MOST_ENTRIES = 25, 20
LEAST_PAGE = {"1600": 0.60, "1300": 0.60, "3840": 0.60, "1100": 0.60, "200 %": 0.57}
ALL_SIZES = SIZES | {"1300": (1300, 800), "3840": (3840, 2130)}
hand = hand_in_window


@pytest.mark.parametrize(
    "size", ["1600", *(pytest.param(name, marks=pytest.mark.slow) for name in [*ALL_SIZES][1:])]
)
def test_each_view_at_rest_has_few_controls_and_much_page_and_cuts_no_text(
    window, hand, qtbot, size
):
    width, height = ALL_SIZES[size]
    window.resize(width, height)
    qtbot.waitUntil(lambda: window.width() == width)
    for task in TASKS:
        window.tasks.choose(task.name)
        window.tasks.reset()
        if task.view is None or task.view.room is not Room.WHOLE_SCREEN:
            qtbot.waitUntil(lambda: page_share(window) >= LEAST_PAGE[size], timeout=20_000)
        qtbot.waitUntil(lambda: cut_texts(window) == [], timeout=20_000)
        assert len(controls(window)) <= MOST_CONTROLS, (task.name, controls(window))
        assert overlaps(window) == [], task.name


def test_a_button_too_many_is_counted_and_one_that_is_cut_or_covered_is_found(window, hand):
    before = len(controls(window))
    made = QPushButton("Planted button with words", window.toolbar)
    made.setGeometry(0, 0, 40, 20)
    made.show()
    label = QLabel("Planted", window.toolbar)
    label.setGeometry(5, 5, 60, 20)
    label.show()
    try:
        assert len(controls(window)) == before + 1
        assert any("Planted button" in each for each in cut_texts(window))
        assert any("Planted" in each for each in overlaps(window))
    finally:
        made.deleteLater()
        label.deleteLater()


def test_the_menu_bar_is_hidden_until_alt_or_the_menu_shows_it(window, hand, qtbot):
    bar = window.menuBar()
    assert bar.isHidden()
    QTest.keyPress(window.windowHandle(), Qt.Key.Key_Alt)
    QTest.keyRelease(window.windowHandle(), Qt.Key.Key_Alt)
    qtbot.waitUntil(bar.isVisible)
    QTest.keyClick(window.windowHandle(), Qt.Key.Key_Escape)
    qtbot.waitUntil(bar.isHidden)
    QTest.keyClick(window.windowHandle(), Qt.Key.Key_3, Qt.KeyboardModifier.AltModifier)
    assert window.tasks.current.name == "debug"
    assert bar.isHidden()  # Alt was not alone
    window.actions_["menu-bar"].trigger()
    assert bar.isVisible()
    window.actions_["menu-bar"].trigger()
    assert bar.isHidden()


def test_eight_menus_have_twenty_entries_at_most(window):
    menus = window.toolbar.menu_button.menu().actions()
    assert len(menus) == 8
    for menu in menus:
        entries = [each for each in menu.menu().actions() if not each.isSeparator()]
        assert len(entries) <= MOST_ENTRIES, (menu.text(), len(entries))


def test_the_hint_line_names_the_effect_of_mouse_and_keys(window, hand, qtbot):
    hint = window.status_bar.hint
    assert hint.whole.startswith("Click a mark")
    qtbot.keyClick(window, Qt.Key.Key_M)
    window.session.selection.set_candidate(hand.row("#first"))
    assert "take p#first" in hint.whole
    window.workbench.marking.take()
    window.session.selection.set_candidate(hand.row("#first"))
    assert "take out p#first" in hint.whole
    window.session.selection.set_candidate(-1)
    assert hint.whole.startswith("Click: add or take out")
    assert window.workbench.canvas.accessibleDescription() == hint.whole
    window.own_keys.choose({"widen": ("Ctrl+Alt+9",)})
    assert "Ctrl+Alt+9 wider" in hint.whole or "Ctrl+Alt+9" in window.actions_.key("widen")
    window.own_keys.choose({})


def test_a_click_takes_the_widened_frame_until_the_mouse_moves(window, hand, qtbot):
    window.actions_["mode-main"].trigger()
    hand.hover("#first")
    selection = window.session.selection
    qtbot.waitUntil(lambda: selection.candidate == hand.row("#first"))
    before = window.workbench.canvas.scrolled
    window.actions_["widen"].trigger()
    assert selection.candidate == hand.row("#story")
    assert window.workbench.canvas.scrolled == before
    hand.click("#first")
    qtbot.waitUntil(lambda: hand.marked(0) != [])
    assert hand.marked(0) == [[hand.row("#story")]]
    hand.click("#second")  # the mouse is elsewhere by now: it frames again
    qtbot.waitUntil(lambda: hand.marked(0) != [[hand.row("#story")]])


def test_a_letter_takes_the_nearest_element_of_a_rectangle_without_a_match(window, hand, qtbot):
    window.actions_["mode-1"].trigger()
    second = hand.point_of("#second")
    hand.drag(second + QPoint(200, -40), second + QPoint(500, 120))
    qtbot.waitUntil(lambda: "Nearest" in window.session.messages.message)
    assert window.session.open.gold.marks == ()
    window.actions_["type-footer"].trigger()
    (mark,) = window.session.open.gold.marks
    assert mark.type == "Footer"
    assert window.session.selection.next_type == ""


def test_leaving_mark_puts_the_tool_to_select_and_debug_asks_why(window, hand):
    window.actions_["mode-1"].trigger()
    window.tasks.choose("debug")
    assert window.session.selection.mode == "why"
    hand.click("#first")
    press(hand, Qt.Key.Key_1)
    assert window.session.selection.mode == "why"
    assert "marks are made in Mark" in window.actions_["mode-1"].toolTip()
    hand.click("#second")
    assert window.session.open.gold.marks == ()
    window.tasks.choose("mark")
    assert window.session.selection.mode == "select"


def test_a_zoom_other_than_fit_shows_as_a_chip_that_fits_again(window, hand, qtbot):
    assert not window.zoom.isVisible()
    window.actions_["zoom-in"].trigger()
    qtbot.waitUntil(window.zoom.isVisible)
    assert window.zoom.text().endswith("%")
    qtbot.mouseClick(window.zoom, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not window.zoom.isVisible())


def test_another_view_ends_a_presentation(window, hand, qtbot):
    whole = [task for task in TASKS if task.view is not None]
    whole = [task for task in whole if task.view.room is Room.WHOLE_SCREEN]
    if not whole:
        pytest.skip("no view takes the whole screen")
    window.tasks.choose(whole[0].name)
    qtbot.waitUntil(window.toolbar.isHidden)
    window.tasks.choose("evaluate")
    qtbot.waitUntil(window.toolbar.isVisible)
    assert window.main_area.leave()
    assert window.main_area.current is window.main_area.page


VIEWS = [
    row.kind for feature in FEATURES for row in feature.views
    if row.kind.room is not Room.WHOLE_SCREEN
]  # fmt: skip


@pytest.mark.parametrize("kind", VIEWS, ids=lambda kind: kind.__name__)
def test_each_view_has_a_hint_whose_keys_exist(window, hand, kind):
    window.main_area.show(window.main_area.get(kind))
    hint = window.status_bar.hint
    assert hint.whole
    assert "{" not in hint.whole
    assert hint.whole.count(" · ") == kind.hint.count(" · ")  # each key that it names is there
    window.main_area.show_page()
