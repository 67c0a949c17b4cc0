"""Translation: all texts of actions and shared widgets go through the translator."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.web, pytest.mark.slow]
SHOWN = """
import json, sys
from pathlib import Path
from engine.web import profile
profile.prepare(no_sandbox=True)
from PySide6.QtCore import QCoreApplication, QTranslator
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QLineEdit, QWidget
from gui.plugins.side_by_side.view import SideBySide
from gui.features.pages.panel import PagesDock
from gui.widgets.parts import IconButton
from gui.window.actions import ACTIONS
from tests.gui.parts import make_window

class Loud(QTranslator):
    def translate(self, context, text, disambiguation=None, n=-1):
        return text.upper() if context == "Pagelet" else None

app, loud = QApplication([]), Loud()
QCoreApplication.installTranslator(loud)
window = make_window(Path(sys.argv[1]))
made = window.actions_
window.session.messages.say("open a page first")
window.main_area.get(SideBySide)

def texts(kind, read):
    result = {read(each) for each in window.findChildren(kind)}
    return sorted(text for text in result if text != text.upper())

print("SHOWN" + json.dumps({
    "menus": [each.text().replace("&", "") for each in window.menuBar().actions()],
    "left": [row.name for row in ACTIONS if made[row.name].text() != row.text.upper()],
    "helps": [row.name for row in ACTIONS if row.help.upper().split()[:1] and
              row.help.upper().split()[0] not in made[row.name].toolTip()],
    "message": window.toast.text,
    "texts": {
        "labels": texts(QLabel, QLabel.text),
        "buttons": texts(QAbstractButton, QAbstractButton.text),
        "fields": texts(QLineEdit, QLineEdit.placeholderText),
        "tips": texts(QWidget, QWidget.toolTip), "names": texts(QWidget, QWidget.accessibleName),
    },
    "panel": window.panel(PagesDock).windowTitle(),
    "buttons": sorted({each.accessibleName() for each in window.findChildren(IconButton)}),
}), flush=True)
window.close_down()
"""


def test_menus_actions_tool_tips_and_shared_widgets_are_translated(tmp_path):
    # In a separate process: a translator makes Qt rewrite every window left by other tests.
    ended = subprocess.run(
        [sys.executable, "-c", SHOWN, str(tmp_path)],
        capture_output=True, text=True, check=False, timeout=240, cwd=Path(__file__).parents[3],
    )  # fmt: skip
    (line,) = (each for each in ended.stdout.splitlines() if each.startswith("SHOWN"))
    shown = json.loads(line.removeprefix("SHOWN"))
    assert {"FILE", "MARK", "VIEW"} <= set(shown["menus"])
    assert shown["left"] == []
    assert shown["helps"] == []
    assert shown["panel"] == "PAGES"
    assert shown["message"] == "OPEN A PAGE FIRST"
    assert shown["texts"] == {kind: [] for kind in shown["texts"]}
    assert "CLOSE" in shown["buttons"]
