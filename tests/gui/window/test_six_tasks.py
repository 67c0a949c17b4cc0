"""Six tasks of a user study, by real events, with each click, key and drag counted."""

import pytest
from PySide6.QtCore import QPoint, Qt

from annotate.marks import edits
from annotate.marks.gold import MAIN, Gold, MarkState, Target
from gui.features.marks.type_prompt import TYPE_KEYS
from tests.gui.parts import press
from tests.hand import Hand

pytestmark = pytest.mark.web

CTRL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier
SHIFT, NONE = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.NoModifier

COLUMNS = "".join(
    f"<section class=c{k} id=c{k}><h3>Service {k}</h3><p>The office helps with forms of kind {k} "
    "on weekdays from nine to noon.</p></section>"
    for k in range(7)
)
STYLE = """<title>Harbour office</title>
<style>body{margin:0;font:15px/20px sans-serif} #brand,nav,main,aside,footer{padding:14px}
#brand{font-size:26px} #top{margin-bottom:24px} nav{background:#dde6ee} nav a{margin-right:24px}
#middle{display:flex;gap:24px} main{flex:1} aside{width:280px;background:#f2f2f2}
#columns{display:flex;gap:12px;margin:24px 14px} h3{margin:0 0 6px} footer{background:#ccd}
#columns section{flex:1;padding:8px;background:#f6f2ea} main p{margin:14px 0}</style>"""
PAGE = f"""{STYLE}
<div id=top><div id=brand>Office of the harbour</div>
<nav id=nav><a href=/>Home</a><a href=/forms>Forms</a><a href=/contact>Contact</a></nav></div>
<div id=middle><main id=main><h2 id=news>New forms for ferries</h2>
<p>From the first of May every ferry needs a form of its own, which the office hands out.</p>
<p>Whoever has a form of last year may use it until it is full, and bring it back then.</p></main>
<aside id=side><h3>Notices</h3><p>The office is closed on Monday.</p>
<p>The quay is being mended.</p></aside></div>
<div id=columns>{COLUMNS}</div>
<footer id=foot>Harbour office, 1 Quay Street, open from nine to noon</footer>
"""


class Counted:
    """Counts clicks, keys and drags of a hand; moving the mouse is not counted."""

    def __init__(self, hand: Hand) -> None:
        self.hand, self.count = hand, 0

    def key(self, key: Qt.Key, keys=NONE) -> None:
        press(self.hand, key, keys)
        self.count += 1

    def type(self, name: str) -> None:
        self.key(getattr(Qt.Key, f"Key_{TYPE_KEYS[name]}"))

    def click(self, selector: str) -> None:
        row = self.hand.row(selector)
        self.hand.hover(selector)
        before = self.hand.session.open.gold
        self.hand.click(selector)
        self.hand.qtbot.waitUntil(lambda: self.hand.session.open.gold != before, timeout=20_000)
        assert any(t.row == row for m in self.hand.session.open.gold.marks for t in m.targets)
        self.count += 1

    def drag(self, first: str, last: str = "", keys=NONE) -> None:
        """Drag from outside of the upper left corner to outside of the lower right one."""
        left, top, right, bottom = self.hand.ask(
            "((a, b) => [a.left - 3, a.top - 3, b.right + 3, b.bottom + 3])"
            f"(document.querySelector('{first}').getBoundingClientRect(),"
            f" document.querySelector('{last or first}').getBoundingClientRect())"
        )
        zoom = self.hand.workbench.canvas.zoom
        before = self.hand.session.open.gold
        start = QPoint(max(0, round(left * zoom)), max(0, round(top * zoom)))
        self.hand.drag(start, QPoint(round(right * zoom), round(bottom * zoom)), keys)
        self.hand.qtbot.waitUntil(lambda: self.hand.session.open.gold != before, timeout=20_000)
        self.count += 1


@pytest.fixture
def counted(window, qtbot, tmp_path):
    made = Hand(window.workbench, qtbot, tmp_path)
    made.open(PAGE, "office.html")
    window.session.selection.suggests_types = True  # the default of the program
    return Counted(made)


def marked(hand, level):
    """Return the marks of a level as ids of elements with the decided type."""
    names = hand.ask("[...document.querySelectorAll('[id]')].map((each) => each.id)")
    rows = {hand.row(f"#{name}"): name for name in names}
    return {
        ("+".join(rows.get(t.row, "?") for t in mark.targets), mark.type)
        for mark in hand.session.open.gold.sure.of_level(level)
    }


LEVEL_1 = {("top", "Header"), ("main", "Content"), ("side", "Sidebar"), ("foot", "Footer")}
EACH_COLUMN = {(f"c{k}", "Article") for k in range(7)}
LEVEL_2 = {("brand", "Logo"), ("nav", "Menu"), ("news", "Title"), *EACH_COLUMN}


def test_level_1_without_drafts_takes_at_most_two_actions_per_block(counted):
    counted.key(Qt.Key.Key_1)
    for name, _ in sorted(LEVEL_1):
        counted.drag(f"#{name}")
    counted.key(Qt.Key.Key_Y, SHIFT)
    assert marked(counted.hand, 1) == LEVEL_1
    assert counted.count <= 2.0 * len(LEVEL_1)


@pytest.mark.slow
def test_level_2_without_drafts_takes_at_most_two_actions_per_block(counted):
    counted.key(Qt.Key.Key_2)
    counted.drag("#brand")
    counted.type("Logo")
    for name in ("nav", "news", "c0"):
        counted.drag(f"#{name}")
    counted.type("Article")
    counted.key(Qt.Key.Key_E, SHIFT)  # the six similar ones
    counted.key(Qt.Key.Key_Y, SHIFT)
    assert marked(counted.hand, 2) == LEVEL_2
    assert counted.count <= 2.0 * len(LEVEL_2)


def test_seven_columns_of_one_type_take_one_action_each_and_two_more(counted):
    counted.key(Qt.Key.Key_2)
    counted.type("Article")  # of all following blocks
    for name, _ in sorted(EACH_COLUMN):
        counted.drag(f"#{name}")
    assert marked(counted.hand, 2) == EACH_COLUMN
    assert counted.count == 7 + 2


@pytest.mark.slow
def test_both_levels_from_drafts_take_at_most_one_action_per_block(window, counted):
    hand, session = counted.hand, window.session
    if all(layer.key != "terrain" for layer in session.layers.all):
        session.layers.add_method("terrain")
    session.layers.set_current_layer("terrain")
    hand.wait_for_methods()
    counted.key(Qt.Key.Key_A, SHIFT)
    counted.drag("#brand", keys=ALT)  # a missing block; its level follows from its place
    counted.type("Logo")
    counted.drag("#nav", keys=ALT)
    counted.key(Qt.Key.Key_Y, SHIFT)
    outer = {("top", "Header"), ("middle", "Content"), ("columns", "Content"), ("foot", "Footer")}
    inner = {("brand", "Logo"), ("nav", "Menu"), ("main", "Content"), ("side", "Sidebar")}
    assert marked(hand, 1) == outer
    assert marked(hand, 2) == inner | EACH_COLUMN
    assert counted.count <= 1.0 * len(outer | inner | EACH_COLUMN)


def test_a_header_of_two_neighbours_takes_two_actions(counted):
    counted.drag("#brand", "#nav", ALT)
    counted.type("Header")
    (mark,) = counted.hand.session.open.gold.marks
    assert (mark.level, mark.type) == (1, "Header")
    assert counted.count == 2


def test_main_content_takes_one_action_in_every_mode(counted):
    hand = counted.hand
    left, top = hand.ask(
        "((r) => [r.left + 200, r.bottom - 4])"
        "(document.querySelector('#main').getBoundingClientRect())"
    )
    zoom = hand.workbench.canvas.zoom
    at = QPoint(round(left * zoom), round(top * zoom))  # between its paragraphs
    hand.qtbot.mouseMove(hand.target, at + QPoint(1, 0))
    hand.qtbot.mouseMove(hand.target, at)
    hand.qtbot.waitUntil(
        lambda: hand.session.selection.candidate == hand.row("#main"), timeout=20_000
    )
    counted.key(Qt.Key.Key_0)
    assert hand.marked(MAIN) == [[hand.row("#main")]]
    assert counted.count == 1


def point(hand, selector):
    hand.hover(selector)
    hand.qtbot.waitUntil(lambda: hand.session.selection.candidate == hand.row(selector))


def test_three_actions_mark_seven_similar_pieces_of_main_content(counted):
    hand = counted.hand
    each = [[hand.row(f"#c{k}")] for k in range(7)]
    counted.key(Qt.Key.Key_M)
    point(hand, "#c0 p")
    counted.key(Qt.Key.Key_BracketRight)
    counted.key(Qt.Key.Key_E, SHIFT)
    assert hand.marked(MAIN) == each
    assert counted.count == 3
    hand.workbench.page_session.undo()
    assert hand.marked(MAIN) == []
    counted.key(Qt.Key.Key_Return)
    assert hand.marked(MAIN) == each[:1]
    counted.key(Qt.Key.Key_E, SHIFT)  # of what is main content already, the others
    assert hand.marked(MAIN) == each
    point(hand, "#foot")  # nothing is similar to it
    press(hand, Qt.Key.Key_E, SHIFT)
    assert hand.marked(MAIN) == each
    assert "nothing else" in hand.session.messages.message


def test_one_key_removes_similar_elements_from_main_content(counted):
    hand = counted.hand
    counted.key(Qt.Key.Key_M)
    counted.drag("#c0", "#c6")
    point(hand, "#c3 h3")
    hint = hand.workbench.canvas.window().status_bar.hint
    hand.qtbot.waitUntil(lambda: "take out h3" in hint.whole)
    assert "Del all like it" in hint.whole
    counted.key(Qt.Key.Key_Delete, CTRL)
    assert hand.marked(MAIN) == [[hand.row(f"#c{k} p")] for k in range(7)]
    assert counted.count == 3
    hand.workbench.page_session.undo()
    assert hand.marked(MAIN) == [[hand.row("#columns")]]
    point(hand, "#foot")
    press(hand, Qt.Key.Key_Delete, CTRL)  # nothing is similar to it
    assert hand.marked(MAIN) == [[hand.row("#columns")]]


def test_one_key_removes_main_content_similar_to_an_unmarked_element(counted):
    hand = counted.hand
    press(hand, Qt.Key.Key_M)
    point(hand, "#c0 p")
    press(hand, Qt.Key.Key_BracketRight)
    press(hand, Qt.Key.Key_E, SHIFT)
    hand.session.selection.set_candidate(hand.row("#c3"))
    press(hand, Qt.Key.Key_Return)  # it alone is taken out
    assert len(hand.marked(MAIN)) == 6
    hand.session.selection.set_candidate(hand.row("#c3"))
    press(hand, Qt.Key.Key_Delete, CTRL)
    assert hand.marked(MAIN) == []


def framed_with_a_selected_block(hand, *, is_draft):
    """Frame an element with M while a block elsewhere is selected; return the status line."""
    targets = [Target(hand.row("#c1 p"))]
    hand.workbench.marking.change("mark", lambda g, n: edits.add_block(g, n, targets, 2, "Other"))
    (block,) = (m for m in hand.session.open.gold.marks if m.level == 2)
    if is_draft:
        draft = block.with_(state=MarkState.DRAFT)
        hand.workbench.marking.change(
            "draft", lambda g, _n: Gold(tuple(draft if m is block else m for m in g.marks))
        )
    press(hand, Qt.Key.Key_M)
    hand.session.selection.set_selected([block.id])
    point(hand, "#c3 h3")
    assert hand.session.selection.selected_marks()
    hint = hand.workbench.canvas.window().status_bar.hint
    hand.qtbot.waitUntil(lambda: "h3" in hint.whole)
    return hint.whole


def test_the_framed_element_is_removed_and_not_the_selected_draft(counted):
    hand = counted.hand
    press(hand, Qt.Key.Key_M)
    counted.drag("#c0", "#c6")
    assert hand.marked(MAIN) == [[hand.row("#columns")]]
    words = framed_with_a_selected_block(hand, is_draft=True)
    assert "take out h3 · Ctrl+Del all like it" in words
    press(hand, Qt.Key.Key_Delete, CTRL)
    assert hand.marked(MAIN) == [[hand.row(f"#c{k} p")] for k in range(7)]
    assert hand.marked(2) == [[hand.row("#c1 p")]]


def test_elements_similar_to_the_framed_one_are_marked_not_to_the_selected_block(counted):
    hand = counted.hand
    words = framed_with_a_selected_block(hand, is_draft=False)
    assert "take h3 · Shift+E all like it" in words
    press(hand, Qt.Key.Key_E, SHIFT)
    assert hand.marked(MAIN) == [[hand.row(f"#c{k} h3")] for k in range(7)]
    assert hand.marked(2) == [[hand.row("#c1 p")]]


def test_pieces_within_those_that_are_added_do_not_lessen_their_count(counted):
    hand, selection = counted.hand, counted.hand.session.selection
    counted.key(Qt.Key.Key_M)
    for selector in ("#c1 p", "#c2 p", "#c0"):
        selection.set_candidate(hand.row(selector))
        counted.key(Qt.Key.Key_Return)
    assert len(hand.marked(MAIN)) == 3
    counted.key(Qt.Key.Key_E, SHIFT)
    assert hand.marked(MAIN) == [[hand.row(f"#c{k}")] for k in range(7)]
    assert hand.session.messages.message == "6 similar elements marked"
