"""Context menus: the entries at each place of the window, by real events."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from annotate.marks.gold import MAIN, Gold
from engine.page import Page
from engine.source import Source
from gui.core.action import Context
from gui.features.evaluate.view import EvaluateView
from gui.features.layers.panel import LayersDock
from gui.features.outline.panel import OutlineDock
from gui.features.pages.panel import PagesDock
from gui.state.selection import Mode
from tests.gui.parts import DOCUMENTS, GOLD, NODES, TITLE, end_workers, entries, make_window
from tests.hand import Hand

MOST = 14
SOURCE = Source(
    "<body><header>The Courier</header><main><h1>Ferry back</h1>"
    "<p>It   returned this morning.</p></main>"
)
PAGE = Page("/pages/ferry.html", SOURCE, SOURCE, NODES)


@pytest.fixture(scope="module")
def shared(tmp_path_factory, qapp):
    """Return a window with a page that no browser has rendered."""
    made = make_window(tmp_path_factory.mktemp("menus"))
    made.resize(1300, 850)
    yield made
    made.close_down()
    made.close()
    made.deleteLater()


@pytest.fixture
def window(shared):
    session = shared.session
    shared.main_area.show_page()
    session.set_documents(DOCUMENTS)
    session.set_document(DOCUMENTS[0])
    session.set_page(PAGE, GOLD)
    session.selection.set_mode(Mode.SELECT)
    session.layers.set_current_layer(session.layers.all[0].key)
    yield shared
    shared.main_area.show_page()
    QApplication.processEvents()  # a view that was just shown begins its work when it is drawn
    end_workers(shared, shared.workbench, shared.session)
    if shared.context_menus.menu is not None and _is_open(shared):
        shared.context_menus.menu.close()
        QApplication.sendPostedEvents(None, 52)  # DeferredDelete


def _is_open(window) -> bool:
    return isinstance(QApplication.activePopupWidget(), QMenu)


def right_click(widget: QWidget, at: QPoint) -> None:
    """Press the right button and send the event that Qt makes of it on a desktop."""
    QTest.mousePress(widget, Qt.MouseButton.RightButton, pos=at)
    asked = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, widget.mapToGlobal(at))
    QApplication.sendEvent(widget, asked)


def offered(window) -> list[str]:
    """Return the names of the entries of the open menu; a submenu by its title."""
    assert _is_open(window)
    return [each.objectName() or each.text() for each in entries(window.context_menus.menu)]


def trigger(window, name: str) -> None:
    """Choose an entry of the open menu by key, as a user would."""
    menu = window.context_menus.menu
    menu.setActiveAction(window.actions_[name])
    QTest.keyClick(menu, Qt.Key.Key_Return)


def _no_page(window) -> None:
    window.session.set_document(None)


def _plain(window) -> None:
    """Leave everything unselected."""


def _block(window) -> None:
    window.session.selection.set_selected(["head"])


def _several(window) -> None:
    window.session.selection.set_selected(["head", "main"])


def _text(window) -> None:
    window.session.selection.set_selected(["text"])


def _framed(window) -> None:
    window.session.selection.set_candidate(TITLE)


def _no_marks(window) -> None:
    window.session.set_gold(Gold())


def _method(window) -> None:
    session = window.session
    session.layers.set_current_layer(
        next(each.key for each in session.layers.all if not each.is_gold)
    )


def _scores(window) -> None:
    window.actions_["evaluate"].trigger()


def _site(window) -> None:
    window.actions_["site"].trigger()


STATES = (_no_page, _plain, _block, _several, _text, _framed, _no_marks, _method, _scores, _site)


@pytest.mark.parametrize("state", STATES)
def test_every_context_menu_has_one_to_fourteen_entries_in_every_state(window, state):
    state(window)
    window.actions_.enable(window.workbench)
    for context in Context:
        menu = window.context_menus.fill(context)
        result = entries(menu)
        assert 1 <= len(result) <= MOST, context
        for action in result:
            is_clear = action.isEnabled() or "Not now: " in action.toolTip()
            assert action.menu() is not None or is_clear
            assert not action.shortcuts() or action.isShortcutVisibleInContextMenu()
        has_types = any(action.menu() is not None and action.text() == "Type" for action in result)
        assert has_types == (context in (Context.BLOCK, Context.BLOCKS))
        menu.deleteLater()


def test_every_panel_and_its_title_bar_have_a_context_menu(window):
    for dock in window.panels.every:
        was_hidden = dock.isHidden()
        dock.show()
        dock.raise_()
        for widget in (dock.titleBarWidget(), dock.widget()):
            right_click(widget, QPoint(12, 8))
            assert 1 <= len(offered(window)) <= MOST, dock.objectName()
            window.context_menus.menu.close()
        dock.setHidden(was_hidden)


def test_a_panel_is_hidden_by_the_menu_of_its_title_bar(window):
    dock = window.panel(PagesDock)
    right_click(dock.titleBarWidget(), QPoint(12, 8))
    assert offered(window) == ["panels", "layout", "guide", "panel-hide", "panel-float", "Panels"]
    trigger(window, "panel-hide")
    assert dock.isHidden()
    dock.show()


def test_the_menu_of_an_outline_line_selects_and_deletes_its_block(window):
    dock = window.panel(OutlineDock)
    items = {item.data(0, 257).mark: item for item in dock._items}
    tree = dock.tree
    right_click(tree.viewport(), tree.visualItemRect(items["head"]).center())
    assert window.session.selection.selected == ("head",)
    names = offered(window)
    assert "Type" in names
    assert "delete" in names
    trigger(window, "delete")
    assert window.session.open.gold.find("head") is None


def test_a_right_click_keeps_several_selected_lines_of_the_outline(window):
    dock = window.panel(OutlineDock)
    tree = dock.tree
    window.session.selection.set_selected(["head", "main"])
    items = {item.data(0, 257).mark: item for item in dock._items}
    right_click(tree.viewport(), tree.visualItemRect(items["main"]).center())
    assert set(window.session.selection.selected) == {"head", "main"}
    assert "group" in offered(window)


def test_a_page_of_the_list_is_marked_done_without_being_opened(window):
    dock = window.panel(PagesDock)
    workbench = window.workbench
    workbench.workspace.add_pages(DOCUMENTS)
    index = dock.shown.mapFromSource(dock.model.index(1))
    right_click(dock.view.viewport(), dock.view.visualRect(index).center())
    assert "page-open" in offered(window)
    trigger(window, "page-is-done")
    assert workbench.pages.status(DOCUMENTS[1]) == "done"
    assert window.session.open.document == DOCUMENTS[0]


def test_the_menu_of_a_layer_moves_and_removes_methods_but_not_gold(window):
    session, dock = window.session, window.panel(LayersDock)
    dock.show()
    dock.raise_()
    methods = [layer.key for layer in session.layers.all if not layer.is_gold]
    row = dock.row(methods[0])
    right_click(row, row.rect().center())
    trigger(window, "layer-down")
    assert [layer.key for layer in session.layers.all if not layer.is_gold][:2] == methods[1::-1]
    right_click(row, row.rect().center())
    trigger(window, "layer-remove")
    assert methods[0] not in [layer.key for layer in session.layers.all]
    gold = dock.row(session.layers.all[0].key)
    right_click(gold, gold.rect().center())
    assert not window.actions_["layer-remove"].isEnabled()
    assert "Methods panel" in window.actions_["layer-remove"].toolTip()


def test_the_evaluate_view_has_a_context_menu_of_scores(window):
    window.actions_["evaluate"].trigger()
    view = window.main_area.get(EvaluateView)
    assert view.grid.context_at(None) is Context.SCORE
    asked = QContextMenuEvent(
        QContextMenuEvent.Reason.Mouse, QPoint(3, 3), view.grid.mapToGlobal(QPoint(3, 3))
    )
    QApplication.sendEvent(view.grid.viewport(), asked)
    assert len(offered(window)) <= MOST


@pytest.mark.parametrize("key", [Qt.Key.Key_F10, Qt.Key.Key_Menu])
def test_keys_open_the_menu_of_the_selected_block(window, key):
    window.session.selection.set_selected(["head"])
    window.workbench.canvas.setFocus()
    shift = Qt.KeyboardModifier.ShiftModifier
    held = shift if key == Qt.Key.Key_F10 else Qt.KeyboardModifier.NoModifier
    window.activateWindow()
    assert QTest.qWaitForWindowActive(window)
    QTest.keyClick(window, key, held)
    assert "block-parent" in offered(window)


@pytest.mark.web
def test_the_menu_of_the_page_marks_the_framed_element_and_deletes_a_mark(qtbot, tmp_path):
    window = make_window(tmp_path)
    qtbot.addWidget(window)
    window.resize(1300, 850)
    qtbot.waitExposed(window)
    hand = Hand(window.workbench, qtbot, tmp_path)
    hand.open("<header id=top>The Courier</header><p id=first>The ferry <b>returned</b>.")

    def click(selector: str) -> list[str]:
        at = hand.point_of(selector)
        window.context_menus.menu = None
        qtbot.mouseMove(hand.target, at)
        qtbot.mouseClick(hand.target, Qt.MouseButton.RightButton, pos=at)
        qtbot.waitUntil(lambda: _is_open(window), timeout=5000)
        return offered(window)

    assert "mark-1" in click("#top")
    framed = window.session.selection.candidate
    qtbot.mouseMove(hand.target, hand.point_of("#first"))
    trigger(window, "mark-1")
    (mark,) = window.session.open.gold.marks
    assert [target.row for target in mark.targets] == [framed]
    assert mark.level == 1
    assert "Type" in click("#top")
    trigger(window, "delete")
    assert not window.session.open.gold.marks
    assert "mark-main" in click("#first")
    trigger(window, "mark-main")
    assert [mark.level for mark in window.session.open.gold.marks] == [MAIN]
    assert "question" in click("#first")
    window.context_menus.menu.close()
    window.close_down()
