"""The Extract panel on a live page: it follows the layer, the form and the marks, and copies."""

import pytest
from PySide6.QtGui import QGuiApplication

from gui.features.extract.panel import MARKDOWN, RENDERED, ExtractDock
from gui.state.selection import Mode

PAGE = (
    "<h2 id=head>Ferries</h2><ul><li>the <a href='https://a.example/one'>first</a></li>"
    "<li>the second</li></ul>"
    "<table><tr><th>Day</th><th>Time</th></tr><tr><td>Monday</td><td>9.00</td></tr></table>"
    "<img src='file:///etc/passwd' alt=x>"
)
MARKDOWN_OF_PAGE = (
    "## Ferries\n\n- the [first](https://a.example/one)\n- the second\n\n"
    "| Day | Time |\n| --- | --- |\n| Monday | 9.00 |"
)


@pytest.fixture
def dock(hand):
    hand.open(PAGE)
    made = ExtractDock(hand.session)
    hand.qtbot.addWidget(made)
    made.resize(500, 420)
    made.show()
    hand.qtbot.waitExposed(made)
    hand.session.layers.add_method("plain")
    hand.wait_for_methods()
    return made


def test_the_extract_of_the_current_layer_is_shown_in_three_forms_and_copied(hand, dock):
    hand.qtbot.waitUntil(lambda: "Ferries" in dock.reader.toPlainText())
    assert dock.remark() == hand.session.layers.layer("plain").name
    assert "passwd" not in dock.reader.toHtml()
    dock.forms.button(MARKDOWN).click()
    hand.qtbot.waitUntil(lambda: dock.text.toPlainText() == MARKDOWN_OF_PAGE)
    assert dock.text.isVisible()
    assert not dock.reader.isVisible()
    dock.next_form()
    hand.qtbot.waitUntil(lambda: dock.text.toPlainText().startswith("<h2>Ferries</h2>\n<ul>"))
    dock.copy_shown()
    hand.qtbot.waitUntil(lambda: QGuiApplication.clipboard().text() == dock.text.toPlainText())
    dock.copy_markdown()
    hand.qtbot.waitUntil(lambda: QGuiApplication.clipboard().text() == MARKDOWN_OF_PAGE)
    dock.set_form(RENDERED)
    hand.qtbot.waitUntil(dock.reader.isVisible)


def test_gold_is_shown_as_an_extract_and_an_empty_one_is_reported(hand, dock):
    hand.session.layers.set_current_layer("gold-main")
    hand.qtbot.waitUntil(lambda: dock.empty.text() == "Main content keeps nothing on this page.")
    assert dock.empty.isVisible()
    hand.session.selection.set_mode(Mode.MAIN)
    hand.click("#head")
    hand.qtbot.waitUntil(lambda: dock.reader.toPlainText().strip() == "Ferries")
