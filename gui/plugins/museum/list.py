"""List of tables, grouped by paper, with their status."""

from collections.abc import Iterator, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from annotate.evaluation.tables.published import PublishedTable
from annotate.plugins.museum.status import ReproductionStatus, status_of
from gui.widgets.texts import plain
from gui.widgets.theme import Theme, theme_of

_ID = Qt.ItemDataRole.UserRole + 1
_PAPER = Qt.ItemDataRole.UserRole + 2

_SHADES = {
    ReproductionStatus.REPRODUCED: "good",
    ReproductionStatus.WITHIN: "good",
    ReproductionStatus.DIFFERS: "warn",
}


def shade_of(standing: ReproductionStatus, theme: Theme) -> QColor:
    """Return the colour of a status; muted if nothing was measured."""
    return QColor(getattr(theme, _SHADES.get(standing, "muted")))


class TableList(QTreeWidget):
    """Tables by paper; the chosen one is shown beside the list."""

    chosen = Signal(str)  # id of a table

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("PublishedTables")
        self.setAccessibleName("Published tables")
        self.setHeaderLabels(["Table", "Status"])
        self.setIndentation(14)
        self.header().setStretchLastSection(True)
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
        self.header().resizeSection(0, 270)
        self.currentItemChanged.connect(self._on_current)
        self.itemClicked.connect(self._on_click)
        self.itemExpanded.connect(_mark_group)
        self.itemCollapsed.connect(_mark_group)

    def fill(self, tables: Sequence[PublishedTable], current: str) -> None:
        """Show these tables, and choose one of them."""
        self.blockSignals(True)
        self.clear()
        run = {each.paper for each in tables if each.measured is not None}
        groups: dict[str, QTreeWidgetItem] = {}
        for table in tables:
            if table.paper not in groups:
                groups[table.paper] = self._group(table.paper)
            item = QTreeWidgetItem(groups[table.paper])
            item.setData(0, _ID, table.id)
            self._write(item, table)
            if table.id == current:
                self.setCurrentItem(item)
                run.add(table.paper)
        for paper, group in groups.items():
            group.setExpanded(paper in run)
            _mark_group(group)
        self.blockSignals(False)

    def ids(self) -> list[str]:
        """Return the ids of the listed tables, from the top."""
        return [str(item.data(0, _ID)) for item in self._items()]

    def choose(self, name: str) -> None:
        """Choose a table by its id."""
        for item in self._items():
            if item.data(0, _ID) == name:
                self.setCurrentItem(item)

    def _group(self, paper: str) -> QTreeWidgetItem:
        group = QTreeWidgetItem(self)
        group.setFlags(Qt.ItemFlag.ItemIsEnabled)
        group.setFirstColumnSpanned(True)
        group.setData(0, _PAPER, paper)
        font = self.font()
        font.setBold(True)
        group.setFont(0, font)
        return group

    def _items(self) -> Iterator[QTreeWidgetItem]:
        root = self.invisibleRootItem()
        for number in range(root.childCount()):
            if (group := root.child(number)) is not None:
                items = (group.child(each) for each in range(group.childCount()))
                yield from filter(None, items)

    def _write(self, item: QTreeWidgetItem, table: PublishedTable) -> None:
        status = status_of(table)
        text = f"{table.source}: {table.title}" if table.source else table.title
        item.setText(0, text)
        item.setText(1, status.text)
        item.setToolTip(0, plain(f"{text} ({table.id})"))
        item.setToolTip(1, plain(status.text))
        item.setForeground(1, shade_of(status.standing, theme_of(self)))

    def _on_click(self, item: QTreeWidgetItem) -> None:
        if not item.data(0, _ID):
            item.setExpanded(not item.isExpanded())

    def _on_current(self, item: QTreeWidgetItem | None, _before: object) -> None:
        if item is not None and item.data(0, _ID):
            self.chosen.emit(item.data(0, _ID))


def _mark_group(group: QTreeWidgetItem) -> None:
    arrow = "▾" if group.isExpanded() else "▸"
    group.setText(0, f"{arrow} {group.data(0, _PAPER)} ({group.childCount()})")
