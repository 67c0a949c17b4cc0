"""List of pages: their status, and the open one."""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPoint,
    QRect,
    QRectF,
    QSize,
    QSortFilterProxyModel,
    Qt,
    Signal,
)
from PySide6.QtGui import QActionGroup, QColor, QFont, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
    QWidget,
)

from annotate.workspace.page_search import Query, query_of
from annotate.workspace.workspace import page_key
from engine.document import Document
from gui.core.action import Context
from gui.core.navigation import Navigation
from gui.state.session import Session
from gui.state.work_order import WorkOrder
from gui.widgets.controls import SearchField
from gui.widgets.entry_delegate import ItemIndex
from gui.widgets.layouts import lay_out
from gui.widgets.parts import IconButton, PanelDock, hint
from gui.widgets.texts import plain
from gui.widgets.theme import draw_rounded, pixmap, scale_font, theme_of

ADDRESS, STATUS, CURRENT, FILTER, SCORE, ASSIGNED, UNSURE, ASKED, ORDER, IS_RANKED = (
    Qt.ItemDataRole.UserRole + i for i in range(1, 11)
)

LEFT_OUT = "left out"
"""Status of listed files that are not pages: they are unticked."""

STATUSES = {
    "new": ("status-new", "edge", "not looked at yet"),
    "open": ("status-open", "accent", "open"),
    "in progress": ("status-progress", "accent", "in progress"),
    "question": ("status-question", "warn", "has a question"),
    "done": ("status-done", "good", "done"),
    LEFT_OUT: ("status-left", "muted", "left out"),
}
"""Icon (each of a different shape), colour of the theme and text, by status."""

ASSIGNED_TO_ME = "Assigned to me"
SHOWN = {
    "All pages": frozenset(STATUSES),
    "Still to do": frozenset(["new", "open", "in progress", "question"]),
    "In progress": frozenset(["in progress"]),
    "With a question": frozenset(STATUSES),
    "With unsure marks": frozenset(STATUSES),
    "Done": frozenset(["done"]),
    ASSIGNED_TO_ME: frozenset(STATUSES),
    "Assigned, still to do": frozenset(["new", "open", "in progress", "question"]),
    "Left out, no pages": frozenset([LEFT_OUT]),
}
"""Filters of the list."""

_FINDS = (
    "Words of title, address, status, tags, types of blocks and comments; score<.5 finds pages by "
    "the mean score of their runs"
)
_WORDS = (FILTER, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole)
"""Roles read by a screen reader: a page's title, and its status in words."""


class PagesModel(QAbstractListModel):
    """Documents of the session as a list, followed by files that are not pages."""

    def __init__(self, session: Session, host: Navigation, parent: QWidget) -> None:
        super().__init__(parent)
        self._session, self._host, self._order = session, host, session.get(WorkOrder)
        session.documents_changed.connect(self._reset)
        session.open.document_changed.connect(self._refresh)
        host.pages.changed.connect(self._refresh)

    def rowCount(self, parent: ItemIndex = QModelIndex()) -> int:  # noqa: B008
        session = self._session
        return 0 if parent.isValid() else len(session.documents) + len(session.left_out)

    def data(self, index: ItemIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row, documents, pages = index.row(), self._session.documents, self._host.pages
        if row >= len(documents):
            return _of_left_out(*self._session.left_out[row - len(documents)], role)
        document = documents[row]
        if role == STATUS:  # first, and alone: the filter asks it of every page
            return pages.status(document)
        if role == IS_RANKED:
            return bool(self._order.ranks)
        if role == CURRENT:
            return document == self._session.open.document
        if role == Qt.ItemDataRole.DisplayRole:
            return pages.title(document)
        if role in (ADDRESS, ORDER):
            rank = self._order.ranks.get(page_key(document)) if self._order.ranks else None
            if role == ORDER:
                return 2.0 if rank is None else rank.value(self._order.by)
            return address_of(document) if rank is None else rank.why(self._order.by)
        if role == ASSIGNED:
            return pages.is_assigned(document)
        if role == ASKED:
            return pages.has_question(document)
        if role in (SCORE, UNSURE):
            facts = pages.facts(document)
            return facts.score if role == SCORE else facts.unsure
        if role not in _WORDS:
            return None
        state, title = STATUSES[pages.status(document)][2], pages.title(document)
        if role == FILTER:
            words = (title, document.address, document.home, state, *pages.tags(document))
            words = (*words, pages.remark(document))
            return f"{' '.join(words).casefold()} {pages.facts(document).words}"
        rank = self._order.ranks.get(page_key(document))
        why = [] if rank is None else [rank.why(self._order.by)]
        tagged = [f"tags: {', '.join(tags)}"] if (tags := pages.tags(document)) else []
        tagged += filter(None, [pages.remark(document)])
        if role == Qt.ItemDataRole.ToolTipRole:
            address = document.home or document.address
            return plain("\n".join([title, address, state, *why, *tagged]))
        return ", ".join([title, state, *why, *tagged])

    def _reset(self) -> None:
        self.beginResetModel()
        self.endResetModel()

    def _refresh(self) -> None:
        if self._session.documents:
            self.dataChanged.emit(self.index(0), self.index(len(self._session.documents) - 1))


def _of_left_out(document: Document, reason: str, role: int) -> object:
    """Return the data of a row for a file that is not a page."""
    name = document.path
    shown: dict[int, object] = {
        STATUS: LEFT_OUT,
        ORDER: 3.0,  # after all pages
        ADDRESS: reason,
        Qt.ItemDataRole.DisplayRole: name,
        Qt.ItemDataRole.CheckStateRole: Qt.CheckState.Unchecked,
        FILTER: f"{document.address} {reason} {LEFT_OUT}".casefold(),
        Qt.ItemDataRole.AccessibleTextRole: f"{name}, not ticked, no page: {reason}",
    }
    if role == Qt.ItemDataRole.ToolTipRole:
        return plain(f"{document.address}\nNo page: {reason}\nTick it to list it as a page")
    return shown.get(role)


def address_of(document: Document) -> str:
    """Return the second line: the page's address, shortened to its distinctive part."""
    shown = document.home or (document.url if document.is_live else document.path)
    shown = shown or Path(document.address).name  # a file without its own folder
    return shown.removeprefix("https://").removeprefix("http://").removesuffix("/")


class PagesFilter(QSortFilterProxyModel):
    """Filter that accepts pages with every typed word and one of the chosen statuses."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._query = Query()
        self._statuses = SHOWN["All pages"]
        self._only: int | None = None  # a role that must hold
        self.setSortRole(ORDER)

    def set_text(self, text: str) -> None:
        """Filter by these words."""
        self._query = query_of(text)
        self.invalidate()

    def set_statuses(self, statuses: frozenset[str], only: int | None = None) -> None:
        """Filter by these statuses, and by the item role ``only`` if given."""
        if (self._statuses, self._only) != (statuses, only):
            self._statuses, self._only = statuses, only
            self.invalidate()

    @property
    def takes_all(self) -> bool:
        """Whether every row is shown."""
        is_narrow = self._only is not None or self._statuses != SHOWN["All pages"]
        return not is_narrow and self._query == Query()

    def filterAcceptsRow(self, row: int, parent: ItemIndex) -> bool:
        """Return whether a page is shown; the status filter does not apply to the open one."""
        if self.takes_all:
            return True  # asking for each status takes half a second of 10,000 pages
        index = self.sourceModel().index(row, 0, parent)
        query = self._query
        if query != Query() and not query.finds(str(index.data(FILTER)), index.data(SCORE)):
            return False
        if self._only is not None and not index.data(self._only):
            return False
        return index.data(STATUS) in self._statuses or bool(index.data(CURRENT))


class PagesDelegate(QStyledItemDelegate):
    """Draws two lines: title and address, with the status before them."""

    def sizeHint(self, option: QStyleOptionViewItem, index: ItemIndex) -> QSize:
        return QSize(120, round(option.fontMetrics.height() * 2.05) + 12)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: ItemIndex) -> None:
        view, state, is_current = option.widget, option.state, bool(index.data(CURRENT))
        theme = theme_of(view)
        rect: QRect = option.rect
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(rect).adjusted(6, 1, -6, -1)
        if is_current or state & QStyle.StateFlag.State_MouseOver:
            draw_rounded(painter, box, 7, fill=theme.chosen if is_current else theme.hover)
        if state & QStyle.StateFlag.State_Selected and view.hasFocus():
            draw_rounded(painter, box.adjusted(0.5, 0.5, -0.5, -0.5), 7, theme.accent)

        name, color, _ = STATUSES[str(index.data(STATUS))]
        size, top = 16, rect.top() + 7
        weight = QFont.Weight.DemiBold if is_current else None
        painter.setFont(scale_font(option.font, 1.0, weight=weight))
        line = painter.fontMetrics().height()
        shade, ratio = str(getattr(theme, color)), view.devicePixelRatioF()
        sign = pixmap(name, shade, size, ratio, theme.panel)
        painter.drawPixmap(QPoint(rect.left() + 14, top + (line - size) // 2), sign)
        room = QRect(rect.left() + 38, top, rect.width() - 38 - 14, line)
        end, center = Qt.TextElideMode.ElideRight, Qt.AlignmentFlag.AlignVCenter
        painter.setPen(QColor(theme.text))
        title = painter.fontMetrics().elidedText(str(index.data()), end, room.width())
        painter.drawText(room, center, title)
        painter.setFont(scale_font(option.font, 0.88))
        painter.setPen(QColor(theme.muted))
        # The end of an address is distinctive; a reason is read from its beginning.
        mode = end if index.data(IS_RANKED) else Qt.TextElideMode.ElideMiddle
        metrics = painter.fontMetrics()
        address = metrics.elidedText(str(index.data(ADDRESS)), mode, room.width())
        below = QRect(room.left(), top + line, room.width(), metrics.height())
        painter.drawText(below, center, address)
        painter.restore()


class PagesView(QListView):
    """List view; Enter opens the page under the cursor."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open on Enter and Space, on all platforms."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            if self.currentIndex().isValid():
                self.activated.emit(self.currentIndex())
            return
        super().keyPressEvent(event)


class PagesDock(PanelDock):
    """List of pages, a row each: status, title, address."""

    chosen = Signal(int)  # the document a right click asks about
    opened = Signal()  # a page was chosen here: the focus may move to it

    def __init__(self, session: Session, host: Navigation, parent: QWidget | None = None) -> None:
        super().__init__("Pages", "PagesDock", parent)
        self._session, self._host = session, host
        self.search_in_view: Callable[[], bool] = lambda: False  # True where a view lists pages

        self.filter = SearchField("Find a page", self)
        self.filter.setToolTip(plain(_FINDS))
        self._add_choice()
        parts = (self.filter, 1), self.narrow
        self.finder = QWidget(self)
        lay_out(QHBoxLayout(self.finder), *parts, margins=(10, 0, 6, 6), spacing=4)
        self.finder.hide()
        self.title_button("search", "Find a page, or choose which are listed", self.toggle_finder)
        self.add_close()

        self.model = PagesModel(session, host, self)
        self.shown = PagesFilter(self)
        self.shown.setSourceModel(self.model)
        self.view = PagesView(self)
        self.view.setModel(self.shown)
        self.view.setItemDelegate(PagesDelegate(self.view))
        self.view.setMouseTracking(True)
        self.view.setUniformItemSizes(True)
        self.view.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.setAccessibleName("Pages")
        self.view.clicked.connect(self._open)
        self.view.activated.connect(self._open)

        self._none = hint("", self)
        lay_out(self.body, self.finder, self._none, (self.view, 1))

        self.filter.textChanged.connect(self._set_text)
        self.filter.returnPressed.connect(self._open_first)
        session.documents_changed.connect(self._start_over)
        session.open.document_changed.connect(self._refresh)
        host.pages.changed.connect(self._refresh)
        self._order = session.get(WorkOrder)
        self._order.changed.connect(self._sort)
        self._order.asked.connect(self.bring_forward)
        self._refresh()

    def _add_choice(self) -> None:
        """Add the button with the choice of listed pages."""
        self.narrow = IconButton("sliders", "Which pages are listed", self)
        self.narrow.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self.narrow)
        group = QActionGroup(menu)
        names = [name for name in SHOWN if "Assigned" not in name or self._host.pages.assigned]
        self._choices = {name: menu.addAction(name) for name in names}
        for text, action in self._choices.items():
            action.setCheckable(True)
            action.setChecked(text == "All pages")
            group.addAction(action)
        group.triggered.connect(lambda action: self._set_shown(action.text()))
        self.narrow.setMenu(menu)

    def list_assigned(self) -> None:
        """List only the pages assigned to the current annotator."""
        self._choices[ASSIGNED_TO_ME].trigger()

    def bring_forward(self) -> None:
        """Show the list in front of the panels it is tabbed with."""
        self.show()
        self.raise_()

    def _sort(self) -> None:
        """List pages in the order of work, or in their own order."""
        self.shown.invalidate()
        self.shown.sort(0 if self._order.ranks else -1)
        self._refresh()
        if self._order.ranks:
            self.view.scrollToTop()  # the first pages are the requested ones

    def find_page(self) -> None:
        """Focus the search field of the visible list of pages."""
        if not self.search_in_view():
            self.bring_forward()
            self.finder.show()
            self.filter.start()

    def toggle_finder(self) -> None:
        """Show the search field, or list all pages again without it."""
        if self.finder.isHidden():
            self.find_page()
        else:
            self._start_over()

    def end_search(self) -> None:
        """List all pages again if a search hid some."""
        if self.filter.hasFocus():
            self.filter.clear()
            self._put_finder()

    def _put_finder(self) -> None:
        """Hide the search field while it hides no page."""
        has_choice = not self._choices["All pages"].isChecked()
        self.finder.setVisible(bool(self.filter.text()) or has_choice)

    def titles(self) -> Sequence[str]:
        return [str(self.shown.index(i, 0).data()) for i in range(self.shown.rowCount())]

    def context_at(self, at: QPoint | None) -> Context | None:
        """Choose the page there, or the one with the focus; None beside the list."""
        view = self.view.viewport()
        index = self.view.currentIndex()
        if at is not None:
            if not view.rect().contains(view.mapFromGlobal(at)):
                return None
            index = self.view.indexAt(view.mapFromGlobal(at))
        self.chosen.emit(self.shown.mapToSource(index).row())
        return Context.PAGES

    def _open(self, index: QModelIndex) -> None:
        row, session = self.shown.mapToSource(index).row(), self._session
        if row >= len(session.documents):
            self._host.switch_no_page(session.left_out[row - len(session.documents)][0])
        elif row >= 0:
            if session.documents[row] != session.open.document or not session.open.page:
                self._host.open_document(row)
            self.opened.emit()

    def _open_first(self) -> None:
        if self.shown.rowCount():
            self._open(self.shown.index(0, 0))

    def _set_text(self, text: str) -> None:
        self.shown.set_text(text)
        self._refresh()

    def _start_over(self) -> None:
        """List all of other pages: the search was for the previous ones."""
        self.filter.clear()
        self._choices["All pages"].trigger()
        self._put_finder()

    def _set_shown(self, name: str) -> None:
        roles = {"Assigned": ASSIGNED, "unsure": UNSURE, "a question": ASKED}
        only = next((role for part, role in roles.items() if part in name), None)
        self.shown.set_statuses(SHOWN[name], only)
        self.narrow.set_icon("sliders", "muted" if name == "All pages" else "accent")
        self._refresh()

    def _refresh(self) -> None:
        session, count = self._session, self.shown.rowCount()
        documents, document = session.documents, session.open.document
        done = self._host.pages.count_done(documents)
        how = f", {self._order.in_words}" if self._order.ranks else ""
        left = f", {len(session.left_out)} left out" if session.left_out else ""
        self.set_remark(f"{done} of {len(documents)} done{left}{how}" if documents else "")
        for part in (self.filter, self.narrow):
            part.setEnabled(bool(documents))
        none = "No page matches." if documents else "Pages you open are listed here."
        self._none.setText(none)
        self._none.setVisible(not count)
        if self.shown.takes_all and not self._order.ranks:
            session.listed = range(len(documents))
        else:
            shown = (self.shown.mapToSource(self.shown.index(i, 0)) for i in range(count))
            session.listed = [at.row() for at in shown if at.row() < len(documents)]
        if document in documents:
            index = self.shown.mapFromSource(self.model.index(documents.index(document)))
            if index.isValid():
                self.view.setCurrentIndex(index)
                self.view.scrollTo(index)
