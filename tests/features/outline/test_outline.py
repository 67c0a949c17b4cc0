"""The outline and the page, which share one selection."""

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QApplication, QLabel

from algorithms.core.attempt import Outcome, OutcomeStatus
from algorithms.results import Block, Segmentation
from annotate.marks.gold import Gold, MarkState
from gui.features.outline.panel import OutlineDock, OutlineHost, nest_entries
from gui.features.outline.view import HOT, OutlineEntry
from gui.state.describe import beginning
from tests.gui.parts import (
    GOLD,
    HEADER,
    LOST,
    MAIN,
    MOVED,
    NODES,
    STORY,
    TITLE,
    CallRecorder,
    blocks,
)

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def host():
    return CallRecorder(OutlineHost)


@pytest.fixture
def dock(qtbot, session, host):
    made = OutlineDock(session, host)
    qtbot.addWidget(made)
    made.resize(280, 500)
    made.show()
    qtbot.waitExposed(made)
    return made


def items(dock):
    """Return every line as (depth, type or heading, item)."""
    result = []

    def walk(item, depth):
        entry = item.data(0, Qt.ItemDataRole.UserRole + 1)
        result.append((depth, entry.type if entry else item.text(0), item))
        for i in range(item.childCount()):
            walk(item.child(i), depth + 1)

    for i in range(dock.tree.topLevelItemCount()):
        walk(dock.tree.topLevelItem(i), 0)
    return result


def item_of(dock, name):
    return next(item for _, text, item in items(dock) if text == name)


def click(qtbot, dock, name):
    position = dock.tree.visualItemRect(item_of(dock, name)).center()
    qtbot.mouseClick(dock.tree.viewport(), LEFT, pos=position)


def entry(level, *rows):
    return OutlineEntry(rows, level, "", "")


def test_marks_are_nested_by_containment(dock):
    assert [(depth, text) for depth, text, _ in items(dock)] == [
        (0, "Header"),
        (0, "Content"),
        (1, "Article"),
        (0, "Main content  1"),
        (1, ""),
    ]
    assert dock.remark() == "4"


def test_level_2_is_nested_in_level_1_on_the_same_rows():
    result = nest_entries([entry(2, MAIN), entry(1, MAIN), entry(2, TITLE)], NODES)
    assert [(e.level, e.rows, parent) for e, parent in result] == [
        (1, (MAIN,), -1),
        (2, (MAIN,), 0),
        (2, (TITLE,), 1),
    ]


def test_a_group_that_extends_outside_is_not_nested():
    result = nest_entries([entry(1, MAIN), entry(2, HEADER, TITLE)], NODES)
    assert [parent for _, parent in result] == [-1, -1]


def test_blocks_in_any_node_of_a_group_are_nested_in_it():
    result = nest_entries([entry(1, TITLE, STORY), entry(2, STORY)], NODES)
    assert [parent for _, parent in result] == [-1, 0]


def test_the_beginning_of_a_text_is_cut_and_its_white_space_collapsed():
    assert beginning(NODES, (STORY,)) == "It returned this morning."
    assert beginning(NODES, (MAIN,), 12) == "Ferry back I"


def test_a_click_selects_the_mark_on_the_page(qtbot, dock, session, host):
    click(qtbot, dock, "Article")
    assert ("select_row", STORY) in host.calls
    assert session.selection.selected == ("story",)


def test_a_selection_on_the_page_selects_the_line_without_calls_to_the_host(dock, session, host):
    session.selection.set_selected(("head",))
    assert dock.tree.currentItem() is item_of(dock, "Header")
    assert host.calls == []


def test_hovering_a_line_frames_its_element_and_leaving_removes_the_frame(qtbot, dock, session):
    position = dock.tree.visualItemRect(item_of(dock, "Article")).center()
    qtbot.mouseMove(dock.tree.viewport(), position)
    qtbot.waitUntil(lambda: session.selection.candidate == STORY)
    QApplication.sendEvent(dock.tree.viewport(), QEvent(QEvent.Type.Leave))
    assert session.selection.candidate == -1


def test_the_smallest_block_under_the_mouse_is_highlighted(dock, session):
    session.selection.set_candidate(STORY)
    assert not item_of(dock, "Content").data(0, HOT)
    # main content has the same row as the article: the later line wins
    assert any(item.data(0, HOT) for _, _, item in items(dock))
    session.selection.set_candidate(TITLE)
    assert item_of(dock, "Content").data(0, HOT)
    session.selection.set_candidate(-1)
    assert not any(item.data(0, HOT) for _, _, item in items(dock))


def test_arrow_keys_walk_the_outline(qtbot, dock, session):
    click(qtbot, dock, "Header")
    qtbot.keyClick(dock.tree, Qt.Key.Key_Down)
    assert session.selection.selected == ("main",)


def test_lost_and_moved_marks_are_listed_with_their_state(qtbot, dock, session, host):
    session.set_gold(Gold((*GOLD.marks, MOVED, LOST)))
    assert [text for depth, text, _ in items(dock) if depth == 0][-1] == "Lost  1"
    states = {e.mark: e.state for e in dock.entries()}
    assert states["moved"] is MarkState.MOVED
    assert states["gone"] is MarkState.LOST


def test_a_moved_mark_can_be_confirmed_in_place(qtbot, dock, session, host):
    session.set_gold(Gold((*GOLD.marks, MOVED)))
    session.selection.set_selected(("moved",))
    bar = dock.unsure
    assert bar.isVisible()
    message = [label.text() for label in bar.findChildren(QLabel) if label.isVisible()]
    assert any(text.endswith("It was: “Ferry lost”") for text in message)
    qtbot.mouseClick(bar.confirm, LEFT)
    assert host.calls[-1] == ("confirm",)
    session.selection.set_selected(("head",))
    assert not bar.isVisible()


def test_a_lost_mark_can_only_be_deleted(qtbot, dock, session, host):
    session.set_gold(Gold((*GOLD.marks, LOST)))
    session.selection.set_selected(("gone",))
    assert not dock.unsure.confirm.isVisible()
    qtbot.mouseClick(dock.unsure.delete, LEFT)
    assert host.calls[-1] == ("delete_selected",)


def test_the_blocks_of_the_current_layer_can_be_listed(qtbot, dock, session, host):
    session.layers.set_current_layer("webterrain")
    session.layers.set_outcome(
        "webterrain", blocks(Block((MAIN,), 1, "", "two columns"), Block((STORY,), 2))
    )
    dock.show_view("layer")
    assert [(e.level, e.rows) for e in dock.entries()] == [(1, (MAIN,)), (2, (STORY,))]
    assert items(dock)[0][2].toolTip(0).endswith("two columns")
    position = dock.tree.visualItemRect(items(dock)[1][2]).center()
    qtbot.mouseClick(dock.tree.viewport(), LEFT, pos=position)
    assert ("select_row", STORY) in host.calls


def test_the_outline_explains_why_a_method_has_no_blocks(qtbot, dock, session):
    session.layers.set_current_layer("bte")
    dock.show_view("layer")
    assert "takes text, not blocks" in dock.none_text
    session.layers.set_current_layer("webterrain")
    session.layers.set_outcome("webterrain", Outcome(OutcomeStatus.EMPTY, Segmentation(NODES, ())))
    assert "found no blocks" in dock.none_text


def test_the_empty_outline_explains_how_to_begin(dock, session):
    session.set_gold(Gold())
    assert "Press 1 or 2" in dock.none_text
