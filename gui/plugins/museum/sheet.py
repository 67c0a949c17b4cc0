"""Details of a table: published and own figures in one cell, and remarks."""

import math

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLabel,
    QScrollArea,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from annotate.evaluation.published import MeasuredFigures, PublishedTable
from annotate.plugins.museum.status import differences, rows_by_reason, shown, status_of
from annotate.plugins.museum.texts import data_line, of_how_many, provenance, signed, tolerance
from gui.plugins.museum.list import shade_of
from gui.widgets.layouts import lay_out
from gui.widgets.parts import small, tone
from gui.widgets.theme import theme_of
from gui.widgets.tips import plain

MOST_HEIGHT = 420
"""Largest height of a table, px; a longer one scrolls."""


class FiguresTable(QTableWidget):
    """A row for each method: published figure, own figure, and their difference."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Published and own figures")
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setShowGrid(False)
        self.verticalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)

    def fill(self, table: PublishedTable, measured: MeasuredFigures | None) -> None:
        """Show a table with own figures, or only with the published ones."""
        self.clear()
        self.setRowCount(len(table.rows))
        self.setColumnCount(len(table.columns))
        self.setHorizontalHeaderLabels([column.label for column in table.columns])
        self.setVerticalHeaderLabels([row.label for row in table.rows])
        statuses = status_of(table, measured).rows
        for number, row in enumerate(table.rows):
            gaps = differences(table, measured, number) if measured is not None else ()
            for column, published in enumerate(row.published):
                own = math.nan if measured is None else measured.figures[number][column]
                text = shown(published)
                if not math.isnan(own):
                    text += f" → {shown(own)}\n{signed(gaps[column])}"
                item = QTableWidgetItem(text)
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                status = statuses[number]
                if status is not None and not math.isnan(own) and not math.isnan(published):
                    item.setForeground(shade_of(status.standing, theme_of(self)))
                    item.setToolTip(plain(f"published {shown(published)}, here {shown(own)}"))
                self.setItem(number, column, item)
        self.resizeRowsToContents()
        whole = self.horizontalHeader().sizeHint().height() + self.verticalHeader().length() + 4
        self.setMinimumHeight(min(whole, MOST_HEIGHT))
        self.setVisible(bool(table.rows))


class Sheet(QScrollArea):
    """Details of a table."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("The table chosen")
        self.setAccessibleDescription("text that scrolls")
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setWidgetResizable(True)
        inside = QWidget(self)
        self.title, self.cite, self.status = (QLabel(inside) for _ in range(3))
        self.said = QLabel(inside)
        self.figures = FiguresTable(inside)
        small(self.title, 1.2)
        tone(self.cite, "muted")
        for label in (self.title, self.cite, self.status, self.said):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        lay_out(
            QVBoxLayout(inside), self.title, self.cite, self.status, (self.figures, 1), self.said,
            None, margins=(16, 12, 16, 16), spacing=10,
        )  # fmt: skip
        self.setWidget(inside)

    def fill(self, table: PublishedTable, measured: MeasuredFigures | None) -> None:
        """Show a table with these own figures."""
        self.title.setText(f"{table.title}")
        self.cite.setText(", ".join(filter(None, (table.cite, table.source))))
        status = status_of(table, measured)
        self.status.setText(status.text[:1].upper() + status.text[1:])
        self.status.setStyleSheet(
            f"color: {shade_of(status.standing, theme_of(self)).name()}; font-weight: 600"
        )
        self.figures.fill(table, measured)
        parts = list(filter(None, [of_how_many(table, measured), tolerance(table)]))
        parts += [f"{', '.join(rows)}: {why}" for why, rows in rows_by_reason(table).items()]
        parts += [table.notes, data_line(table)]
        parts += [provenance(measured)] if measured is not None else []
        self.said.setText("\n\n".join(filter(None, parts)))
