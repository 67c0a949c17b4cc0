"""Tool tips show plain text, even if the title of a page is HTML."""

import ast
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QHelpEvent, QTextDocument
from PySide6.QtWidgets import QApplication, QLabel, QToolTip

import gui
from gui.widgets.texts import plain

EVIL = "<img src=file:///etc/passwd><h1>Ferry & back</h1>"


def shown(text):
    """Return the characters that Qt draws of a tool tip."""
    document = QTextDocument()
    document.setHtml(text)
    return document.toPlainText()


@pytest.mark.parametrize("text", [EVIL, f"{EVIL}\n  second line\n\nthird", "<b>bold</b> &amp;"])
def test_text_that_looks_like_html_is_shown_literally(text):
    drawn = [line.split() for line in shown(plain(text)).split("\n")]
    assert drawn == [line.split() for line in text.split("\n") if line]


@pytest.mark.parametrize("text", ["", "Ferry", "a < b & c", "two\nlines"])
def test_an_ordinary_text_is_unchanged(text):
    assert plain(text) == text


def test_a_shown_tool_tip_has_the_literal_text(qtbot):
    label = QLabel("page")
    qtbot.addWidget(label)
    label.setToolTip(plain(EVIL))
    label.show()
    position = QPoint(2, 2)
    help_event = QHelpEvent(QEvent.Type.ToolTip, position, label.mapToGlobal(position))
    QApplication.sendEvent(label, help_event)
    assert shown(QToolTip.text()) == EVIL
    QToolTip.hideText()


def test_every_tool_tip_that_is_no_literal_is_made_plain():
    loose = []
    for path in sorted(Path(gui.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                continue
            if node.func.attr not in ("setToolTip", "showText"):
                continue
            text = node.args[1] if node.func.attr == "showText" else node.args[-1]
            is_plain = isinstance(text, ast.Call) and ast.unparse(text.func) == "plain"
            is_plain = is_plain or ast.unparse(text) == "translate(widget.toolTip())"  # once shown
            if not is_plain and not isinstance(text, ast.Constant):
                loose.append(f"{path.name}:{node.lineno}")
    assert not loose
