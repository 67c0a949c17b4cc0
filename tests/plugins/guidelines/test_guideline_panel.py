"""Guideline panel without a browser: the guideline it shows, and its examples."""

import pytest
from PySide6.QtCore import QBuffer, QIODevice, QPoint, Qt, QUrl
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest

from annotate.marks.gold import Gold
from annotate.marks.guideline import Guideline, GuidelinePage
from annotate.workspace.stored_guideline import of_workspace, store_in
from annotate.workspace.workspace import Workspace, page_key
from engine.document import Document
from engine.page import Page
from gui.plugins.guidelines.controller import GuidelineController
from gui.plugins.guidelines.cropper import Example
from gui.plugins.guidelines.panel import GuidelineDock
from gui.plugins.guidelines.state import GuidelineState
from gui.plugins.team_work.team.controller import TeamController
from tests.gui.parts import GOLD, HEADER, NODES, mark
from tests.pulse import Pulse

pytestmark = pytest.mark.web

SHIFT = Qt.KeyboardModifier.ShiftModifier
DOCUMENTS = [
    Document(f"https://example.org/{name}", f"https://example.org/{name}", title=name.title())
    for name in ("ferry", "mill", "shop")
]
HARBOUR = "# menu\n\nOnly the main menu.\n\n# Logo\n\nA picture.\n"


@pytest.fixture
def guiding(window):
    window.workbench.workspace.add_pages(DOCUMENTS)
    window.session.set_documents(DOCUMENTS)
    made, dock = window.workbench.get(GuidelineController), window.panel(GuidelineDock)
    yield made
    made.stop()
    made.drop()
    window.session.get(GuidelineState).show(False)
    dock.text.clear()  # as in a window where it was never open
    dock.pages.clear()
    dock.set_remark("")


@pytest.fixture
def dock(window, guiding):
    """Open the panel by its key."""
    QTest.keyClick(window.windowHandle(), Qt.Key.Key_F1, SHIFT)
    made = window.panel(GuidelineDock)
    assert made.isVisible()
    return made


def open_page(window, number=0, gold=GOLD):
    """Open a page that no browser has drawn."""
    session = window.session
    session.set_document(DOCUMENTS[number])
    session.set_page(Page(DOCUMENTS[number].address, nodes=NODES), gold)


def example(title, number=0, decided="", name="head"):
    image, buffer = QImage(20, 10, QImage.Format.Format_RGB32), QBuffer()
    image.fill(Qt.GlobalColor.red)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    document = DOCUMENTS[number]
    return Example(
        title, page_key(document), document.name, name, bytes(buffer.data().data()), decided
    )


def store(window, number, *marks):
    key = page_key(DOCUMENTS[number])
    window.workbench.workspace.load_gold(key, NODES)
    window.workbench.workspace.save_gold(key, Gold(marks), NODES, "mark")


def answer(guiding, *examples):
    """Answer the current order as the process does."""
    guiding._queue._worker.answered.emit(examples)


def test_invalid_guidelines_are_refused_and_the_current_one_is_kept(window, guiding, tmp_path):
    state, messages = window.session.get(GuidelineState), window.session.messages
    before = state.guideline
    (tmp_path / "empty").mkdir()
    (tmp_path / "plain.md").write_text("no heading", "utf-8")
    (tmp_path / "twice.md").write_text("# Menu\n\na\n\n# menu\n\nb\n", "utf-8")
    for name, says in (
        ("empty", "empty has no pages"),
        ("plain.md", "plain.md has no pages: begin each with a heading"),
        ("twice.md", "two pages on 'menu'"),
    ):
        guiding.use(str(tmp_path / name))
        assert says in messages.message
        assert state.guideline is before
    assert of_workspace(window.workbench.workspace) is None
    assert not window.actions_["guideline-drop"].isEnabled()


def test_drop_is_enabled_only_while_the_workspace_has_a_guideline(window, guiding, tmp_path):
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "harbour.md").write_text(HARBOUR, "utf-8")
    drop = window.actions_["guideline-drop"]
    guiding.use(str(tmp_path / "rules"))
    dock = window.panel(GuidelineDock)
    assert dock.isVisible()
    assert (dock.remark(), dock.pages.count()) == ("rules", 2)
    assert drop.isEnabled()
    drop.trigger()
    assert dock.remark() == "Pagelet"
    assert dock.pages.count() > 2
    assert not drop.isEnabled()
    assert "in use again" in window.session.messages.message
    QTest.mouseClick(dock.close_button, Qt.MouseButton.LeftButton)
    assert dock.isHidden()


def test_the_guideline_of_merged_marks_is_shown_at_once(window, dock, tmp_path):
    other = tmp_path / "ben.pagelet"
    with Workspace.open(other) as workspace:
        store_in(workspace, Guideline("harbour", (GuidelinePage("Menu", "Only the main menu."),)))
    window.workbench.get(TeamController).merge(str(other))
    assert dock.remark() == "harbour"
    assert dock.pages.itemText(0) == "Menu"
    assert window.actions_["guideline-drop"].isEnabled()


def test_a_chosen_page_stays_until_the_current_type_changes(window, dock, qtbot):
    open_page(window)
    dock.pages.setFocus()
    QTest.keyClick(dock.pages, Qt.Key.Key_End)
    last = dock.pages.currentText()
    assert dock.text.toPlainText().startswith(last)
    window.session.selection.set_selected(["head"])
    qtbot.waitUntil(lambda: dock.text.toPlainText().startswith("Header"))
    assert dock.pages.currentText() == "Header"
    window.session.set_gold(Gold((mark("head", 1, HEADER, type="Masthead"),)))
    qtbot.waitUntil(lambda: "no page on Masthead" in dock.text.toPlainText())
    assert dock.pages.currentIndex() == -1
    window.session.selection.set_selected([])  # no type is current: the page stays
    Pulse(80).wait(qtbot, 2)  # delayed updates are done by then
    assert "no page on Masthead" in dock.text.toPlainText()


def test_examples_of_a_page_are_cropped_again_once_its_marks_change(window, guiding, dock):
    QTest.mouseClick(dock.close_button, Qt.MouseButton.LeftButton)
    store(window, 0, mark("head", 1, HEADER, type="Header"))
    asked = []
    guiding._queue.begun.connect(lambda order: asked.append(order.key))
    QTest.keyClick(window.windowHandle(), Qt.Key.Key_F1, SHIFT)
    assert guiding.is_cropping
    answer(guiding, example("Header"))
    assert not guiding.is_cropping
    guiding.turn_to("Header")
    assert "Examples from gold" in dock.text.toPlainText()
    open_page(window, 1)  # nothing has changed
    assert asked == [page_key(DOCUMENTS[0])]
    store(window, 0, mark("head", 1, HEADER, type="Logo"))
    open_page(window, 2)
    assert asked == [page_key(DOCUMENTS[0])] * 2
    answer(guiding, example("Logo"))
    assert "Examples from gold" not in dock.text.toPlainText()
    store(window, 0)  # no marks are left
    guiding.turn_to("Logo")
    assert "Examples from gold" in dock.text.toPlainText()
    open_page(window, 1)
    assert "Examples from gold" not in dock.text.toPlainText()
    assert not guiding.is_cropping


def test_examples_match_the_page_of_their_type_ignoring_case(window, guiding, dock, tmp_path):
    (tmp_path / "harbour.md").write_text(HARBOUR, "utf-8")
    guiding.use(str(tmp_path / "harbour.md"))
    state = window.session.get(GuidelineState)
    state.set_examples((example("Menu", decided="Footer"), example("Menu", 1), example("Logo")))
    dock.pages.setFocus()
    QTest.keyClick(dock.pages, Qt.Key.Key_End)
    QTest.keyClick(dock.pages, Qt.Key.Key_Home)
    assert dock.pages.currentText() == "menu"
    text = dock.text.toPlainText()
    assert text.index("Examples from gold") < text.index("Decided otherwise")
    assert "Ferry: Footer" in text
    assert [each.decided for each in dock.shown_examples] == ["", "Footer"]


def test_a_click_on_an_example_selects_its_mark_or_reports_a_missing_page(
    window, guiding, dock, qtbot
):
    store(window, 0, mark("head", 1, HEADER, type="Header"))
    open_page(window)
    answer(guiding, example("Header"))
    guiding.turn_to("Header")
    text = dock.text
    text.verticalScrollBar().setValue(text.verticalScrollBar().maximum())
    place = next(
        QPoint(x, y)
        for y in range(0, text.viewport().height(), 4)
        for x in range(0, text.viewport().width(), 4)
        if text.anchorAt(QPoint(x, y))
    )
    QTest.mouseClick(text.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert window.session.selection.selected == ("head",)
    window.session.set_documents(DOCUMENTS[1:])
    window.session.set_document(None)
    text.anchorClicked.emit(QUrl("example:0"))
    assert "is not in the list: open it first" in window.session.messages.message


def test_closing_the_panel_stops_cropping_and_opening_it_resumes(window, guiding, dock):
    store(window, 0, mark("head", 1, HEADER, type="Header"))
    open_page(window, 1)
    assert guiding.is_cropping
    QTest.keyClick(window.windowHandle(), Qt.Key.Key_F1, SHIFT)
    assert not guiding.is_cropping
    open_page(window, 2)
    assert not guiding.is_cropping
    QTest.keyClick(window.windowHandle(), Qt.Key.Key_F1, SHIFT)
    assert guiding.is_cropping
