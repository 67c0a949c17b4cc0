"""Qt model of a table of scores."""

import time
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt

from annotate.evaluation.store.rows import ResultRow, version_now
from annotate.evaluation.store.stored_runs import StoredRun
from annotate.evaluation.tables.axes import Column, ListedPage, OutputKind
from annotate.evaluation.tables.result_table import Results, Stale
from engine.web.renderer import renderer_name
from gui.features.evaluate import cell_text
from gui.features.evaluate.arrangement import Arrangement
from gui.features.evaluate.filtering import ComparedPair, PageFilter, Sort
from gui.features.evaluate.measures import KINDS, measure
from gui.widgets.entry_delegate import ItemIndex
from gui.widgets.texts import plain

ItemRole = Qt.ItemDataRole


class ScoresModel(QAbstractTableModel):
    """Pages × methods; all changes of `shown`, the arrangement, go through here."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.shown = Arrangement()

    # Qt's calls ------------------------------------------------------------------------------
    def rowCount(self, parent: ItemIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.shown.order)

    def columnCount(self, parent: ItemIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.shown.columns)

    def data(self, index: ItemIndex, role: int = ItemRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        page, column = self.page(index.row()), self.shown.columns[index.column()]
        if role == ItemRole.DisplayRole:
            return cell_text.words(self.shown, page, column)
        if role == ItemRole.ToolTipRole:
            return plain(cell_text.tip(self.shown, page, column))
        if role == ItemRole.AccessibleTextRole:
            return cell_text.spoken(self.shown, page, column)
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = ItemRole.DisplayRole
    ) -> object:
        if orientation == Qt.Orientation.Vertical:
            return self._page_data(section, role) if section < self.rowCount() else None
        if not 0 <= section < len(self.shown.columns):
            return None
        column = self.shown.columns[section]
        if role == ItemRole.DisplayRole:
            return cell_text.title(self.shown, column)
        if role == ItemRole.AccessibleTextRole:
            mean = self.shown.mean(column).value
            words = "no mean" if mean is None else f"mean {mean:.3f}"
            return f"{cell_text.title(self.shown, column)}, {words}"
        if role == ItemRole.ToolTipRole:
            return plain(cell_text.column_tip(self.shown, column))
        return None

    def _page_data(self, row: int, role: int) -> object:
        position = self.page(row)
        page = self.shown.table.pages[position]
        if role in (ItemRole.DisplayRole, ItemRole.AccessibleTextRole):
            return page.title
        if role == ItemRole.ToolTipRole:
            stale = cell_text.why_stale(self.shown.why_stale(position))
            return plain("\n".join(filter(None, (page.title, page.note, stale))))
        return None

    def page(self, row: int) -> int:
        return int(self.shown.order[row])

    # changes ---------------------------------------------------------------------------------
    def set_pages(self, pages: Sequence[ListedPage]) -> None:
        """Reset the table to other pages."""
        self._reset(lambda: self.shown.begin(pages))

    def set_results(self, results: Results) -> None:
        """Show other results with their pages."""
        self._reset(lambda: self.shown.show(results))

    def set_types(self, types: Sequence[frozenset[str]]) -> None:
        """Set the block types in each page's gold."""
        self.shown.types = tuple(types)
        if self.shown.page_filter.type:
            self.rearrange()

    def set_tags(self, tags: Sequence[frozenset[str]]) -> None:
        """Set the tags of each page."""
        self.shown.tags = tuple(tags) if any(tags) else ()
        if self.shown.page_filter.tag:
            self.rearrange()

    def set_columns(self, columns: Sequence[Column], kinds: Sequence[OutputKind] = KINDS) -> None:
        """Show these columns in their order, those of extraction first."""
        if (tuple(columns), tuple(kinds)) != (self.shown.chosen, self.shown.kinds):
            self._reset(lambda: self.shown.want(columns, kinds))

    def compare(self, pair: ComparedPair | None) -> None:
        """Show two columns side by side with their difference between them; None: as before."""
        if pair != self.shown.pair:
            self._reset(lambda: self.shown.compare(pair))

    def show_measure(self, kind: OutputKind, key: str) -> None:
        """Show another measure of one kind of methods."""
        self.shown.shown[kind] = measure(kind, key)
        self.rearrange()

    def set_filter(self, page_filter: PageFilter) -> None:
        """Filter the pages."""
        if page_filter != self.shown.page_filter:
            self.shown.page_filter = page_filter
            self.rearrange()

    def set_sort(self, sort: Sort) -> None:
        """Sort the pages."""
        if sort != self.shown.sort_by:
            self.shown.sort_by = sort
            self.rearrange()

    def take(self, rows: Iterable[ResultRow], gold: str = "") -> None:
        """Add the rows of new runs; pages stay until `rearrange`."""
        pages = self.shown.table.take(rows, time.time(), gold)
        self.shown.forget_means()
        for page in pages:
            self._emit_changed(page)

    def skip(self, pages: Sequence[int], columns: Sequence[Column], reason: str) -> None:
        """Mark methods as not run on pages, with the reason."""
        self.shown.table.skip(pages, columns, reason)
        self.rearrange()

    def restore(self, runs: Iterable[StoredRun]) -> None:
        """Restore stored scores, and mark outdated ones as far as known."""
        table = self.shown.table
        for run in runs:
            table.take(run.rows, run.made, run.gold)
        table.check_versions(version_now, renderer_name())
        self.rearrange()

    def check(self, digests: Sequence[tuple[str, str]]) -> None:
        """Mark scores of other gold or another page as outdated, by the digests of both by page."""
        for page, (gold, digest) in enumerate(digests):
            self.shown.table.check(page, gold, digest)
            self._emit_changed(page)

    def mark_stale(self, page: int, why: Stale) -> None:
        """Mark the numbers of a page as outdated."""
        if self.shown.table.mark_stale(page, why):
            self._emit_changed(page)

    def rearrange(self) -> None:
        """Filter and sort the pages again; the current page stays current."""
        self.layoutAboutToBeChanged.emit()
        indexes = self.persistentIndexList()
        pages = [self.page(index.row()) for index in indexes]
        self.shown.arrange()
        rows = {int(page): row for row, page in enumerate(self.shown.order)}
        for index, page in zip(indexes, pages, strict=True):
            row = rows.get(page, -1)
            now = self.index(row, index.column()) if row >= 0 else QModelIndex()
            self.changePersistentIndex(index, now)
        self.layoutChanged.emit()

    def _reset(self, change: Callable[[], None]) -> None:
        self.beginResetModel()
        change()
        self.shown.arrange()
        self.endResetModel()

    def _emit_changed(self, page: int) -> None:
        rows = np.flatnonzero(self.shown.order == page)
        if rows.size and self.shown.columns:
            row = int(rows[0])
            last = len(self.shown.columns) - 1
            self.dataChanged.emit(self.index(row, 0), self.index(row, last))
            self.headerDataChanged.emit(Qt.Orientation.Vertical, row, row)
