"""Saving the page with its visible layers from the window, by keys."""

import pytest
from lxml import etree
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QFileDialog, QLineEdit

from annotate.marks.gold import MAIN
from engine.document import Document
from gui.features.export.page_export import file_name
from gui.features.layers.controller import ShownLayers
from gui.page import canvas
from tests.gui.parts import press
from tests.hand import Hand

pytestmark = pytest.mark.web

PAGE = """<title>Harbour news</title><style>body{margin:0;font:16px/24px sans-serif}</style>
<header id=top>The Courier</header><p id=first>The ferry returned to the harbour this morning.</p>
<div style="height:2000px"></div><p id=last>Nobody was hurt, the captain said later.</p>"""
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def hand(window, qtbot, tmp_path):
    QApplication.setAttribute(Qt.ApplicationAttribute.AA_DontUseNativeDialogs)
    made = Hand(window.workbench, qtbot, tmp_path)
    made.open(PAGE, "ferry.html")
    return made


def saved(window, hand, path):
    """Press Ctrl+P, enter the name of a file, save and return the message."""
    window.activateWindow()  # a dialog was in front
    hand.qtbot.waitUntil(window.isActiveWindow)
    press(hand, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier)
    dialog = window.findChild(QFileDialog)
    hand.qtbot.waitExposed(dialog)
    dialog.findChild(QLineEdit).setText(str(path))  # keys would open a list over it
    button = dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Save)
    with hand.qtbot.waitSignal(window.session.messages.message_changed, timeout=60_000):
        hand.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    hand.qtbot.waitUntil(lambda: window.findChild(QFileDialog) is None)
    return window.session.messages.message


def layers_of(path):
    groups = etree.parse(path).getroot().iter(f"{SVG}g")
    return {g.get("id"): g for g in groups if (g.get("id") or "").startswith("layer-")}


def test_the_saved_file_has_the_visible_layers_and_the_whole_page(window, hand, tmp_path):
    window.workbench.select_row(hand.row("#last"))
    hand.hover("#first")
    hand.qtbot.waitUntil(lambda: window.session.selection.candidate == hand.row("#first"))
    press(hand, Qt.Key.Key_M)
    press(hand, Qt.Key.Key_Return)
    assert hand.marked(MAIN) == [[hand.row("#first")]]
    hand.qtbot.waitUntil(lambda: "gold-main" in [s["id"] for s in window.workbench.canvas.drawn])
    drawn = [spec["id"] for spec in window.workbench.canvas.drawn]
    assert saved(window, hand, tmp_path / "ferry.svg") == "saved ferry.svg"
    result = layers_of(tmp_path / "ferry.svg")
    assert list(result) == [f"layer-{key}" for key in drawn]
    assert len(result["layer-gold-main"]) > 1
    nodes = window.session.open.page.rendered()
    image = etree.parse(tmp_path / "ferry.svg").getroot().find(f".//{SVG}image")
    assert int(image.get("height")) == nodes.height
    assert str(tmp_path) not in (tmp_path / "ferry.svg").read_text("utf-8")
    # Hide another layer: the file leaves it out.
    window.workbench.get(ShownLayers).toggle_layer("gold-main")
    hand.qtbot.waitUntil(
        lambda: "gold-main" not in [s["id"] for s in window.workbench.canvas.drawn]
    )
    saved(window, hand, tmp_path / "again.svg")
    assert "layer-gold-main" not in layers_of(tmp_path / "again.svg")


def test_saving_is_refused_with_a_message_while_the_window_closes(
    window, hand, tmp_path, monkeypatch
):
    monkeypatch.setattr(canvas, "wait_in", lambda *_: 0)  # as if all event loops had ended
    assert saved(window, hand, tmp_path / "ferry.svg") == "the program is closing"
    assert not (tmp_path / "ferry.svg").exists()


def test_an_unknown_file_extension_is_refused_and_no_file_is_written(window, hand, tmp_path):
    assert "end it in html" in saved(window, hand, tmp_path / "ferry.doc")
    assert not (tmp_path / "ferry.doc").exists()


@pytest.mark.parametrize(
    ("keys", "wanted"), [(Qt.Key.Key_P, "ferry-layers.html"), (Qt.Key.Key_E, "ferry.png")]
)
def test_the_save_dialog_proposes_a_file_name(window, hand, keys, wanted):
    press(hand, keys, Qt.KeyboardModifier.ControlModifier)
    dialog = window.findChild(QFileDialog)
    hand.qtbot.waitExposed(dialog)
    assert dialog.findChild(QLineEdit).text() == wanted
    dialog.reject()


def page_of(url, path=""):
    return Document(path or url, url, path=path)


@pytest.mark.parametrize(
    ("document", "wanted"),
    [
        (page_of("pagelet://local/news/index.html", "news/index.html"), "news"),
        (page_of("pagelet://local/a.orig.html", "a.orig.html"), "a.orig"),
        (page_of("https://example.org/"), "example.org"),
        (page_of("https://example.org/shop/boats%20and%20more.php?x=1"), "boats-and-more"),
        (page_of("https://example.org/shop/"), "shop"),
    ],
)
def test_the_proposed_file_name_is_taken_from_the_page(document, wanted):
    assert file_name(document) == wanted
