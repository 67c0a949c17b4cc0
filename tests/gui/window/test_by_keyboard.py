"""Work by keyboard alone: walking, marking, searching and switching what is drawn."""

import pytest
from PySide6.QtCore import Qt

from annotate.marks.gold import MAIN
from gui.features.layers.controller import ShownLayers
from gui.features.pages.panel import PagesDock
from gui.state.selection import Mode
from tests.gui.parts import press
from tests.hand import hand_in_window

pytestmark = pytest.mark.web

PAGE = """
<title>Harbour news</title>
<style>body{margin:0;font:16px/24px sans-serif} section,header{padding:10px}</style>
<header id=top><div id=wrap><div><b id=name>The Courier</b> of the quay</div></div></header>
<section id=story><h1 id=head>Ferry back</h1>
<p id=first>The ferry <b>returned</b> to the harbour this morning.</p>
<p id=second>Nobody was hurt, the captain said later.</p></section>
<footer id=foot>Printed at the quay</footer>
"""
SHIFT = Qt.KeyboardModifier.ShiftModifier
hand = hand_in_window


def test_the_right_arrow_walks_the_whole_page_past_last_children(window, hand):
    window.session.selection.set_candidate(hand.row("#first"))
    press(hand, Qt.Key.Key_Right)
    assert window.session.selection.candidate == hand.row("#second")
    press(hand, Qt.Key.Key_Right)
    assert window.session.selection.candidate == hand.row("#foot")
    press(hand, Qt.Key.Key_Right)
    assert window.session.selection.candidate == hand.row("#foot")
    press(hand, Qt.Key.Key_Left)
    assert window.session.selection.candidate == hand.row("#story")


def test_narrowing_skips_wrappers_with_the_same_box(window, hand):
    window.session.selection.set_candidate(hand.row("#top"))
    press(hand, Qt.Key.Key_Down)
    assert window.session.selection.candidate == hand.row("#wrap")
    press(hand, Qt.Key.Key_Down)
    assert window.session.selection.candidate == hand.row("#name")


def test_enter_selects_the_framed_mark_and_not_the_one_under_the_mouse(window, hand):
    window.workbench.session.selection.set_mode(Mode.LEVEL_1)
    for selector in ("#top", "#foot"):
        window.session.selection.set_candidate(hand.row(selector))
        window.workbench.marking.take()
    press(hand, Qt.Key.Key_V)
    press(hand, Qt.Key.Key_Escape)
    hand.hover("#name")
    hand.qtbot.waitUntil(lambda: window.session.selection.candidate == hand.row("#name"))
    window.session.selection.set_candidate(hand.row("#story"))
    press(hand, Qt.Key.Key_Right)
    press(hand, Qt.Key.Key_Return)
    (mark,) = window.session.selection.selected_marks()
    assert mark.targets[0].row == hand.row("#foot")


def test_shift_clicks_add_to_the_selection_and_remove_from_it(window, hand):
    window.workbench.session.selection.set_mode(Mode.LEVEL_2)
    for selector in ("#first", "#second"):
        window.session.selection.set_candidate(hand.row(selector))
        window.workbench.marking.take()
    press(hand, Qt.Key.Key_V)
    hand.click("#first")
    hand.qtbot.waitUntil(
        lambda: window.session.selection.selected_marks()[0].targets[0].row == hand.row("#first")
    )
    hand.click("#second", SHIFT)
    hand.qtbot.waitUntil(lambda: len(window.session.selection.selected) == 2)
    hand.click("#second", SHIFT)
    hand.qtbot.waitUntil(lambda: len(window.session.selection.selected) == 1)
    hand.click("#second", SHIFT)
    hand.qtbot.waitUntil(lambda: len(window.session.selection.selected) == 2)
    press(hand, Qt.Key.Key_G)
    assert hand.marked(2) == [[hand.row("#first"), hand.row("#second")]]


def test_marking_on_a_hidden_layer_shows_it(window, hand):
    layers = ((Mode.MAIN, "gold-main"), (Mode.LEVEL_1, "gold-1"), (Mode.LEVEL_2, "gold-2"))
    for mode, key in layers:
        window.session.layers.change_layer(key, visible=False)
        window.workbench.session.selection.set_mode(mode)
        window.session.selection.set_candidate(hand.row("#story"))
        press(hand, Qt.Key.Key_Return)
        assert window.session.layers.layer(key).visible, key
        assert window.session.layers.layer(key).name in window.toast.text


def test_marking_on_another_layer_than_the_solo_one_shows_it(window, hand):
    window.session.layers.set_solo("bte")
    window.workbench.session.selection.set_mode(Mode.LEVEL_1)
    window.session.selection.set_candidate(hand.row("#story"))
    press(hand, Qt.Key.Key_Return)
    assert window.session.layers.is_drawn(window.session.layers.layer("gold-1"))


def test_a_page_opened_by_searching_its_name_has_the_focus(window, hand):
    press(hand, Qt.Key.Key_Slash)
    hand.qtbot.keyClicks(window.panel(PagesDock).filter, "harbour")
    hand.qtbot.keyClick(window.panel(PagesDock).filter, Qt.Key.Key_Return)
    assert hand.target.hasFocus()
    press(hand, Qt.Key.Key_M)
    assert window.session.selection.mode is Mode.MAIN


def test_escape_ends_a_search_and_lists_all_pages(window, hand):
    press(hand, Qt.Key.Key_Slash)
    hand.qtbot.keyClicks(window.panel(PagesDock).filter, "nothing like it")
    assert window.panel(PagesDock).titles() == []
    hand.qtbot.keyClick(window.panel(PagesDock).filter, Qt.Key.Key_Escape)
    assert window.panel(PagesDock).titles() == ["Harbour news"]
    assert hand.target.hasFocus()


def test_a_page_clicked_in_the_list_has_the_focus(window, hand):
    view = window.panel(PagesDock).view
    index = view.visualRect(view.model().index(0, 0)).center()
    hand.qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=index)
    assert hand.target.hasFocus()


def test_undo_while_a_page_loads_changes_no_mark(window, hand):
    window.workbench.session.selection.set_mode(Mode.MAIN)
    window.session.selection.set_candidate(hand.row("#story"))
    press(hand, Qt.Key.Key_Return)
    assert window.actions_["undo"].isEnabled()
    with hand.qtbot.waitSignal(window.session.open.page_changed, timeout=20_000):
        window.workbench.navigation.reload()
        assert not window.actions_["undo"].isEnabled()
        window.workbench.page_session.undo()
    assert hand.marked(MAIN) == [[hand.row("#story")]]
    assert window.actions_["undo"].isEnabled()


def test_types_of_the_level_of_a_selected_block_are_offered_first(window, hand):
    window.workbench.session.selection.set_mode(Mode.LEVEL_2)
    window.session.selection.set_candidate(hand.row("#first"))
    press(hand, Qt.Key.Key_Return)
    press(hand, Qt.Key.Key_T)
    assert window.type_field.offered()[:2] == ["Logo", "Menu"]


class Drawn:
    """Records what the page is asked to draw."""

    def __init__(self, workbench, monkeypatch):
        self._specs = []
        self._workbench = workbench
        monkeypatch.setattr(workbench.canvas, "draw", self._keep)

    def _keep(self, specs):
        self._specs = specs

    def layers(self):
        self._workbench.drawing.draw()
        return {spec["id"] for spec in self._specs}

    def labels(self):
        self._workbench.drawing.draw()
        return {box["label"] for spec in self._specs for box in spec["boxes"]} - {""}


@pytest.fixture
def drawn(window, monkeypatch):
    return Drawn(window.workbench, monkeypatch)


def test_one_key_shows_only_gold_and_then_all_layers_as_before(window, hand, drawn):
    layers = window.session.layers.all
    before = drawn.layers()
    assert any(not window.session.layers.layer(key).is_gold for key in before)
    press(hand, Qt.Key.Key_G, SHIFT)
    assert drawn.layers() == {"gold-main", "gold-1", "gold-2"}
    assert window.status_bar.view.text == "Only gold"
    assert window.session.layers.all == layers
    press(hand, Qt.Key.Key_G, SHIFT)
    assert drawn.layers() == before
    assert not window.status_bar.view.isVisible()


def test_showing_a_method_ends_the_view_of_only_gold(window, hand, drawn):
    method = next(x for x in window.session.layers.all if not x.is_gold and x.visible)
    press(hand, Qt.Key.Key_G, SHIFT)
    window.workbench.get(ShownLayers).toggle_layer(method.key)
    assert not window.session.layers.is_gold_only
    assert window.session.layers.layer(method.key).visible
    press(hand, Qt.Key.Key_G, SHIFT)
    window.workbench.get(ShownLayers).solo_layer(method.key)
    assert drawn.layers() == {method.key}


def test_one_key_hides_and_shows_the_labels(window, hand, drawn):
    window.workbench.session.selection.set_mode(Mode.LEVEL_1)
    window.session.selection.set_candidate(hand.row("#story"))
    window.workbench.marking.take()
    assert "1" in drawn.labels()
    press(hand, Qt.Key.Key_L, SHIFT)
    assert drawn.labels() == set()
    assert window.status_bar.view.text == "No labels"
    press(hand, Qt.Key.Key_L, SHIFT)
    assert "1" in drawn.labels()


def test_a_letter_sets_the_type_of_all_following_blocks_until_escape(window, hand):
    press(hand, Qt.Key.Key_2)
    press(hand, Qt.Key.Key_N)
    assert window.toolbar.type_button.toolTip().startswith("Next: Menu")
    assert window.toolbar.type_button.text() == "→ Menu ▾"
    for count, selector in enumerate(("#first", "#second"), 1):
        hand.click(selector)
        hand.qtbot.waitUntil(lambda n=count: len(window.session.open.gold.of_level(2)) == n)
    assert [mark.type for mark in window.session.open.gold.of_level(2)] == ["Menu", "Menu"]
    press(hand, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert [mark.type for mark in window.session.open.gold.of_level(2)] == ["Menu"]
    press(hand, Qt.Key.Key_Escape)
    hand.click("#head")
    hand.qtbot.waitUntil(lambda: len(window.session.open.gold.of_level(2)) == 2)
    assert {mark.type for mark in window.session.open.gold.of_level(2)} == {"Menu", ""}


def test_a_letter_types_the_selected_block_and_not_the_following_ones(window, hand):
    press(hand, Qt.Key.Key_1)
    window.session.selection.set_candidate(hand.row("#top"))
    press(hand, Qt.Key.Key_Return)
    press(hand, Qt.Key.Key_H)
    assert [mark.type for mark in window.session.open.gold.of_level(1)] == ["Header"]
    assert window.session.selection.next_type == ""


def test_the_label_of_the_frame_shows_each_change_of_level_and_type(window, hand, monkeypatch):
    frames = []
    monkeypatch.setattr(window.workbench.canvas, "draw_candidate", frames.append)
    window.session.selection.set_candidate(hand.row("#top"))
    data = []
    for key in (Qt.Key.Key_1, Qt.Key.Key_H, Qt.Key.Key_2, Qt.Key.Key_M):
        press(hand, key)
        data.append(frames[-1]["boxes"][0]["label"])
    assert data == [
        "level 1: header#top",
        "level 1 Header: header#top",
        "level 2: header#top",
        "add: header#top",
    ]


def test_types_of_the_level_of_the_next_block_are_offered_first(window, hand):
    press(hand, Qt.Key.Key_2)
    press(hand, Qt.Key.Key_T)
    assert window.type_field.offered()[:2] == ["Logo", "Menu"]


def test_a_selected_block_is_extended_over_its_siblings_and_moved_to_its_parent(window, hand):
    both = Qt.KeyboardModifier.ControlModifier | SHIFT
    window.workbench.session.selection.set_mode(Mode.LEVEL_2)
    window.session.selection.set_candidate(hand.row("#head"))
    window.workbench.marking.take()
    press(hand, Qt.Key.Key_Right, both)
    press(hand, Qt.Key.Key_Right, both)
    assert hand.marked(2) == [[hand.row(name) for name in ("#head", "#first", "#second")]]
    press(hand, Qt.Key.Key_Right, both)
    assert "no next neighbour" in window.session.messages.message
    for _ in range(2):
        window.workbench.page_session.undo()
    press(hand, Qt.Key.Key_Up, both)
    assert hand.marked(2) == [[hand.row("#story")]]
    press(hand, Qt.Key.Key_Down, both)
    assert hand.marked(2) == [[hand.row("#head")]]


def test_one_key_frames_the_largest_element_and_the_down_arrow_reverts_it(window, hand):
    window.session.selection.set_candidate(hand.row("#first"))
    press(hand, Qt.Key.Key_B, SHIFT)
    assert window.session.selection.candidate == hand.row("#story")
    assert "section#story" in window.status_bar.hint.toolTip()
    press(hand, Qt.Key.Key_Down)
    assert window.session.selection.candidate == hand.row("#first")


def test_a_page_in_progress_shows_methods_only_on_request(window, hand):
    window.workbench.page_session.judges_first = True
    hand.open(PAGE, "other.html")
    assert window.session.layers.is_gold_only
    assert "Shift+G" in window.session.messages.message
    press(hand, Qt.Key.Key_G, SHIFT)
    hand.open(PAGE, "third.html")
    assert not window.session.layers.is_gold_only
