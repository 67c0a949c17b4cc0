"""The documentation in the window: opened by Help, searched, followed, read in either theme."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

import resources
from gui.window.actions import ACTIONS
from gui.window.help_text import ABOUT, blocks_of
from gui.window.help_viewer import Help, HelpViewer, hits
from resources.documentation import PAGES


@pytest.fixture
def viewer(qtbot):
    ground = QWidget()
    qtbot.addWidget(ground)
    made = HelpViewer(ground)
    yield made  # the ground owns it, and is needed as long
    made.close()


def lines(viewer):
    return viewer.text.toPlainText().splitlines()


def top_line(viewer):
    at = viewer.text.cursorForPosition(QPoint(30, 16))
    return at.block().text()


def test_every_entry_of_the_help_menu_opens_a_page(viewer):
    targets = [a.arguments[0] for a in ACTIONS if a.run is Help.open_at]
    assert len(targets) > 5
    for target in targets:
        viewer.open_at(target)
        assert viewer.isVisible()
        assert viewer.text.page == target
        assert len(lines(viewer)) > 5


def test_it_is_not_modal(viewer):
    viewer.open_at("guide.md")
    assert viewer.windowModality() == Qt.WindowModality.NonModal


def test_a_heading_can_be_opened_and_stands_at_the_top(viewer):
    viewer.open_at("formats.md#kreuzer")
    assert top_line(viewer) == "Kreuzer"


def test_another_heading_of_the_page_is_set_like_the_first(viewer):
    viewer.open_at("guide.md")
    for target in ("guide.md#evaluation", "guide.md#marking", "formats.md", "guide.md#evaluation"):
        viewer.open_at(target)
        title = viewer.text.document().firstBlock().begin().fragment().charFormat()
        assert title.fontPointSize() > viewer.text.font().pointSizeF() * 1.3
    assert top_line(viewer) == "Evaluation"


def test_a_link_leads_to_another_page_and_back_leads_home(viewer, qtbot):
    viewer.open_at("guide.md")
    viewer.text.moveCursor(QTextCursor.MoveOperation.Start)
    assert viewer.text.find("glossary")
    spot = viewer.text.cursorRect().center() - QPoint(8, 0)
    QTest.mouseClick(viewer.text.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert viewer.text.page == "glossary.md"
    assert lines(viewer)[0] == "Glossary"
    QTest.keyClick(viewer.text, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert viewer.text.page == "guide.md"
    assert lines(viewer)[0] == "Guide"


def test_the_contents_name_every_page_and_the_headings_of_the_one_shown(viewer):
    viewer.open_at("measures.md")
    assert set(PAGES.values()) <= set(viewer.found())
    assert viewer.tree.currentItem().text(0) == "Measures"
    assert viewer.tree.currentItem().isExpanded()


def test_what_is_typed_is_found_and_enter_goes_there(viewer, qtbot):
    viewer.open_at("guide.md")
    QTest.keyClicks(viewer.search, "landmarks")
    qtbot.waitUntil(lambda: viewer.found()[0] == "Methods")
    QTest.keyClick(viewer.search, Qt.Key.Key_Return)
    assert viewer.text.page == "systems.md"
    marked = {place.cursor.selectedText().casefold() for place in viewer.text.extraSelections()}
    assert marked == {"landmarks"}


def test_a_search_in_vain_says_so(viewer, qtbot):
    viewer.open_at("guide.md")
    QTest.keyClicks(viewer.search, "xyzzy")
    qtbot.waitUntil(lambda: viewer.found() == ["Nothing found for “xyzzy”"])


def test_escape_ends_the_search_and_then_closes(viewer, qtbot):
    viewer.open_at("guide.md")
    QTest.keyClicks(viewer.search, "gold")
    QTest.keyClick(viewer, Qt.Key.Key_Escape)
    assert viewer.search.text() == ""
    assert viewer.isVisible()
    QTest.keyClick(viewer, Qt.Key.Key_Escape)
    assert not viewer.isVisible()


def test_all_words_of_a_search_must_stand_in_a_section():
    found = list(hits("unicode nfc"))
    assert [(page, section.title) for page, section, _ in found] == [("measures.md", "Gottron")]
    assert not list(hits("  "))


def test_about_names_the_versions(viewer):
    viewer.open_at(ABOUT)
    assert {"Pagelet", "Python", "Qt", "Chromium"} <= set(lines(viewer))


def test_pictures_are_there_and_no_wider_than_the_text(viewer):
    viewer.open_at("guide.md")
    shown = sum("￼" in block.text() for block in blocks_of(viewer.text.document()))
    written = (resources.path("docs") / "guide.md").read_text("utf-8").count("\n![")
    assert shown == written >= 4
    viewer.resize(viewer.minimumSizeHint())
    assert viewer.text.horizontalScrollBar().maximum() == 0


@pytest.mark.parametrize("page", PAGES)
def test_no_markup_is_left_to_read(viewer, page):
    viewer.open_at(page)
    text = viewer.text.toPlainText()
    assert "<!--" not in text
    assert "](" not in text
