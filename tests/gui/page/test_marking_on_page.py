"""Marking on the live page, by mouse and key."""

import pytest
from PySide6.QtCore import QPoint, Qt

from algorithms.params import Params
from algorithms.results import Block
from annotate.marks.drafts import DraftScope, adopt_blocks, seed_of
from annotate.marks.gold import MAIN
from gui.state.selection import Mode
from gui.window.status_bar import hint

pytestmark = pytest.mark.web

PAGE = """
<title>Harbour news</title>
<style>body{margin:0;font:16px/24px sans-serif} section{padding:10px} a{display:block}</style>
<nav id=nav><a id=link href="https://example.org/">Home</a><a href="/x">Sport</a></nav>
<section id=story><h1 id=head>Ferry back</h1>
<p id=first>The ferry <b id=bold>returned</b> to the harbour this morning.</p>
<p id=second>Nobody was hurt, the captain said later.</p>
<aside id=ad>Buy a boat</aside></section>
"""


def test_a_click_in_main_mode_marks_an_element_and_a_second_click_removes_it(hand):
    hand.open(PAGE)
    hand.workbench.session.selection.set_mode(Mode.MAIN)
    hand.click("#first")
    hand.qtbot.waitUntil(lambda: hand.marked(MAIN) == [[hand.row("#first")]])
    hand.click("#first")
    hand.qtbot.waitUntil(lambda: hand.marked(MAIN) == [])


def test_removing_a_child_from_marked_content_keeps_the_rest(hand):
    hand.open(PAGE)
    hand.session.selection.set_candidate(hand.row("#story"))
    hand.workbench.session.selection.set_mode(Mode.MAIN)
    hand.workbench.marking.take()
    assert "Buy a boat" in hand.session.open.gold.as_extraction(hand.session.open.page).text
    hand.click("#ad")
    hand.qtbot.waitUntil(lambda: len(hand.marked(MAIN)) > 1)
    text = hand.session.open.gold.as_extraction(hand.session.open.page).text
    assert "Buy a boat" not in text
    assert "Nobody was hurt" in text


def test_dragging_over_text_marks_whole_words(hand):
    hand.open(PAGE)
    hand.workbench.session.selection.set_mode(Mode.MAIN)
    zoom = hand.workbench.canvas.view.zoomFactor()
    box = hand.ask(
        "(() => {const r = document.querySelector('#second').getBoundingClientRect();"
        "return [r.left, r.top, r.height];})()"
    )
    y = box[1] + box[2] / 2
    start = QPoint(round((box[0] + 2) * zoom), round(y * zoom))
    end = QPoint(round((box[0] + 90) * zoom), round(y * zoom))
    hand.drag(start, end)
    hand.qtbot.waitUntil(lambda: bool(hand.marked(MAIN)))
    text = hand.session.open.gold.as_extraction(hand.session.open.page).text
    assert "Nobody was hurt, the captain said later.".startswith(text)
    assert text.split() == "Nobody was hurt, the captain said later.".split()[: len(text.split())]
    assert 1 <= len(text.split()) < 7


def test_a_click_marks_a_block_and_does_not_follow_its_link(hand):
    hand.open(PAGE)
    hand.workbench.session.selection.set_mode(Mode.LEVEL_1)
    hand.click("#link")
    hand.qtbot.waitUntil(lambda: hand.marked(1) == [[hand.row("#nav")]])
    assert hand.ask("location.href").startswith("pagelet:")


@pytest.mark.parametrize("key", [Qt.Key.Key_Right, Qt.Key.Key_B])
def test_keys_frame_the_first_element_when_none_is_framed(hand, key):
    hand.open(PAGE)
    hand.workbench.session.selection.set_mode(Mode.LEVEL_1)
    hand.session.selection.set_candidate(-1)
    if key == Qt.Key.Key_B:
        hand.workbench.marking.widest()
    else:
        hand.workbench.marking.walk("next")
    assert hand.session.selection.candidate == hand.row("#nav")
    hand.workbench.marking.take()
    assert hand.marked(1) == [[hand.row("#nav")]]


def wait_for_frame(hand, selector):
    row = hand.row(selector)
    hand.qtbot.waitUntil(lambda: hand.session.selection.candidate == row, timeout=60_000)


WRAPPED = (
    "<style>body{margin:0} #all{width:60%} p,header{margin:0;height:60px}</style><div id=all>"
    "<header id=head><b id=name>The Courier</b></header><section id=story><p id=first>The "
    "<b id=bold>ferry</b> returned.</p><p id=second>Nobody was hurt.</p></section></div>"
)


def test_the_largest_element_below_the_page_is_framed_first_on_level_1(hand):
    hand.open(WRAPPED)
    hand.workbench.session.selection.set_mode(Mode.LEVEL_1)
    hand.hover("#bold")
    wait_for_frame(hand, "#all")
    hand.workbench.walk("child")  # goes inward towards the mouse
    wait_for_frame(hand, "#story")
    hand.workbench.walk("child")
    wait_for_frame(hand, "#first")
    hand.workbench.walk("parent")
    wait_for_frame(hand, "#story")


def test_elements_around_a_block_are_not_framed_first_and_the_smallest_in_it_is(hand):
    hand.open(WRAPPED)
    hand.workbench.session.selection.set_mode(Mode.LEVEL_1)
    hand.session.selection.set_candidate(hand.row("#head"))
    hand.workbench.marking.take()
    hand.hover("#bold")
    wait_for_frame(hand, "#story")
    hand.hover("#name")
    wait_for_frame(hand, "#name")


def test_the_largest_element_in_the_level_1_block_is_framed_first_on_level_2(hand):
    hand.open(WRAPPED)
    hand.workbench.session.selection.set_mode(Mode.LEVEL_2)
    hand.hover("#bold")  # in no level-1 block
    wait_for_frame(hand, "#bold")
    hand.workbench.session.selection.set_mode(Mode.LEVEL_1)
    wait_for_frame(hand, "#all")  # the mouse rests, the mode changes
    hand.session.selection.set_candidate(hand.row("#story"))
    hand.workbench.marking.take()
    hand.workbench.session.selection.set_mode(Mode.LEVEL_2)
    hand.hover("#second")
    wait_for_frame(hand, "#second")
    hand.hover("#bold")
    wait_for_frame(hand, "#first")


def test_widening_and_narrowing_the_frame_changes_what_a_click_marks(hand):
    hand.open(PAGE)
    hand.workbench.session.selection.set_mode(Mode.LEVEL_2)
    hand.hover("#bold")
    hand.qtbot.waitUntil(lambda: hand.session.selection.candidate == hand.row("#bold"))
    hand.workbench.walk("parent")
    assert hand.session.selection.candidate == hand.row("#first")
    hand.workbench.walk("child")
    assert hand.session.selection.candidate == hand.row("#bold")
    hand.workbench.walk("parent")
    hand.click("#bold")
    hand.qtbot.waitUntil(lambda: hand.marked(2) == [[hand.row("#first")]])


def test_clicks_in_select_mode_cycle_through_nested_marks(hand):
    hand.open(PAGE)
    hand.workbench.session.selection.set_mode(Mode.LEVEL_1)
    hand.session.selection.set_candidate(hand.row("#story"))
    hand.workbench.marking.take()
    hand.workbench.session.selection.set_mode(Mode.LEVEL_2)
    hand.session.selection.set_candidate(hand.row("#first"))
    hand.workbench.marking.take()
    hand.workbench.session.selection.set_mode(Mode.SELECT)
    hand.workbench.clear_selection()
    result = []
    for _ in range(3):
        before = hand.session.selection.selected
        hand.click("#first")
        hand.qtbot.waitUntil(lambda before=before: hand.session.selection.selected != before)
        result.append(hand.session.selection.selected_marks()[0].level)
    assert result == [2, 1, 2]


def test_a_shift_click_groups_neighbours_into_one_block(hand):
    hand.open(PAGE)
    hand.workbench.session.selection.set_mode(Mode.LEVEL_2)
    hand.click("#first")
    hand.qtbot.waitUntil(lambda: len(hand.marked(2)) == 1)
    hand.click("#second", Qt.KeyboardModifier.ShiftModifier)
    both = [[hand.row("#first"), hand.row("#second")]]
    hand.qtbot.waitUntil(lambda: hand.marked(2) == both)
    hand.workbench.page_session.undo()
    assert hand.marked(2) == [[hand.row("#first")]]


def test_a_shift_click_on_a_later_neighbour_takes_all_between_and_drafts_there_give_way(hand):
    hand.open(PAGE)
    hand.workbench.session.selection.set_mode(Mode.LEVEL_2)
    hand.click("#head")
    hand.qtbot.waitUntil(lambda: len(hand.marked(2)) == 1)
    seed = seed_of("terrain", "1", Params(), "rendered")
    block = Block((hand.row("#first"),), 2, "Article")
    hand.workbench.marking.change(
        "adopt", lambda gold, nodes: adopt_blocks(gold, nodes, [block], seed, DraftScope()).gold
    )
    assert len(hand.marked(2)) == 2
    hand.click("#ad", Qt.KeyboardModifier.ShiftModifier)
    rows = [hand.row(f"#{name}") for name in ("head", "first", "second", "ad")]
    hand.qtbot.waitUntil(lambda: hand.marked(2) == [rows])
    hand.workbench.page_session.undo()
    assert len(hand.marked(2)) == 2


def test_a_shift_click_reports_blocks_taken_in_and_blocks_inside(hand):
    hand.open(PAGE)
    hand.workbench.session.selection.set_mode(Mode.LEVEL_2)
    for name in ("first", "bold", "second", "head"):
        hand.session.selection.set_candidate(hand.row(f"#{name}"))
        hand.workbench.marking.take()
    before = hand.marked(2)
    assert len(before) == 4
    hand.click("#ad", Qt.KeyboardModifier.ShiftModifier)
    rows = [hand.row(f"#{name}") for name in ("head", "first", "second", "ad")]
    hand.qtbot.waitUntil(lambda: sorted(hand.marked(2)) == sorted([rows, [hand.row("#bold")]]))
    message = hand.session.messages.message
    assert "2 blocks became part of it; 1 block of its level inside it" in message
    hand.workbench.page_session.undo()
    assert hand.marked(2) == before


def test_the_hint_offers_no_shift_click_that_is_refused_or_only_selects(hand):
    hand.open(PAGE)
    selection = hand.workbench.session.selection
    selection.set_mode(Mode.LEVEL_2)
    for name in ("ad", "first"):
        hand.session.selection.set_candidate(hand.row(f"#{name}"))
        hand.workbench.marking.take()

    def is_offered(name):
        selection.set_candidate(hand.row(f"#{name}"))
        return "Shift-click: with all between" in hint(hand.workbench, lambda key: key)

    assert is_offered("second")
    assert not is_offered("ad")  # a block already: it is only added to the selection
    (first,) = (m for m in hand.session.open.gold.marks if m.targets[0].row == hand.row("#first"))
    selection.set_mode(Mode.LEVEL_1)
    selection.set_selected((first.id,))
    assert not is_offered("second")  # the block is of level 2


def test_the_hint_offers_a_shift_click_beside_the_selected_block_alone(hand):
    hand.open(PAGE)
    hand.workbench.session.selection.set_mode(Mode.LEVEL_2)
    hand.click("#first")
    hand.qtbot.waitUntil(lambda: len(hand.marked(2)) == 1)
    said = {}
    for name in ("#ad", "#first", "#nav"):
        hand.session.selection.set_candidate(hand.row(name))
        said[name] = "Shift-click: with all between" in hint(hand.workbench, lambda key: key)
    assert said == {"#ad": True, "#first": False, "#nav": False}


def test_a_shift_click_that_is_refused_changes_nothing(hand):
    hand.open(PAGE)
    hand.workbench.session.selection.set_mode(Mode.LEVEL_2)
    hand.click("#first")
    hand.qtbot.waitUntil(lambda: len(hand.marked(2)) == 1)
    gold, steps = hand.session.open.gold, hand.workbench.marking.stack.count()
    with hand.qtbot.waitSignal(hand.session.messages.message_changed):
        hand.click("#link", Qt.KeyboardModifier.ShiftModifier)
    assert "not neighbours" in hand.session.messages.message
    assert hand.session.open.gold == gold
    assert hand.workbench.marking.stack.count() == steps
    assert hand.session.selection.selected == (gold.marks[0].id,)


def test_neighbours_in_wrappers_of_the_same_box_become_one_block(hand):
    hand.open("<div id=outer><div id=inner>Harbour news</div></div><nav id=nav>Home Sport</nav>")
    hand.workbench.session.selection.set_mode(Mode.LEVEL_1)
    hand.click("#inner")
    hand.qtbot.waitUntil(lambda: hand.marked(1) == [[hand.row("#inner")]])
    hand.click("#nav", Qt.KeyboardModifier.ShiftModifier)
    both = [[hand.row("#outer"), hand.row("#nav")]]
    hand.qtbot.waitUntil(lambda: hand.marked(1) == both)


def test_undo_and_redo_step_through_every_change(hand):
    hand.open(PAGE)
    hand.workbench.session.selection.set_mode(Mode.LEVEL_1)
    states = [hand.session.open.gold]
    for selector in ("#nav", "#story"):
        hand.session.selection.set_candidate(hand.row(selector))
        hand.workbench.marking.take()
        states.append(hand.session.open.gold)
    hand.workbench.set_type("Content")
    states[-1] = hand.session.open.gold  # the first type of a mark just made is one step with it
    hand.workbench.set_type("Sidebar")
    states.append(hand.session.open.gold)
    hand.workbench.delete_selected()
    states.append(hand.session.open.gold)
    for state in reversed(states[:-1]):
        hand.workbench.page_session.undo()
        assert hand.session.open.gold == state
    for state in states[1:]:
        hand.workbench.page_session.redo()
        assert hand.session.open.gold == state


def test_marks_are_restored_when_the_page_is_reloaded(hand):
    hand.open(PAGE)
    hand.workbench.session.selection.set_mode(Mode.LEVEL_1)
    hand.session.selection.set_candidate(hand.row("#story"))
    hand.workbench.marking.take()
    hand.workbench.set_type("Article")
    with hand.qtbot.waitSignal(hand.session.open.page_changed, timeout=20_000):
        hand.workbench.navigation.reload()
    (mark,) = hand.session.open.gold.of_level(1)
    assert (mark.targets[0].row, mark.type) == (hand.row("#story"), "Article")


def test_scores_follow_the_marks(hand):
    hand.open(PAGE)
    assert hand.session.layers.scores == {}
    hand.session.selection.set_candidate(hand.row("#story"))
    hand.workbench.session.selection.set_mode(Mode.MAIN)
    hand.workbench.marking.take()
    before = hand.session.layers.scores["plain"].ws
    assert before.recall == 1.0
    assert before.precision < 1.0
    hand.session.selection.set_candidate(hand.row("#nav"))
    hand.workbench.marking.take()
    assert hand.session.layers.scores["plain"].ws != before


def test_a_mark_on_changed_text_is_moved_or_lost(hand):
    hand.open(PAGE, "news.html")
    hand.workbench.session.selection.set_mode(Mode.LEVEL_2)
    hand.session.selection.set_candidate(hand.row("#second"))
    hand.workbench.marking.take()
    hand.open(
        PAGE.replace("Nobody was hurt, the captain", "Nobody was hurt, the old captain"),
        "news.html",
    )
    (mark,) = hand.session.open.gold.marks
    assert mark.state in ("moved", "lost")


def test_a_page_whose_renderer_dies_is_loaded_again_with_a_message(hand):
    hand.open(PAGE)
    with hand.qtbot.waitSignal(hand.session.open.page_changed, timeout=20_000):
        hand.workbench.canvas.view.kill_renderer()
    assert hand.session.open.page.title == "Harbour news"
    assert "loaded again" in hand.session.messages.message


def test_a_drag_from_outside_the_text_marks_main_content_by_rectangle(hand):
    hand.open(
        "<style>body{margin:60px}p{margin:0 0 20px}</style>"
        "<h1>The Courier</h1><div id=story><p id=first>The ferry returned."
        "<p id=second>Nobody was hurt.</div>"
    )
    hand.workbench.session.selection.set_mode(Mode.MAIN)
    left, top, wide, high = hand.session.open.page.rendered().rect[hand.row("#story")].tolist()
    zoom = hand.workbench.canvas.zoom
    start = QPoint(round((left - 20) * zoom), round((top - 8) * zoom))
    end = QPoint(round((left + wide + 8) * zoom), round((top + high + 8) * zoom))
    hand.drag(start, end)
    hand.qtbot.waitUntil(lambda: bool(hand.marked(MAIN)))
    assert hand.marked(MAIN) == [[hand.row("#story")]]
