"""Table of the Agreement view: a row per page, and the mean of all pages at the top."""

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from algorithms.measures.choice import measure_of
from annotate.plugins.team_work.agreement import AgreementLevel, Atoms, column_means
from gui.plugins.team_work.agreement.rows import AgreementRow
from gui.widgets.color_scale import colors_of
from gui.widgets.texts import plain
from gui.widgets.theme import theme_of

_LIE, _LARGER = measure_of("b3-chars"), measure_of("b3-chars-max")
_OF_BOTH = "For blocks of both levels: the mean of that of level 1 and that of level 2"
HEADS = (
    ("Page", "Double-click or Enter: its review"),
    ("Annotators", "Who marked it"),
    ("Cohen κ", f"Cohen's kappa, mean over all pairs of annotators. {_OF_BOTH}"),
    ("Fleiss κ", f"Fleiss' kappa of all annotators. {_OF_BOTH}"),
    ("Kripp. α", f"Krippendorff's alpha. {_OF_BOTH}"),
    ("Gwet AC1", f"Gwet's AC1: stays high where nearly all text is of one type. {_OF_BOTH}"),
    (_LIE.name, f"How blocks lie. {_LIE.sentence}"),
    (_LARGER.name, f"High where one only cuts finer. {_LARGER.sentence}"),
    ("After that", f"{_LIE.name} once small blocks are left out, as the curve at the right says"),
    ("Unsure", "How many marks their annotators flagged as unsure (Shift+Q)"),
)
_BLOCKS = 6
"""The first column on positions of blocks: main content has none."""
_UNSURE = len(HEADS) - 1
PAGE = Qt.ItemDataRole.UserRole + 1


class AgreementTable(QTableWidget):
    """Coefficients by page; a click on a heading sorts the worst first."""

    opened = Signal(str)  # key of a page
    chosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(0, len(HEADS), parent)
        self.setAccessibleName("Agreement by page")
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setShowGrid(False)
        self.setAlternatingRowColors(False)
        self.verticalHeader().hide()
        for column, (head, tip) in enumerate(HEADS):
            item = QTableWidgetItem(head)
            item.setToolTip(plain(tip))
            across = Qt.AlignmentFlag.AlignLeft if column < 2 else Qt.AlignmentFlag.AlignRight
            item.setTextAlignment(across | Qt.AlignmentFlag.AlignVCenter)
            self.setHorizontalHeaderItem(column, item)
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setHighlightSections(False)
        header.sectionClicked.connect(self._sort)
        self._by: tuple[int, bool] = (-1, True)
        self._shown: tuple[Sequence[AgreementRow], AgreementLevel, Atoms, int] = (
            (),
            "both",
            "chars",
            0,
        )
        self.itemSelectionChanged.connect(self.chosen)
        self.itemDoubleClicked.connect(lambda item: self._open(item.row()))

    def page(self) -> AgreementRow | None:
        """Return the chosen page; None for none, and for the mean."""
        return self._page_at(self.currentRow()) if self.selectedItems() else None

    def _page_at(self, row: int) -> AgreementRow | None:
        item = self.item(row, 0)
        page: AgreementRow | None = item.data(PAGE) if item is not None else None
        return page

    def fill(
        self, pages: Sequence[AgreementRow], level: AgreementLevel, atoms: Atoms, cut: int
    ) -> None:
        """Show the coefficients of a level, counted in characters or nodes, at a cut."""
        self._shown = pages, level, atoms, cut
        for column in range(_BLOCKS, _UNSURE):
            self.setColumnHidden(column, level == "main")
        before = self.page()
        rows = [
            (page, (*page.agreement.values(level, atoms), page.agreement.dial(level)[cut],
                    float(sum(page.agreement.unsure.values()))))
            for page in pages
        ]  # fmt: skip
        column, ascends = self._by
        if column == 0:
            rows.sort(key=lambda row: row[0].name, reverse=not ascends)
        elif column > 1:
            rows.sort(key=lambda row: _key(row[1][column - 2], ascends))
        means = column_means(values for _, values in rows)
        self.setRowCount(len(rows) + bool(rows))
        if rows:
            self._row(0, f"Mean of {len(rows)}", "", means, None)
        for number, (page, values) in enumerate(rows, 1):
            self._row(number, page.name, ", ".join(page.agreement.annotators), values, page)
            if before is not None and page.key == before.key:
                self.selectRow(number)

    def _row(
        self, row: int, name: str, who: str, values: Sequence[float], page: AgreementRow | None
    ) -> None:
        theme = theme_of(self)
        items = [QTableWidgetItem(text) for text in (name, who)]
        for item in items:
            item.setData(PAGE, page)
            item.setToolTip(plain(item.text()))
        for column, value in enumerate(values, 2):
            is_count = column == _UNSURE
            text = f"{value:.4g}" if is_count else f"{value:.3f}"
            item = QTableWidgetItem("–" if np.isnan(value) else text)
            item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            if not np.isnan(value) and not is_count:
                ground, text_color = colors_of(theme, min(max(value, 0.0), 1.0))
                item.setBackground(ground)
                item.setForeground(text_color)
            items.append(item)
        bold = QFont(self.font())
        bold.setBold(True)
        for column, item in enumerate(items):
            if page is None:
                item.setFont(bold)
            self.setItem(row, column, item)

    def _sort(self, column: int) -> None:
        if column == 1:
            return
        self._by = (column, not self._by[1] if self._by[0] == column else True)
        order = Qt.SortOrder.AscendingOrder if self._by[1] else Qt.SortOrder.DescendingOrder
        self.horizontalHeader().setSortIndicator(column, order)
        self.horizontalHeader().setSortIndicatorShown(True)
        self.fill(*self._shown)

    def _open(self, row: int) -> None:
        if (page := self._page_at(row)) is not None:
            self.opened.emit(page.key)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._open(self.currentRow())
        else:
            super().keyPressEvent(event)


def _key(value: float, ascends: bool) -> tuple[bool, float]:
    return bool(np.isnan(value)), value if ascends else -value
