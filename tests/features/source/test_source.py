"""The Source panel on a live page: scrolled with it, folded, searched and marked."""

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt

from engine.source import Source
from gui.features.source.lines import Folds, SourceLines
from gui.features.source.locations import SourceLocations
from gui.features.source.panel import ALIGNED, RESULT, SCRIPTS, SourceDock
from gui.features.source.syntax import Syntax
from gui.features.source.view import SourceView
from gui.widgets.theme import DARK, INKS, LIGHT, contrast
from tests.gui.parts import press
from tests.hand import hand_in_window

PAGE = """
<title>Harbour news</title>
<header id=top>The Courier</header>
<section id=story>
<h1 id=head>Ferry back</h1>
<p id=first>The ferry <b>returned</b> to the harbour this morning.</p>
<p id=second>Nobody was hurt, the captain said later.</p>
</section>
<p id=gone>soon away</p>
<script>document.getElementById('gone').remove();
document.body.insertAdjacentHTML('beforeend',
  '<div id=late>written later by a script</div>')</script>
"""


def spans_of(html, columns):
    return SourceLines.of(html, columns).spans.tolist()


def test_lines_are_wrapped_at_the_width_of_the_panel():
    assert spans_of("abcdefgh\nij\n\nk", 3) == [
        [0, 3], [3, 6], [6, 8], [9, 11], [12, 12], [13, 14]
    ]  # fmt: skip
    assert SourceLines.of("abcdefgh\nij", 3).number.tolist() == [1, 1, 1, 2]
    assert spans_of("", 10) == [[0, 0]]


@given(st.text(st.characters(codec="utf-8"), max_size=80), st.integers(1, 9))
def test_no_character_is_lost_or_shown_twice(html, columns):
    lines = SourceLines.of(html, columns)
    shown = "".join(html[a:b] for a, b in lines.spans.tolist())
    assert shown == html.replace("\n", "")
    for offset in range(len(html)):
        if html[offset] != "\n":
            a, b = lines.spans[lines.at(offset)].tolist()
            assert a <= offset < b


def test_a_folded_element_keeps_its_first_and_last_line():
    source = Source.from_text("<div>\n<p>one\n<b>two</b>\nthree</p>\n</div>\nafter")
    lines = SourceLines.of(source.html, 80)
    folds = Folds.of(source.tree, lines)
    row = int(folds.rows[folds.by_line[1]])
    assert folds.shown(frozenset([row]), len(lines)).tolist() == [0, 1, 3, 4, 5]


def test_a_part_of_a_source_is_coloured_by_its_syntax():
    html = '<p class="a">one &amp; <!-- no --> two</p>\n' * 400
    source = Source.from_text(html)
    pieces = Syntax(source).pieces(9000, 9200)
    assert all(a < 9200 and b > 9000 for a, b, _ in pieces)
    text = {(html[a:b], kind) for a, b, kind in pieces}
    assert ('"a"', "value") in text
    assert ("class", "attribute") in text or ("class=", "attribute") in text
    assert ("&amp;", "entity") in text


def test_the_inside_of_a_long_script_is_coloured_as_javascript():
    code = "function f(a) { return 'text' + 12; } // why\n" * 2000
    source = Source.from_text(f"<p>x</p><script>{code}</script><p>y</p>")
    kinds = {kind for _, _, kind in Syntax(source).pieces(50_000, 50_400)}
    assert {"keyword", "value", "number", "comment"} <= kinds


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_every_colour_has_a_contrast_of_at_least_4_5(theme):
    for kind, ink in INKS[theme.name].items():
        assert contrast(ink, theme.panel) >= 4.5, kind


@pytest.mark.slow
def test_a_line_of_a_megabyte_is_shown_scrolled_and_searched_without_delay(qtbot):
    html = "<div><p class='k'>word and another word</p><script>var a = 1;</script></div>" * 14_000
    assert len(html) > 1_000_000
    view = SourceView()
    qtbot.addWidget(view)
    view.resize(700, 900)
    view.show()
    source = Source.from_text(html)
    assert len(source.tree) > 50_000  # parsed before, as it is on a page
    begin = time.thread_time()
    view.set_source(source)
    view.grab()
    opened = time.thread_time() - begin
    frames = []
    for _ in range(20):
        begin = time.thread_time()
        qtbot.keyClick(view, Qt.Key.Key_PageDown)
        view.grab()
        frames.append(time.thread_time() - begin)
    assert view.search("another") == 14_000
    assert opened < 1.0
    assert np.median(frames) < 0.1


hand = hand_in_window


@pytest.fixture
def dock(window, hand, qtbot):
    window.resize(1600, 1000)  # lines of the page are whole in the panel
    qtbot.waitUntil(lambda: window.width() == 1600)
    press(hand, Qt.Key.Key_U, Qt.KeyboardModifier.ControlModifier)
    assert window.panel(SourceDock).isVisible()
    assert window.focusWidget() is window.panel(SourceDock).view
    return window.panel(SourceDock)


def lit(dock):
    page = dock._session.open.page
    html = (page.dom if dock.inputs.button("dom").isChecked() else page.original).html
    start, end = dock.view.span
    return html[start:end]


@pytest.mark.web
def test_the_element_framed_on_the_page_is_highlighted_in_the_source(window, hand, dock):
    for source in ("original", "dom"):
        dock.set_input(source)
        window.session.selection.set_candidate(hand.row("#first"))
        assert lit(dock).startswith("<p id="), source
        assert lit(dock).endswith("morning.</p>"), source
        window.session.selection.set_candidate(hand.row("#first b"))
        assert lit(dock) == "<b>returned</b>", source


@pytest.mark.web
def test_an_element_written_by_a_script_is_not_in_the_original_source(window, hand, dock):
    window.session.selection.set_candidate(hand.row("#late"))
    assert lit(dock).startswith('<div id="late">')
    dock.set_input("original")
    assert dock.view.span == (-1, -1)
    assert "not in this source" in dock.message.text()


@pytest.mark.web
def test_the_position_of_an_element_in_the_source_leads_back_to_it(window, hand):
    page = window.session.open.page
    rows = [hand.row(selector) for selector in ("#top", "#head", "#first b", "#second")]
    for source in ("original", "dom"):
        positions = SourceLocations(page, page.source(source))
        for row in rows:
            start, end = positions.span(row)
            assert positions.row((start + end) // 2) == row, source


@pytest.mark.web
def test_the_caret_frames_an_element_on_the_page_and_enter_selects_it(window, hand, dock, qtbot):
    html = window.session.open.page.dom.html
    point = dock.view.point_of(html.index("hurt")).toPoint()
    qtbot.mouseClick(dock.view.viewport(), Qt.MouseButton.LeftButton, pos=point)
    assert window.session.selection.candidate == hand.row("#second")
    qtbot.keyClick(dock.view, Qt.Key.Key_Up)
    assert window.session.selection.candidate == hand.row("#first")
    qtbot.keyClick(dock.view, Qt.Key.Key_Return)
    assert lit(dock).startswith('<p id="first">')


def lines_in_view(view):
    if view._source is None:
        return []
    return [view._source.html[a:b] for a, b in view._lines.spans[view._lines_in_view()].tolist()]


@pytest.mark.web
def test_a_key_folds_an_element_and_a_search_unfolds_it(window, hand, dock, qtbot):
    window.session.selection.set_candidate(hand.row("#head"))
    dock.view.setFocus()
    qtbot.keyClick(dock.view, Qt.Key.Key_Left)
    assert dock.view.is_folded
    assert not any("Ferry back" in line for line in lines_in_view(dock.view))
    qtbot.keyClick(
        dock.view,
        Qt.Key.Key_F,
        Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
    )
    qtbot.keyClicks(dock.field, "ferry BACK")
    assert any("Ferry back" in line for line in lines_in_view(dock.view))
    assert dock.message.text() == "1 of 1 found"


def choose_marking(dock, key):
    index = dock.marking.findData(key)
    dock.marking.setCurrentIndex(index)
    dock.marking.activated.emit(index)


def marked(dock):
    page = dock._session.open.page
    html = (page.dom if dock.inputs.button("dom").isChecked() else page.original).html
    return [html[a:b] for a, b in dock.view.marks.spans.tolist()]


@pytest.mark.web
def test_elements_added_and_removed_by_scripts_are_marked(window, hand, dock, qtbot):
    choose_marking(dock, SCRIPTS)
    qtbot.waitUntil(lambda: "scripts added" in dock.message.text())
    assert marked(dock) == ['<div id="late">', "written", "later", "by", "a", "script"]
    dock.set_input("original")
    qtbot.waitUntil(lambda: "scripts removed" in dock.message.text())
    assert marked(dock) == ["<p id=gone>", "soon", "away"]
    choose_marking(dock, ALIGNED)
    qtbot.waitUntil(lambda: "not found on the page" in dock.message.text())
    assert marked(dock) == ["soon", "away"]


@pytest.mark.web
def test_the_panel_marks_the_steps_and_the_result_of_the_current_method(window, hand, dock, qtbot):
    window.session.layers.change_layer("bp-numwords", source="dom")
    window.session.layers.set_current_layer("bp-numwords")
    hand.wait_for_methods()
    choose_marking(dock, "step:-1")
    qtbot.waitUntil(lambda: "to keep" in dock.message.text())
    assert "Nobody was hurt, the captain said later." in marked(dock)
    choose_marking(dock, RESULT)
    qtbot.waitUntil(lambda: "taken" in dock.message.text())


@pytest.mark.web
def test_nothing_is_shown_without_a_page(window, qtbot):
    window.panel(SourceDock).show()
    assert lines_in_view(window.panel(SourceDock).view) == []


@pytest.mark.web
def test_a_key_cycles_through_the_kinds_of_marking(window, hand, dock, qtbot):
    first = dock.marking.currentText()
    seen = []
    while first not in seen:
        keys = Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.ShiftModifier
        qtbot.keyClick(dock.view, Qt.Key.Key_V, keys)
        seen.append(dock.marking.currentText())
    assert len(seen) >= 3
