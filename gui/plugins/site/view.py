"""Site view: pages by template, and linked pictures of their distances."""

from collections.abc import Sequence
from itertools import chain
from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QGridLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from algorithms.plugins.site.overview import Overview
from engine.document import Document
from engine.page_cache import Snapshots, default_folder
from engine.web.renderer import renderer_name
from engine.words import plural
from gui.core.main_area import Room, View
from gui.core.workbench import Workbench
from gui.plugins.site.background import SiteComparison, Thumbnailer
from gui.plugins.site.bar import SiteBar
from gui.plugins.site.dendrogram import DendrogramPicture
from gui.plugins.site.histogram import HistogramPicture
from gui.plugins.site.known import KnownPictures
from gui.plugins.site.map import MapPicture
from gui.plugins.site.matrix import MatrixPicture
from gui.plugins.site.state import SiteState
from gui.plugins.site.thumbnailer import Drawn
from gui.plugins.site.thumbnails import Thumbnails
from gui.widgets.layouts import lay_out
from gui.widgets.parts import ElidedLabel, small, tone
from gui.widgets.tips import plain

_DISTANCE = "cps-class"
"""Default distance: it separates templates best on real sites."""

_FEW = "Open a site: a folder of pages, a package, or what pagelet crawl wrote."


class SiteView(QWidget, View):
    """Site overview in place of the page; works only while visible."""

    room = Room.OVER_PAGE

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench.main_area.stack)
        self._workbench, self._main_area = workbench, workbench.main_area
        self._title_of = workbench.pages.title
        folder = default_folder()
        self.setObjectName("Site")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setMinimumSize(320, 240)
        self._session = workbench.session
        self._documents: tuple[Document, ...] = ()
        self.key = _DISTANCE
        self.state = SiteState(self)
        self.comparison = SiteComparison(self)
        self.thumbnailer = Thumbnailer(folder, self)
        self.known = KnownPictures(Snapshots(folder, renderer_name()), self)
        self.bar = SiteBar(self)
        self.thumbnails = Thumbnails(self.state, self)
        self.matrix = MatrixPicture(self.state, self)
        self.map = MapPicture(self.state, self)
        self.histogram = HistogramPicture(self.state, self)
        self.dendrogram = DendrogramPicture(self.state, self)
        self.note = ElidedLabel("", self)
        self.list = QListWidget(self)
        self.list.setAccessibleName("Selected pages")
        self._body = QStackedWidget(self)
        self._build()
        self._connect()
        self._on_documents()

    def _build(self) -> None:
        side = QWidget(self)
        grid = QGridLayout(side)
        grid.setContentsMargins(10, 8, 10, 8)
        grid.setSpacing(8)
        for index, (heading, picture) in enumerate(
            (
                ("Distances", self.matrix),
                ("Map", self.map),
                ("Pairs by distance", self.histogram),
                ("How pages merge", self.dendrogram),
            )
        ):
            row, column = divmod(index, 2)
            label = small(QLabel(heading, side), 0.9)
            tone(label, "muted")
            grid.addWidget(label, 2 * row, column)
            grid.addWidget(picture, 2 * row + 1, column)
            grid.setRowStretch(2 * row + 1, 3)
        tone(self.note, "muted")
        grid.addWidget(self.note, 4, 0, 1, 2)
        grid.addWidget(self.list, 5, 0, 1, 2)
        grid.setRowStretch(5, 1)
        self.list.setMaximumHeight(150)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        split = QSplitter(Qt.Orientation.Horizontal, self)
        split.addWidget(self.thumbnails)
        split.addWidget(side)
        split.setStretchFactor(0, 2)
        split.setStretchFactor(1, 3)
        split.setSizes([440, 660])
        split.setChildrenCollapsible(False)
        empty = QLabel(_FEW, self)
        empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        empty.setWordWrap(True)
        tone(empty, "muted")
        self._body.addWidget(split)
        self._body.addWidget(empty)
        lay_out(QVBoxLayout(self), self.bar, (self._body, 1), spacing=0)

    def _connect(self) -> None:
        state, comparison = self.state, self.comparison
        self._session.documents_changed.connect(self._on_documents)
        self.bar.distance_picked.connect(self.show_distance)
        self._workbench.pages.titles.found.connect(self.show_names)
        self.bar.leave_asked.connect(self._main_area.show_page)
        self.bar.transfer_asked.connect(self.transfer)
        self.bar.pair_asked.connect(self.show_pair)
        comparison.progressed.connect(lambda count: self.bar.show_read(count, len(self._documents)))
        comparison.problem.connect(self._session.messages.say)
        comparison.compared.connect(self._on_compared)
        comparison.failed.connect(self._on_failed)
        self.thumbnails.requested.connect(self.thumbnailer.want)
        self.thumbnailer.drawn.connect(self._on_drawn)
        self.known.found.connect(self._on_known)
        state.hovered_changed.connect(self._say)
        state.selected_changed.connect(self._list)
        state.selected_changed.connect(self._say)
        state.selected_changed.connect(lambda: self.bar.show_selected(len(state.selected)))
        state.clusters_changed.connect(self._on_clusters)
        state.opened.connect(self._open_page)
        self.list.itemActivated.connect(lambda item: self._open_page(_page(item)))
        self.list.setMouseTracking(True)
        self.list.itemEntered.connect(lambda item: state.set_hovered(_page(item)))

    # contents --------------------------------------------------------------------------------
    def show_distance(self, key: str) -> None:
        """Compare the pages with another distance."""
        self.key = key
        self._compare()

    def showEvent(self, event: QShowEvent) -> None:
        """Start missing work, unless another view is about to cover this one."""
        super().showEvent(event)
        QTimer.singleShot(0, self, self._begin)

    def _begin(self) -> None:
        if self.state.overview is None and not self.comparison.is_busy:
            self._compare()

    def _compare(self) -> None:
        if len(self._documents) > 1 and self.isVisible():
            self.bar.show_read(0, len(self._documents))
            self.comparison.compare(self._documents, self.key)

    def show_names(self) -> None:
        """Update the names of the pages."""
        self.state.rename(self._title_of(document) for document in self._documents)

    def _on_documents(self) -> None:
        self._documents = tuple(self._session.documents)
        self.comparison.end()
        self.state.set_names(self._title_of(document) for document in self._documents)
        self.thumbnails.reset({})
        self.thumbnailer.set_documents(self._documents)
        self._body.setCurrentIndex(0 if len(self._documents) > 1 else 1)
        self.bar.show_idle("", can_transfer=False)
        if len(self._documents) > 1:
            self.known.search(self._documents)
            self._compare()

    def _on_known(self, paths: dict[int, Path]) -> None:
        self.thumbnails.reset(paths)
        self.thumbnailer.set_documents(self._documents, paths)

    def _on_drawn(self, drawn: Drawn) -> None:
        if drawn.path is not None:
            self.thumbnails.set_path(drawn.page, drawn.path)

    def _on_compared(self, overview: Overview) -> None:
        self.state.set_overview(overview)

    def _on_failed(self, why: str) -> None:
        self.bar.show_idle(why, can_transfer=False)

    def _on_clusters(self) -> None:
        overview = self.state.overview
        if overview is None:
            return
        count = int(self.state.labels.max(initial=-1)) + 1
        pages = f"{plural(len(overview), 'page')} in {plural(count, 'cluster')}"
        self.bar.show_idle(pages, can_transfer=True)
        self._say()

    def _say(self) -> None:
        state = self.state
        pages = state.hovered or tuple(
            sorted(state.selected)[:2] if len(state.selected) <= 2 else ()
        )
        count = plural(len(state.selected), "page") if state.selected else "No pages"
        self.note.setText(_words(state, pages) or f"{count} selected")

    def _list(self) -> None:
        self.list.clear()
        rank = {page: k for k, page in enumerate(chain.from_iterable(self.state.clusters()))}
        for page in sorted(self.state.selected, key=lambda page: rank[page]):
            item = QListWidgetItem(self.state.names[page], self.list)
            item.setToolTip(plain(self.state.names[page]))
            item.setData(Qt.ItemDataRole.UserRole, page)

    # actions on pages -------------------------------------------------------------------------
    def _open_page(self, page: int) -> None:
        self._main_area.show_page()
        self._workbench.navigation.open_document(page)

    def show_pair(self) -> None:
        """Show two pages side by side: the selected ones, else the open one and the most similar.

        Before the site was compared, that is the next page.
        """
        session = self._session
        pages = sorted(self.state.selected) if self._main_area.shows(SiteView) else []
        if len(pages) != 2:
            if len(session.documents) < 2 or session.open.document not in session.documents:
                session.messages.say("open a folder of pages first, to see two side by side")
                return
            first = session.documents.index(session.open.document)
            pages = [first, self.state.most_like(first)]
        self._workbench.requests.pair.emit(*pages)

    def open_selected(self) -> None:
        """Open the page selected last, or the first of several."""
        pages, current = self.state.selected, self.thumbnails.current
        if pages:
            self._open_page(current if current in pages else min(pages))

    def select_clusters(self) -> None:
        """Select all pages of the clusters of those selected."""
        self.state.set_selected(
            {each for page in self.state.selected for each in self.state.members(page)}
        )

    def transfer(self) -> None:
        """Transfer marks of the selected pages, else of the open one, to their clusters."""
        session, pages = self._session, sorted(self.state.selected)
        if not pages and session.open.document in session.documents:
            pages = [session.documents.index(session.open.document)]
        members = {each for page in pages for each in self.state.members(page)}
        self._workbench.requests.transfer.emit(pages, sorted(members - {*pages}))

    # leaving ---------------------------------------------------------------------------------
    def take_focus(self) -> None:
        """Focus the pages."""
        self.thumbnails.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go back to the page by Escape."""
        if event.key() == Qt.Key.Key_Escape:
            self._main_area.show_page()
        else:
            super().keyPressEvent(event)

    def close_down(self) -> None:
        """Stop background work."""
        self.comparison.end()
        self.thumbnailer.end()
        self.known.end()


def _page(item: QListWidgetItem) -> int:
    return int(item.data(Qt.ItemDataRole.UserRole))


def _words(state: SiteState, pages: Sequence[int]) -> str:
    """Return the text on one page, or on two."""
    if not pages or state.overview is None:
        return ""
    first, last = pages[0], pages[-1]
    if first == last:
        label = int(state.labels[first])
        members = state.members(first)
        best = state.overview.central(members)
        first_to_mark = (
            " · the best one to mark first" if best == first and len(members) > 2 else ""
        )
        return f"{state.names[first]} · cluster {label + 1}{first_to_mark}"
    away = float(state.overview.matrix[first, last])
    return f"{away:.3g} apart: {state.names[first]} and {state.names[last]}"
