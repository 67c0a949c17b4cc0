"""The Team panel: annotators, their progress, switching between them, and merging."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from annotate.marks.gold import Gold
from annotate.workspace import annotators
from annotate.workspace.annotators import Role
from annotate.workspace.workspace import PageStatus, Workspace, page_key
from engine.document import Document
from engine.page import Page
from gui.plugins.team_work.team.controller import TeamController
from gui.plugins.team_work.team.panel import TeamDock
from tests.gui.parts import GOLD, NODES

pytestmark = pytest.mark.web

ALT, SHIFT = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ShiftModifier
DOCUMENTS = [
    Document(f"https://example.org/{name}", f"https://example.org/{name}")
    for name in ("ferry", "mill", "shop")
]
DEAL, MARK_AS, REVIEW_AS = (
    (Qt.Key.Key_D, ALT | SHIFT), (Qt.Key.Key_W, ALT), (Qt.Key.Key_W, ALT | SHIFT),
)  # fmt: skip


@pytest.fixture
def dock(window):
    """Open the panel by its action, with three pages in the list."""
    window.workbench.workspace.add_pages(DOCUMENTS)
    window.session.set_documents(DOCUMENTS)
    window.session.set_document(DOCUMENTS[0])
    window.workbench.pages.refresh()
    window.actions_["team"].trigger()
    made = window.panel(TeamDock)
    assert made.isVisible()
    return made


def type_in(window, key, text, end=Qt.Key.Key_Return):
    """Press the key of an action that asks, type into the field, and leave it."""
    QTest.keyClick(window.windowHandle(), *key)
    assert window.type_field.isVisible()
    QTest.keyClicks(window.type_field.line, text)
    QTest.keyClick(window.type_field.line, end)
    assert window.type_field.isHidden()


def test_the_panel_asks_for_a_name_and_lists_named_annotators(window, dock):
    assert dock.entries() == []
    assert dock._none.isVisible()
    assert "Alt+W" in dock._none.text()
    type_in(window, MARK_AS, "Anna", Qt.Key.Key_Escape)
    assert dock.entries() == []
    type_in(window, MARK_AS, "Anna")
    assert dock.entries() == ["Anna: 0 pages done"]
    assert (dock.remark(), dock._none.isVisible()) == ("1", False)
    assert window.status_bar.who.text == "Anna"
    type_in(window, REVIEW_AS, "Ruth")
    assert dock.entries() == ["Anna: 0 pages done", "Ruth (reviewer): 0 pages done"]
    assert window.status_bar.who.text == "Ruth (reviewer)"


def test_done_pages_are_counted_and_undo_lowers_the_count(window, dock):
    type_in(window, MARK_AS, "Anna")
    window.session.set_page(Page(DOCUMENTS[0].address, nodes=NODES), Gold())
    window.workbench.page_session.set_status("done")
    assert dock.entries() == ["Anna: 1 page done"]
    QTest.mouseClick(dock.close_button, Qt.MouseButton.LeftButton)
    assert dock.isHidden()
    window.actions_["undo"].trigger()
    window.actions_["team"].trigger()
    assert dock.entries() == ["Anna: 0 pages done"]


def test_a_mark_that_becomes_unsure_is_counted_at_once(window, dock):
    type_in(window, MARK_AS, "Anna")
    session, marking = window.session, window.workbench.marking
    session.set_page(Page(DOCUMENTS[0].address, nodes=NODES), Gold())
    marking.change("mark", lambda _gold, _nodes: GOLD)
    first, *rest = GOLD.marks
    marking.change("unsure", lambda _g, _n: Gold((replace(first, is_unsure=True), *rest)))
    assert dock.entries() == ["Anna: 0 pages done, 1 mark unsure"]
    marking.stack.undo()
    assert dock.entries() == ["Anna: 0 pages done"]


def test_pages_are_assigned_by_a_line_and_an_invalid_line_assigns_nothing(window, dock):
    type_in(window, DEAL, "Anna, Ben; 100 % by two")
    assert dock.entries() == ["Anna: 0 of 3 pages done", "Ben: 0 of 3 pages done"]
    assert window.session.messages.message.startswith("pages to mark: Anna 3, Ben 3")
    for line, says in (
        ("Carla; 1 control", "0 pages came with gold, not 1"),
        ("Carla; -1 controls", "expected names and numbers"),
        ("Carla, Carla", "name each annotator once"),
        ("Carla; 120 % by two", "a share from 0 to 1"),
    ):
        type_in(window, DEAL, line)
        assert says in window.session.messages.message, line
    assert dock.entries() == ["Anna: 0 of 3 pages done", "Ben: 0 of 3 pages done"]
    QTest.keyClick(window.windowHandle(), *DEAL)
    assert window.type_field.offered() == ["Anna, Ben; 20 % by two"]
    QTest.keyClick(window.type_field.line, Qt.Key.Key_Escape)


def test_switching_lists_the_assigned_pages_and_each_name_is_offered_once(window, dock):
    type_in(window, DEAL, "Anna, Ben; 0 % by two")
    type_in(window, MARK_AS, "Ben")
    count = next(each for each in dock.entries() if each.startswith("Ben")).split()[3]
    assert f"the {count} page" in window.session.messages.message
    QTest.keyClick(window.windowHandle(), *MARK_AS)
    assert window.type_field.offered() == ["Anna", "Ben"]
    QTest.keyClicks(window.type_field.line, "Carla")
    assert window.type_field.offered() == ["Carla"]
    QTest.keyClick(window.type_field.line, Qt.Key.Key_Escape)
    assert window.workbench.workspace.annotator.name == "Ben"


def test_a_workspace_is_merged_and_other_files_are_refused(window, dock, tmp_path):
    other, page = tmp_path / "ben.pagelet", page_key(DOCUMENTS[0])
    with Workspace.open(other) as workspace:
        annotators.change(workspace.store, workspace.annotator, "Ben", Role.ANNOTATOR)
        workspace.add_pages(DOCUMENTS[:1])
        workspace.load_gold(page, NODES)
        workspace.save_gold(page, GOLD, NODES, "mark")
        workspace.set_status(page, PageStatus.DONE)
    (tmp_path / "notes.pagelet").write_text("no workspace", "utf-8")
    team, messages = window.workbench.get(TeamController), window.session.messages
    team.merge(str(tmp_path / "notes.pagelet"))
    assert messages.message == "notes.pagelet is not a workspace"
    team.merge(str(window.workbench.workspace.path))
    assert messages.message.endswith("is the workspace that is open")
    assert dock.entries() == []
    team.merge(str(other))
    assert messages.message.startswith("ben.pagelet: marks of Ben: 1 page and 4 marks added")
    assert dock.entries() == ["Ben: 1 page done"]
    team.merge(str(other))
    assert "nothing new" in messages.message
