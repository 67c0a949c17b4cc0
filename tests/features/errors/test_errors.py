"""Errors of a method on its page: drawn, listed and walked by key, each in view, none missed."""

import pytest
from PySide6.QtCore import Qt

from algorithms.core.catalogue import method
from algorithms.explain.differences import ErrorKind, text_errors
from algorithms.explain.page_errors import ErrorOrder, in_source
from annotate.evaluation.robustness.perturbed import after_change
from gui.features.errors.panel import ErrorsDock
from gui.features.errors.state import CHANGES, ErrorWalk
from gui.features.errors.text_diff import TextDiffDock
from gui.state.layers import GOLD_LAYERS
from resources import path
from tests.gui.parts import press
from tests.hand import Hand

pytestmark = pytest.mark.web

IN_VIEW = """(() => {
  const [index, start, end] = %s;
  const range = document.createRange();
  range.setStart(pagelet.nodes[index], start);
  range.setEnd(pagelet.nodes[index], end);
  const { top, bottom } = range.getBoundingClientRect();
  return top < innerHeight && bottom > 0 && (top >= 0 || bottom - top > innerHeight);
})()"""

SLOW = (
    "blog",
    "cookie",
    "docs",
    "encyclopedia",
    "forum",
    "gallery",
    "magazine",
    "minified",
    "recipe",
)
SAMPLES = ("news", *(pytest.param(n, marks=pytest.mark.slow) for n in SLOW))


@pytest.fixture
def hand(window, qtbot, tmp_path):
    return Hand(window.workbench, qtbot, tmp_path)


def open_sample(window, hand, name):
    with hand.qtbot.waitSignal(window.session.open.page_changed, timeout=20_000):
        window.workbench.navigation.open_path(str(path("corpus") / name / "index.html"))
    hand.wait_for_methods()


def show_errors(window, hand, key):
    if all(layer.key != key for layer in window.session.layers.all):
        window.session.layers.add_method(key)
        hand.wait_for_methods()
    window.session.layers.set_current_layer(key)
    if not window.session.get(ErrorWalk).is_shown:
        press(hand, Qt.Key.Key_F7)
    hand.qtbot.waitUntil(
        lambda: (
            window.session.get(ErrorWalk).key == key and bool(window.session.get(ErrorWalk).items)
        ),
    )


@pytest.mark.parametrize("name", SAMPLES)
def test_one_key_walks_all_errors_and_brings_each_into_view(window, hand, name):
    open_sample(window, hand, name)
    session = window.session
    key = "accb"
    show_errors(window, hand, key)
    result = session.layers.outcomes[key].result
    gold = in_source(
        session.open.page, session.open.gold.as_extraction(session.open.page), result.source
    )
    expected = [(error.first, error.last) for error in text_errors(result, gold)]
    seen = []
    for index in range(len(expected)):
        press(hand, Qt.Key.Key_J)
        assert session.get(ErrorWalk).index == index
        error = session.get(ErrorWalk).current
        seen.append(error.span)
        assert session.get(ErrorWalk).status.startswith(f"{index + 1} of {len(expected)}")
        assert window.panel(ErrorsDock).list.currentRow() == index
        if error.ranges:
            number = window.workbench.canvas.pieces.range(*error.ranges[0])
            assert hand.ask(IN_VIEW % number), error.text
    assert seen == expected
    press(hand, Qt.Key.Key_J)
    assert session.get(ErrorWalk).index == 0


def test_the_list_sets_the_current_error_and_escape_hides_the_errors(window, hand):
    open_sample(window, hand, "news")
    show_errors(window, hand, "bte")
    assert window.panel(ErrorsDock).isVisible()
    last = len(window.session.get(ErrorWalk).items) - 1
    window.panel(ErrorsDock).list.setFocus()
    hand.qtbot.keyClick(window.panel(ErrorsDock).list, Qt.Key.Key_End)
    assert window.session.get(ErrorWalk).index == last
    window.workbench.canvas.view.setFocus()
    press(hand, Qt.Key.Key_Escape)
    assert not window.session.get(ErrorWalk).is_shown
    assert not window.panel(ErrorsDock).isVisible()


def test_errors_sorted_by_size_begin_with_the_largest(window, hand):
    open_sample(window, hand, "news")
    show_errors(window, hand, "accb")
    hand.qtbot.mouseClick(
        window.panel(ErrorsDock).order.button(ErrorOrder.SIZE), Qt.MouseButton.LeftButton
    )
    amounts = [error.amount for error in window.session.get(ErrorWalk).items]
    assert amounts == sorted(amounts, reverse=True)
    assert len(set(amounts)) > 1


def test_differences_of_two_methods_report_whether_gold_has_the_text(window, hand):
    open_sample(window, hand, "news")
    show_errors(window, hand, "accb")
    errors = window.panel(ErrorsDock)
    position = errors.against.findData("plain")
    errors.against.setFocus()
    hand.qtbot.keyClick(errors.against, Qt.Key.Key_Home)
    for _ in range(position):
        hand.qtbot.keyClick(errors.against, Qt.Key.Key_Down)
    hand.qtbot.waitUntil(
        lambda: all(e.in_gold is not None for e in window.session.get(ErrorWalk).items)
    )
    result = window.session.get(ErrorWalk).items
    assert {error.kind for error in result} == {ErrorKind.MISSING}  # plain keeps all words
    assert {error.in_gold for error in result} == {True, False}


def test_errors_of_a_segmenter_are_missed_split_and_merged_blocks(window, hand):
    open_sample(window, hand, "news")
    show_errors(window, hand, "webterrain")
    kinds = {str(error.kind) for error in window.session.get(ErrorWalk).items}
    assert kinds <= {"missed", "superfluous block", "split", "merged", "off"}
    assert kinds
    areas = [error.amount for error in window.session.get(ErrorWalk).items]
    assert min(areas) > 0


def test_the_panel_asks_to_mark_main_content_or_to_choose_a_method(window, hand):
    hand.open("<p>One paragraph of a page that nobody has marked.</p>")
    window.session.layers.set_current_layer("bte")
    press(hand, Qt.Key.Key_F7)
    hand.qtbot.waitUntil(lambda: "Mark main content" in window.panel(ErrorsDock).counts.text())
    window.session.layers.set_current_layer(next(iter(GOLD_LAYERS)))
    hand.qtbot.waitUntil(lambda: "Choose a method" in window.panel(ErrorsDock).counts.text())


@pytest.mark.slow
def test_the_text_comparison_marks_each_error_and_a_click_chooses_it(window, hand):
    open_sample(window, hand, "news")
    show_errors(window, hand, "accb")
    press(hand, Qt.Key.Key_F7, Qt.KeyboardModifier.ShiftModifier)
    walk, text = window.session.get(ErrorWalk), window.panel(TextDiffDock)
    assert text.isVisible()
    assert text.marked() == [(str(error.kind), error.text) for error in walk.items]
    shown = text.text.toPlainText()
    for _ in walk.items:
        press(hand, Qt.Key.Key_J)
        start, end = text.range_of(walk.current)
        assert shown[start:end].split() == walk.current.text.split()
    walk.choose(0)
    cursor = text.text.textCursor()
    cursor.setPosition(text.range_of(walk.items[3])[0] + 1)
    text.text.setTextCursor(cursor)
    position = text.text.cursorRect(cursor).center()
    hand.qtbot.mouseClick(text.text.viewport(), Qt.MouseButton.LeftButton, pos=position)
    assert walk.index == 3


@pytest.mark.slow
def test_a_walk_that_starts_again_begins_at_the_first_error(window, hand):
    open_sample(window, hand, "news")
    show_errors(window, hand, "accb")
    walk = window.session.get(ErrorWalk)
    for _ in range(2):
        walk.choose(2)
        walk.show(False)
        walk.start()
        hand.qtbot.waitUntil(lambda: walk.index == 0, timeout=60_000)


SCRIPTED = """<title>Ferry</title>
<p id=story>The ferry returned to the harbour this morning, after a night at sea, they said.</p>
<p id=old>An old notice that nobody will read any more after today.</p><p id=slot></p>
<script>document.getElementById('old').remove();
document.getElementById('slot').textContent = 'Late news: the captain is well and thanks all.'
</script>"""


def test_a_method_is_compared_with_itself_on_the_other_input(window, qtbot, tmp_path):
    hand = Hand(window.workbench, qtbot, tmp_path)
    hand.open(SCRIPTED)
    session, walk = window.session, window.session.get(ErrorWalk)
    session.layers.add_method("plain")
    hand.wait_for_methods()
    press(hand, Qt.Key.Key_F7)
    box = window.panel(ErrorsDock).against
    words = [box.itemText(index) for index in range(box.count())]
    assert "against itself on the original HTML" in words
    box.setCurrentIndex(words.index("against itself on the original HTML"))
    box.activated.emit(box.currentIndex())
    qtbot.waitUntil(lambda: len(walk.items) == 2, timeout=20_000)
    gone, new = walk.items
    assert (str(gone.kind), gone.is_elsewhere) == ("missing", True)
    assert gone.text == "An old notice that nobody will read any more after today."
    assert gone.rows == ()
    assert str(new.kind) == "superfluous"
    assert new.text.startswith("Late news")
    assert new.rows == (hand.row("#slot") + 1,)
    kinds = [(str(piece.kind), piece.text[:3]) for piece in walk.pieces if piece.kind]
    assert kinds == [("missing", "An "), ("superfluous", "Lat")]
    press(hand, Qt.Key.Key_J)
    assert walk.status.endswith("not shown on the page")


def test_the_first_drawn_method_shows_its_errors_when_gold_is_current(window, hand):
    open_sample(window, hand, "news")
    window.session.layers.set_current_layer(next(iter(GOLD_LAYERS)))
    drawn = [each.key for each in window.session.layers.all if each.visible and not each.is_gold]
    press(hand, Qt.Key.Key_F7)
    hand.qtbot.waitUntil(lambda: bool(window.session.get(ErrorWalk).items))
    assert window.session.layers.current_layer == window.session.get(ErrorWalk).key == drawn[0]
    press(hand, Qt.Key.Key_F7)
    assert not window.session.get(ErrorWalk).is_shown


def test_the_errors_key_takes_the_first_method_when_none_is_drawn(window, hand):
    open_sample(window, hand, "news")
    window.session.layers.set_current_layer(next(iter(GOLD_LAYERS)))
    for each in window.session.layers.all:
        if not each.is_gold:
            window.session.layers.change_layer(each.key, visible=False)
    press(hand, Qt.Key.Key_F7)
    assert window.session.get(ErrorWalk).is_shown
    methods = [each.key for each in window.session.layers.all if not each.is_gold]
    assert window.session.layers.current_layer == methods[0]


SHORT_NAMES = "<title>Ferry</title>" + "".join(
    f'<p class="a b">{text} {text}</p>'
    for text in 2 * ("The ferry returned to the harbour this morning,",
                     "after a night at sea, they said,", "and nobody had been hurt or lost.")
)  # fmt: skip


def test_a_method_is_compared_with_itself_after_a_harmless_change(window, qtbot, tmp_path):
    hand = Hand(window.workbench, qtbot, tmp_path)
    hand.open(SHORT_NAMES)
    session, walk = window.session, window.session.get(ErrorWalk)
    session.layers.add_method("accb")
    hand.wait_for_methods()
    press(hand, Qt.Key.Key_F7)
    box = window.panel(ErrorsDock).against
    words = [box.itemText(index) for index in range(box.count())]
    assert "against itself, blocks wrapped" in words
    assert "against itself, texts a third longer" in words
    assert not any("UTF-16" in each for each in words), "what is kept of bytes is not shown"
    box.setCurrentIndex(words.index("against itself, class and id names scrambled"))
    box.activated.emit(box.currentIndex())
    source = session.open.page.source(session.layers.layer("accb").source)
    expected = after_change(
        method("accb"), session.layers.layer("accb").params, source, CHANGES["change names"]
    )
    differs = text_errors(session.layers.outcomes["accb"].result, expected)
    assert {str(each.kind) for each in differs} == {"superfluous"}, "longer names, less text"
    qtbot.waitUntil(
        lambda: [each.text for each in walk.items] == [each.text for each in differs],
        timeout=20_000,
    )
    assert walk.trouble == ""


def test_errors_of_one_page_are_never_drawn_on_the_next(window, hand):
    open_sample(window, hand, "news")
    show_errors(window, hand, "accb")
    walk, drawn = window.session.get(ErrorWalk), []
    assert walk.items
    window.session.open.document_changed.connect(lambda: drawn.append(walk.items))
    window.session.open.page_changed.connect(lambda: drawn.append(walk.items))
    hand.open("<title>Short</title><p>One line.</p>", "short.html")
    assert drawn == [(), ()]
    assert "Something went wrong" not in window.session.messages.message
