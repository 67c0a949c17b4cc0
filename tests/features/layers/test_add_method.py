"""Adding a method by typing its name: the best match is added and scrolled into view."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

import resources
from algorithms.core.catalogue import method
from gui.features.layers.panel import LayersDock
from gui.widgets.choice_popup import ChoicePopup, PopupEntry
from tests.hand import Hand

SHIFT = Qt.KeyboardModifier.ShiftModifier

ENTRIES = [
    PopupEntry("template", "Template text", "Text that is as long on no other page", "Own"),
    PopupEntry("blocks", "Blocks of long words", "", "Own"),
    PopupEntry("longest", "Longest block", "The block with most text", "Own"),
    PopupEntry("mine", "Long texts", "Paragraphs", "Others"),
]


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("long", "longest"),
        ("long te", "mine"),
        ("bl", "blocks"),
        ("words", "blocks"),
        ("other page", "template"),
        ("text", "template"),
    ],
)
def test_enter_picks_the_entry_whose_name_matches_best(qtbot, typed, found):
    popup = ChoicePopup("Methods to add", None)
    qtbot.addWidget(popup)
    popup.fill(ENTRIES)
    popup.open_at(popup.pos())
    QTest.keyClicks(popup.line, typed)
    with qtbot.waitSignal(popup.picked) as picked:
        QTest.keyClick(popup.line, Qt.Key.Key_Return)
    assert picked.args == [found]


@pytest.mark.slow
@pytest.mark.web
def test_the_row_of_an_added_method_is_scrolled_into_view(qtbot, tmp_path, window):
    hand = Hand(window.workbench, qtbot, tmp_path)
    window.resize(1440, 900)
    hand.open_path(resources.path("corpus") / "news" / "index.html")
    for typed in ("tccb", "cetr-tm", "adsc"):
        window.panel(LayersDock).choose_method()
        QTest.keyClicks(window.panel(LayersDock).methods.line, typed)
        QTest.keyClick(window.panel(LayersDock).methods.line, Qt.Key.Key_Return)
        row = window.panel(LayersDock).row(window.session.layers.current_layer)
        assert typed.split()[0] in row.key + method(row.key).name.casefold()
        qtbot.waitUntil(lambda row=row: row.visibleRegion().boundingRect().height() == row.height())


@pytest.mark.web
def test_enter_adds_a_method_when_a_page_finishes_loading_meanwhile(qtbot, tmp_path, window):
    hand = Hand(window.workbench, qtbot, tmp_path)
    hand.open("<p>one two three", "first.html")
    (tmp_path / "second.html").write_text("<title>two</title><p>four five six")
    window.activateWindow()
    window.workbench.navigation.open_path(str(tmp_path / "second.html"))
    popup = window.panel(LayersDock).methods
    qtbot.keyClick(window, Qt.Key.Key_L, Qt.KeyboardModifier.AltModifier | SHIFT)
    assert popup.isVisible()
    assert window.workbench.canvas.is_busy
    for letter in "tccb":
        QTest.keyClick(popup.windowHandle(), letter)
    qtbot.waitUntil(lambda: not window.workbench.canvas.is_busy, timeout=30_000)
    qtbot.waitUntil(lambda: window.session.open.page is not None, timeout=30_000)
    QTest.keyClick(popup.windowHandle(), Qt.Key.Key_Return)
    assert window.session.layers.current_layer == "tccb"
    assert not popup.isVisible()
