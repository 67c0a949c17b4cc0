"""The command palette, used by real keys."""

import time

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from gui.features.layers.panel import LayersDock
from gui.features.palette.feature import Palette, PaletteEntry
from gui.features.palette.ranking import rank_entries
from gui.state.selection import Mode
from gui.window.actions import ACTIONS
from tests.gui.parts import DOCUMENTS

pytestmark = pytest.mark.web
CTRL_SHIFT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def palette(window):
    window.main_area.files.settings.remove("palette/recent")
    return window.workbench.get(Palette)


def ask(window, typed=""):
    QTest.keyClick(window.windowHandle(), Qt.Key.Key_P, CTRL_SHIFT)
    assert window.type_field.isVisible()
    QTest.keyClicks(window.type_field.line, typed)
    return window.type_field.offered()


def keys_for(palette, typed, most=3):
    return [entry.key for entry in palette.find(typed, most)]


@pytest.mark.slow
def test_every_action_is_among_the_first_three_for_its_title_and_its_other_names(window, palette):
    window.session.set_documents(DOCUMENTS)
    ask(window)
    missed = [
        (row.name, typed, keys_for(palette, typed))
        for row in ACTIONS
        if row.name != "palette"
        for typed in (row.text.removesuffix("…"), *row.words)
        if f"action:{row.name}" not in keys_for(palette, typed)
    ]
    assert missed == []


def test_a_key_opens_the_palette_and_enter_runs_an_action_and_restores_focus(window, palette):
    before = window.focusWidget()
    assert ask(window, "body text")[0] == "Main content"
    QTest.keyClick(window.type_field.line, Qt.Key.Key_Return)
    assert window.session.selection.mode is Mode.MAIN
    assert window.type_field.isHidden()
    assert window.focusWidget() is before


def test_escape_closes_the_palette_without_an_action(window, palette):
    before = window.focusWidget()
    ask(window, "body text")
    QTest.keyClick(window.type_field.line, Qt.Key.Key_Escape)
    assert window.type_field.isHidden()
    assert window.session.selection.mode is Mode.SELECT
    assert window.focusWidget() is before


def test_a_click_on_the_toolbar_field_opens_the_palette(window, palette, qtbot):
    for width in (1600, 1100, 860):
        window.resize(width, 700)
        search = window.toolbar.search
        qtbot.waitUntil(lambda: search.geometry().right() < window.toolbar.width())  # noqa: B023
        assert search.isVisible()
        assert search.width() >= 24
        qtbot.mouseClick(search, Qt.MouseButton.LeftButton)
        assert window.type_field.isVisible()
        QTest.keyClick(window.type_field.line, Qt.Key.Key_Escape)


def test_an_unavailable_action_shows_why_and_enter_opens_a_file(window, palette, monkeypatch):
    asked = []
    monkeypatch.setattr(window.dialogs, "open_file", lambda: asked.append("open-file"))
    ask(window, "reload real or fixed")
    row = window.type_field.list.itemWidget(window.type_field.list.item(0))
    texts = [label.text() for label in row.findChildren(QLabel)]
    assert "Not now: open a page first. Enter: Open file… (Ctrl+O)" in texts
    QTest.keyClick(window.type_field.line, Qt.Key.Key_Return)
    assert asked == ["open-file"]


def test_recently_used_actions_are_listed_first(window, palette):
    ask(window, "level 2")
    QTest.keyClick(window.type_field.line, Qt.Key.Key_Return)
    ask(window, "body text")
    QTest.keyClick(window.type_field.line, Qt.Key.Key_Return)
    assert ask(window)[:2] == ["Main content", "Level 2"]


def test_arrow_keys_choose_an_entry_and_the_field_describes_it(window, palette):
    ask(window, "level")
    line = window.type_field.line
    first = line.accessibleDescription()
    QTest.keyClick(line, Qt.Key.Key_Down)
    second = line.accessibleDescription()
    assert first != second
    assert "Level" in first
    QTest.keyClick(line, Qt.Key.Key_Up)
    assert line.accessibleDescription() == first


def test_pages_methods_measures_panels_and_help_are_offered_by_name(window, palette):
    window.session.set_documents(DOCUMENTS)
    ask(window)
    for typed, key in (
        ("mill", f"page:{DOCUMENTS[1].address}"),
        ("vips", "method:vips"),
        ("b-cubed", "measure:"),
        ("methods panel", f"panel:{window.panel(LayersDock).objectName()}"),
        ("glossary", "help:glossary.md"),
    ):
        assert any(each.startswith(key) for each in keys_for(palette, typed, 8)), typed


def test_a_chosen_page_is_opened(window, palette, monkeypatch):
    opened = []
    monkeypatch.setattr(window.workbench.navigation, "open_document", opened.append)
    window.session.set_documents(DOCUMENTS)
    ask(window, "mill")
    QTest.keyClick(window.type_field.line, Qt.Key.Key_Return)
    assert opened == [1]


def test_a_chosen_method_becomes_the_current_layer(window, palette):
    ask(window, "terrain")
    offered = window.type_field.offered()
    for _ in range(offered.index("Terrain")):
        QTest.keyClick(window.type_field.line, Qt.Key.Key_Down)
    QTest.keyClick(window.type_field.line, Qt.Key.Key_Return)
    assert window.session.layers.current_layer == "terrain"


def test_the_palette_opens_in_less_than_50_ms(window, palette):
    took = []
    for _ in range(5):
        start = time.process_time()
        palette.open()
        took.append(time.process_time() - start)
        window.type_field.leave()
    assert min(took) < 0.05


def entry(text, *words, key=""):
    return PaletteEntry(key or text, text, lambda: None, words=words)


def test_names_that_begin_with_the_typed_letters_come_first():
    entries = [entry("Undo"), entry("Under the mouse"), entry("Bound", "undone")]
    assert [e.text for e in rank_entries(entries, "und", {}, 8)] == [
        "Undo",
        "Under the mouse",
        "Bound",
    ]


@pytest.mark.parametrize("typed", ["exprot marks", "agreemnt", "presnt the page", "krippendorf"])
def test_actions_are_found_despite_typing_errors(typed):
    rows = [PaletteEntry(row.name, row.text, lambda: None, words=row.words) for row in ACTIONS]
    expected = {"exprot marks": "export-marks", "presnt the page": "present"}
    result = [each.key for each in rank_entries(rows, typed, {}, 3)]
    assert expected.get(typed, "agreement") in result


def test_an_action_comes_before_the_heading_of_the_same_name():
    heading = PaletteEntry("help:sample", "Sample pages", lambda: None, is_text=True)
    action = PaletteEntry("action:open-sample", "Open the sample pages", lambda: None)
    assert rank_entries([heading, action], "sample pages", {}, 5) == [action, heading]
