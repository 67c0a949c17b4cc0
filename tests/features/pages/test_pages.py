"""The list of pages."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester

from annotate.workspace.page_search import PageClues
from gui.core.navigation import Navigation
from gui.features.pages.panel import STATUSES, PagesDock, address_of
from gui.state.session import Session
from tests.gui.parts import DOCUMENTS, CallRecorder, FakePages, session_on_page


@pytest.fixture
def host():
    return CallRecorder(Navigation, pages=FakePages())


@pytest.fixture
def dock(qtbot, host):
    made = PagesDock(session_on_page(), host)
    qtbot.addWidget(made)
    made.resize(260, 400)
    made.show()
    return made


def click(qtbot, dock, row):
    index = dock.view.visualRect(dock.shown.index(row, 0)).center()
    qtbot.mouseClick(dock.view.viewport(), Qt.MouseButton.LeftButton, pos=index)


def test_each_page_has_title_address_and_status(dock):
    assert dock.titles() == ["Ferry", "Tide mill", "https://example.org/shop"]
    assert address_of(DOCUMENTS[0]) == "ferry.html"
    assert address_of(DOCUMENTS[2]) == "example.org/shop"
    QAbstractItemModelTester(dock.model, QAbstractItemModelTester.FailureReportingMode.Fatal)


def test_statuses_differ_in_shape_not_only_in_colour():
    assert len({icon for icon, _, _ in STATUSES.values()}) == len(STATUSES)


def test_a_click_opens_a_page(qtbot, dock, host):
    click(qtbot, dock, 1)
    assert host.calls == [("open_document", 1)]


def test_a_click_on_the_open_page_does_not_load_it_again(qtbot, dock, host):
    click(qtbot, dock, 0)
    assert host.calls == []


def test_keys_walk_the_list_and_enter_opens(qtbot, dock, host):
    dock.view.setFocus()
    qtbot.keyClick(dock.view, Qt.Key.Key_Down)
    qtbot.keyClick(dock.view, Qt.Key.Key_Down)
    qtbot.keyClick(dock.view, Qt.Key.Key_Return)
    assert host.calls == [("open_document", 2)]


def test_typed_words_narrow_the_list_and_enter_opens_the_first(qtbot, dock, host):
    dock.filter.start()
    qtbot.keyClicks(dock.filter, "mill tide")
    assert dock.titles() == ["Tide mill"]
    qtbot.keyClick(dock.filter, Qt.Key.Key_Return)
    assert host.calls == [("open_document", 1)]


def test_the_count_follows_the_statuses(dock, host):
    assert dock.remark() == "0 of 3 done"
    host.pages.statuses = {DOCUMENTS[0].address: "done", DOCUMENTS[1].address: "question"}
    host.pages.changed.emit()
    assert dock.remark() == "1 of 3 done"


def test_a_done_page_is_listed_among_pages_with_a_question(dock, host):
    host.pages.statuses = {document.address: "done" for document in DOCUMENTS}
    host.pages.asked = {DOCUMENTS[1].address}
    actions = {action.text(): action for action in dock.narrow.menu().actions()}
    actions["With a question"].trigger()
    assert dock.titles() == ["Tide mill"]


def test_done_pages_can_be_hidden_except_the_open_one(dock, host):
    host.pages.statuses = {document.address: "done" for document in DOCUMENTS}
    host.pages.changed.emit()
    actions = {action.text(): action for action in dock.narrow.menu().actions()}
    actions["Still to do"].trigger()
    assert dock.titles() == ["Ferry"]  # the open one
    actions["All pages"].trigger()
    assert len(dock.titles()) == 3


def test_assigned_pages_can_be_listed_only_where_somebody_assigns(qtbot, host):
    for assigned, count in ((None, 0), (frozenset, 2)):
        host.pages.assigned = assigned
        dock = PagesDock(Session(), host)
        qtbot.addWidget(dock)
        texts = [action.text() for action in dock.narrow.menu().actions()]
        assert sum("ssigned" in text for text in texts) == count


def test_the_list_is_empty_and_its_filter_disabled_without_pages(qtbot, host):
    dock = PagesDock(Session(), host)
    qtbot.addWidget(dock)
    assert dock.titles() == []
    assert dock.remark() == ""
    assert not dock.filter.isEnabled()


def test_pages_are_found_by_types_comments_and_scores(qtbot, host):
    session = session_on_page()
    host.pages.clues = {DOCUMENTS[1].address: PageClues("menu who is this?", 0.3)}
    dock = PagesDock(session, host)
    qtbot.addWidget(dock)
    for typed in ("menu", "who is", "score<.5"):
        dock.filter.setText(typed)
        assert dock.titles() == ["Tide mill"], typed
    dock.filter.setText("score>.5")
    assert dock.titles() == []
