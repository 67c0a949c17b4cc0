"""Handles of the selected mark: dragged with the mouse, and moved by keys."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint

from annotate.marks import edits
from annotate.marks.gold import MAIN, Target
from gui.state.selection import Mode

pytestmark = pytest.mark.web

PAGE = """
<title>Harbour news</title>
<style>body{margin:0;font:16px/24px sans-serif} section,nav{padding:10px;margin:10px}
 p{margin:10px} .cards{display:flex;gap:20px;margin:20px} .cards div{width:180px;height:90px}
</style>
<nav id=nav>Home, sport, tide tables and everything else</nav>
<section id=story><h1 id=head>Ferry back</h1>
<p id=first>The ferry returned to the harbour this morning.</p>
<p id=second>Nobody was hurt, the captain said later.</p>
<p id=third>It sails again at noon.</p></section>
<div class=cards><div id=one>One boat</div><div id=two>Two boats</div>
<div id=three>Three</div></div>
<div style="height:1400px"></div><footer id=foot style="margin:10px;padding:10px">Quay</footer>
"""


@pytest.fixture
def grip(hand):
    """Drags a handle to where an element's edge is."""

    def spots():
        hand.workbench.drawing.draw()
        return {each["name"]: each for each in hand.ask("pagelet.handles.spots()")}

    def place(name):
        zoom, (x, y) = hand.workbench.canvas.view.zoomFactor(), spots()[name]["at"]
        return QPoint(round(x * zoom), round(y * zoom))

    def edge(selector, side):
        box = hand.ask(f"document.querySelector('{selector}').getBoundingClientRect().toJSON()")
        return round(box[side] * hand.workbench.canvas.view.zoomFactor())

    kind = {"spots": staticmethod(spots), "place": staticmethod(place), "edge": staticmethod(edge)}
    return type("Grip", (), kind)


def mark(hand, level, *selectors):
    """Mark elements as one block, or as main content, and select them."""
    targets = [Target(hand.row(each)) for each in selectors]
    if level == MAIN:
        hand.workbench.marking.change("mark", lambda g, n: edits.add_main(g, n, targets))
    else:
        hand.workbench.marking.change("mark", lambda g, n: edits.add_block(g, n, targets, level))
    hand.session.selection.set_selected([each.id for each in hand.session.open.gold.marks])


def words(hand):
    return hand.session.open.gold.as_extraction(hand.session.open.page).text.split()


def targets(hand):
    return [target for each in hand.session.open.gold.marks for target in each.targets]


def undo_count(hand):
    return hand.workbench.marking.stack.index()


def wait(hand, level, *selectors):
    wanted = [hand.row(each) for each in selectors]
    hand.qtbot.waitUntil(lambda: hand.marked(level) == [wanted], timeout=20_000)


def test_the_lower_handle_of_a_block_takes_its_last_part_out_and_in_again(hand, grip):
    hand.open(PAGE)
    mark(hand, 1, "#story")
    steps = undo_count(hand)
    start = grip.place("s")
    hand.drag(start, QPoint(start.x(), grip.edge("#second", "bottom") + 4))
    wait(hand, 1, "#head", "#first", "#second")
    assert undo_count(hand) == steps + 1
    start = grip.place("s")
    hand.drag(start, QPoint(start.x(), grip.edge("#story", "bottom")))
    wait(hand, 1, "#story")
    hand.workbench.page_session.undo()
    wait(hand, 1, "#head", "#first", "#second")


def test_a_side_handle_takes_the_neighbour_beside_and_no_card_below(hand, grip):
    hand.open(PAGE)
    mark(hand, 2, "#one")
    start = grip.place("e")
    hand.drag(start, QPoint(grip.edge("#two", "right") - 6, start.y()))
    wait(hand, 2, "#one", "#two")
    start = grip.place("w")
    hand.drag(start, QPoint(grip.edge("#two", "left"), start.y()))
    wait(hand, 2, "#two")


def test_a_corner_handle_widens_main_content_over_elements_of_several_parents(hand, grip):
    hand.open(PAGE)
    mark(hand, MAIN, "#second")
    hand.drag(grip.place("n"), QPoint(grip.place("n").x(), grip.edge("#head", "top")))
    rows = [[hand.row(each)] for each in ("#head", "#first", "#second")]
    hand.qtbot.waitUntil(lambda: hand.marked(MAIN) == rows, timeout=20_000)
    assert len(hand.session.selection.selected) == 3
    start = grip.place("se")  # of all three: nothing else is in their frame
    end = QPoint(grip.edge("#story", "right"), grip.edge(".cards", "bottom"))
    hand.drag(start, end)
    hand.qtbot.waitUntil(lambda: {"Ferry", "sails", "Three"} <= set(words(hand)), timeout=20_000)
    assert "Quay" not in words(hand)


def test_escape_gives_a_drag_up_and_the_hint_counts_words_while_it_lasts(hand, grip):
    hand.open(PAGE)
    mark(hand, 1, "#story")
    before, handles = hand.session.open.gold, hand.workbench.marking.handles
    start = grip.place("s")
    hand.hold(start, QPoint(start.x(), grip.edge("#second", "bottom") + 4))
    hand.qtbot.waitUntil(lambda: handles.words == "17 words, −5", timeout=20_000)
    assert hand.ask("pagelet.handles.spots().length") == 8
    assert hand.workbench.main_area.step_back()
    assert handles.taken == ()
    hand.let_go(start)
    hand.ask("1")
    assert hand.session.open.gold == before
    assert undo_count(hand) == 1
    hand.click("#second")  # the mouse is free again
    hand.qtbot.waitUntil(lambda: len(hand.session.selection.selected) == 1, timeout=20_000)


@pytest.mark.slow
def test_a_drag_ends_with_its_page_and_changes_neither_page(hand, grip):
    hand.open(PAGE)
    mark(hand, 1, "#story")
    before, handles = hand.session.open.gold, hand.workbench.marking.handles
    start = grip.place("s")
    hand.hold(start, QPoint(start.x(), grip.edge("#second", "bottom") + 4))
    hand.qtbot.waitUntil(lambda: handles.words != "", timeout=20_000)
    first = hand.session.open.document
    hand.open(PAGE, "second.html")
    mark(hand, 1, "#story")
    there = hand.session.open.gold
    assert handles.taken == ()
    hand.let_go(start)
    hand.ask("1")
    assert hand.session.open.gold == there
    hand.open_path(Path(first.address))
    assert hand.session.open.gold.marks == before.marks
    mark_id = hand.session.open.gold.marks[0].id
    hand.session.selection.set_selected([mark_id])
    start = grip.place("s")  # the mouse is free again
    hand.drag(start, QPoint(start.x(), grip.edge("#second", "bottom") + 4))
    wait(hand, 1, "#head", "#first", "#second")


def test_handles_at_the_ends_of_a_text_take_whole_words(hand, grip):
    hand.open(PAGE)
    text = hand.row("#second") + 1
    part = Target(text, 7, 15)  # was hurt
    hand.workbench.marking.change("mark", lambda g, n: edits.add_main(g, n, [part]))
    hand.session.selection.set_selected([hand.session.open.gold.marks[0].id])
    assert set(grip.spots()) == {"first", "last"}
    end = grip.place("last")
    hand.drag(end, end + QPoint(45, 0))  # along the line, the mouse below it
    hand.qtbot.waitUntil(
        lambda: targets(hand) == [Target(text, 7, 28)], timeout=20_000
    )  # the captain
    start = grip.place("first")
    up = grip.edge("#second", "top") - grip.edge("#first", "top")
    hand.drag(start, QPoint(grip.edge("#first", "left") + 40, start.y() - up))
    hand.qtbot.waitUntil(lambda: len(hand.session.open.gold.marks) == 2, timeout=20_000)
    assert words(hand)[0] in ("ferry", "returned")
    assert set(grip.spots()) == {"first", "last"}  # one run over two paragraphs
    hand.workbench.page_session.undo()
    assert targets(hand) == [Target(text, 7, 28)]


def test_keys_move_the_ends_of_a_block_and_of_a_text(hand):
    hand.open(PAGE)
    reach = hand.workbench.marking.commands.reach
    mark(hand, 1, "#story")
    reach("last", False)
    reach("first", False)
    assert hand.marked(1) == [[hand.row("#first"), hand.row("#second")]]
    reach("last", True)
    reach("first", True)
    parts = ("#head", "#first", "#second", "#third")
    assert hand.marked(1) == [[hand.row(each) for each in parts]]
    reach("first", True)
    assert "no previous neighbour" in hand.session.messages.message
    hand.workbench.delete_selected()
    text = hand.row("#second") + 1
    part = Target(text, 7, 15)
    hand.workbench.marking.change("mark", lambda g, n: edits.add_main(g, n, [part]))
    hand.session.selection.set_selected([hand.session.open.gold.marks[0].id])
    for end, grows, wanted in (
        ("last", True, "was hurt, the"), ("first", True, "Nobody was hurt, the"),
        ("first", True, "morning. Nobody was hurt, the"),
        ("last", False, "morning. Nobody was hurt"),
        ("first", False, "Nobody was hurt"), ("first", False, "was hurt"),
        ("last", False, "was"), ("last", False, "was"),
    ):  # fmt: skip
        reach(end, grows)
        assert [w.strip(".,") for w in words(hand)] == [w.strip(".,") for w in wanted.split()]


@pytest.mark.parametrize("zoom", [0.5, 1.0, 2.0])
def test_handles_take_the_mouse_on_24_px_at_every_zoom_and_never_two_at_once(hand, grip, zoom):
    hand.open(PAGE)
    hand.workbench.canvas.set_zoom(zoom)
    zoom = hand.workbench.canvas.zoom
    mark(hand, 1, "#story")
    found = grip.spots().values()
    assert len(found) == 8
    for one in found:
        assert 2 * one["half"] * zoom >= 24 - 1e-6
        at = [one["at"], [one["at"][0] + one["half"] - 0.1, one["at"][1] - one["half"] + 0.1]]
        for x, y in at:
            assert hand.ask(f"pagelet.handles.at({x}, {y})?.name") == one["name"]
    x, y = next(iter(found))["at"]
    assert hand.ask(f"pagelet.handles.at({x - 16 / zoom}, {y})") is None


def test_nothing_is_drawn_without_a_selection_with_two_blocks_or_while_marks_are_locked(hand, grip):
    hand.open(PAGE)
    mark(hand, 1, "#story")
    assert len(grip.spots()) == 8
    mark(hand, 1, "#nav")  # both are selected
    assert not grip.spots()
    hand.session.selection.set_selected([hand.session.open.gold.marks[0].id])
    assert len(grip.spots()) == 8
    hand.session.selection.set_mode(Mode.WHY)
    assert not grip.spots()
    hand.session.selection.set_mode(Mode.SELECT)
    hand.workbench.clear_selection()
    assert not grip.spots()


def test_the_handles_of_a_scrolled_page_lie_on_the_mark_and_scroll_the_page_while_dragged(
    hand, grip
):
    hand.open(PAGE)
    mark(hand, 1, "#foot")
    hand.point_of("#foot")
    hand.ask("new Promise((done) => requestAnimationFrame(done)) && 1")
    start = grip.place("n")
    assert abs(start.y() - grip.edge("#foot", "top")) < 16
    before = hand.ask("scrollY")
    hand.hold(start, QPoint(start.x(), 5))
    hand.qtbot.waitUntil(lambda: hand.ask("scrollY") < before - 100, timeout=20_000)
    hand.workbench.main_area.step_back()
    hand.let_go(start)


def test_fields_and_flags_of_main_content_survive_a_change_of_its_extent(hand):
    hand.open(PAGE)
    mark(hand, MAIN, "#second")
    one = hand.session.open.gold.marks[0].id
    hand.workbench.marking.change("flag", lambda g, n: edits.set_unsure(g, [one], True))
    hand.workbench.marking.commands.reach("last", True)
    assert [m.is_unsure for m in hand.session.open.gold.marks] == [True, True]
    assert hand.session.open.gold.marks[-2].id == one or hand.session.open.gold.marks[-1].id == one
