"""One door for translation: rows of actions and shared widgets pass it."""

import pytest
from PySide6.QtCore import QCoreApplication, QTranslator
from PySide6.QtWidgets import QLabel

from gui.features.pages.panel import PagesDock
from gui.widgets.parts import IconButton
from gui.window.actions import ACTIONS
from tests.gui.parts import make_window

pytestmark = pytest.mark.web


class Loud(QTranslator):
    """A language that is English in capitals."""

    def translate(self, context, text, disambiguation=None, n=-1):
        return text.upper() if context == "Pagelet" else None


@pytest.fixture
def loud(qtbot, tmp_path):
    """A window made in that language."""
    translator = Loud()
    QCoreApplication.installTranslator(translator)
    window = make_window(tmp_path)
    yield window
    window.close_down()
    window.deleteLater()
    QCoreApplication.removeTranslator(translator)


def test_menus_actions_tips_and_shared_widgets_are_in_the_language_of_the_translator(loud):
    assert {each.text().replace("&", "") for each in loud.menuBar().actions()} >= {
        "FILE",
        "MARK",
        "VIEW",
    }
    assert [row.name for row in ACTIONS if loud.actions_[row.name].text() != row.text.upper()] == []
    tips = [loud.actions_[row.name].toolTip() for row in ACTIONS if row.help]
    helps = [row.help.upper() for row in ACTIONS if row.help]
    assert all(text.split()[0] in tip for text, tip in zip(helps, tips, strict=True))
    dock = loud.panel(PagesDock)
    assert dock.windowTitle() == "PAGES"
    assert "PAGES" in {label.text() for label in dock.titleBarWidget().findChildren(QLabel)}
    buttons = loud.findChildren(IconButton)
    assert any(each.accessibleName().isupper() for each in buttons)
