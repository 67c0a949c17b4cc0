"""The texts that a window shows, to tell a picture of it that has become stale."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QTextDocumentFragment
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QComboBox,
    QGroupBox,
    QLabel,
    QListView,
    QPlainTextEdit,
    QTabBar,
    QTextEdit,
    QWidget,
)

STORED = Path(__file__).with_name("picture_texts.json")
"""Name of a picture → the texts that it showed when it was taken."""

_TIMES = re.compile(r"\d[\d.,]*\s?(?:µs|ms|s|min|pages/s)\b|\d+ tr(?:y|ies)(?: \(time ran out\))?")
"""What differs from one run to the next."""
_MOST_ROWS = 60


def shown_texts(window: QWidget) -> list[str]:
    """Return the lines of text that a window shows, sorted, each once; durations as "…"."""
    lines: set[str] = set()
    for widget in window.findChildren(QWidget):
        if widget.isVisibleTo(window) and not widget.visibleRegion().isEmpty():
            for text in _texts_of(widget):
                plain = QTextDocumentFragment.fromHtml(text).toPlainText() if "<" in text else text
                lines.update(line.strip() for line in _TIMES.sub("…", plain).splitlines())
    return sorted(lines - {""})


def _texts_of(widget: QWidget) -> Iterator[str]:
    match widget:
        case QLabel() | QAbstractButton():
            yield widget.text()
        case QComboBox():
            yield widget.currentText()
        case QGroupBox():
            yield widget.title()
        case QTabBar():
            yield from map(widget.tabText, range(widget.count()))
        case QTextEdit() | QPlainTextEdit():
            yield widget.toPlainText()
        case QAbstractItemView() if widget.model() is not None:
            yield from _cells(widget, QModelIndex())


def _cells(view: QAbstractItemView, parent: QModelIndex) -> Iterator[str]:
    model = view.model()
    for row in range(min(model.rowCount(parent), _MOST_ROWS)):
        for column in range(1 if isinstance(view, QListView) else model.columnCount(parent)):
            index = model.index(row, column, parent)
            if view.visualRect(index).isValid():
                yield str(index.data(Qt.ItemDataRole.DisplayRole) or "")
        yield from _cells(view, model.index(row, 0, parent))


def changes_of(name: str, before: list[str], now: list[str]) -> list[str]:
    """Return what a window says otherwise than the picture of it, a line each."""
    gone = [f"{name}: no longer: {line}" for line in before if line not in now]
    return gone + [f"{name}: not shown: {line}" for line in now if line not in before]


def stored_texts() -> dict[str, list[str]]:
    """Return the texts that each picture showed when it was taken."""
    texts: dict[str, list[str]] = json.loads(STORED.read_text(encoding="utf-8"))
    return texts


def store_texts(name: str, lines: list[str]) -> None:
    """Store the texts that a picture shows."""
    texts = stored_texts() if STORED.exists() else {}
    texts[name] = lines
    text = json.dumps(dict(sorted(texts.items())), ensure_ascii=False, indent=1)
    STORED.write_text(text + "\n", encoding="utf-8")
