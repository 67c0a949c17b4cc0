"""Site view: pages by template, and linked pictures of their distances."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain
from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from algorithms.plugins.site.distances import DISTANCES
from engine.document import Document
from engine.page_cache import Snapshots, default_folder
from engine.web.renderer import renderer_name
from engine.words import plural
from gui.core.main_area import Room, View
from gui.core.workbench import Workbench
from gui.plugins.site.background import SiteComparison, Thumbnailer, known_pictures
from gui.plugins.site.dendrogram import DendrogramPicture
from gui.plugins.site.histogram import HistogramPicture
from gui.plugins.site.map import MapPicture
from gui.plugins.site.matrix import MatrixPicture
from gui.plugins.site.state import SiteState
from gui.plugins.site.thumbnailer import Drawn
from gui.plugins.site.thumbnails import Thumbnails
from gui.widgets.controls import push_button, text_label
from gui.widgets.jobs import Task
from gui.widgets.layouts import lay_out
from gui.widgets.parts import Busy, ElidedLabel, Segments, ValueSlider, tone
from gui.widgets.texts import plain


class SiteBar(QWidget):
    """Distance, state, transfer of marks, the way back."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.distance = QComboBox(self)
        self.distance.setAccessibleName("Distance of pages")
        for entry in DISTANCES:
            self.distance.addItem(entry.name, entry.key)
        self.distance.setCurrentIndex(self.distance.findData("cps-class"))
        self.transfer = push_button(
            "Transfer marks", self,
            tip="Finds what is marked on the selected pages, else on the open one, on the other "
            "pages of their cluster",
        )  # fmt: skip
        tip = "The two selected pages, aligned by their template  (Shift+F12)"
        self.pair = push_button("Side by side", self, tip=tip)
        self.busy = Busy(self, 14)
        self.words = ElidedLabel("", self)
        tone(self.words, "muted")
        label = QLabel("Distance", self)
        label.setBuddy(self.distance)
        lay_out(
            QHBoxLayout(self), label, self.distance, self.transfer, self.pair, 6, self.busy,
            (self.words, 1), margins=(12, 8, 8, 8), spacing=8,
        )  # fmt: skip
        self.show_idle("", can_transfer=False)
        self.show_selected(0)

    def show_read(self, count: int, total: int) -> None:
        """Show that pages are read and compared."""
        self.busy.show()
        comparing = f"Comparing {plural(total, 'page')}"
        self.words.setText(f"Reading page {count} of {total}" if count < total else comparing)

    def show_selected(self, count: int) -> None:
        """Show the actions for a number of selected pages."""
        self.pair.setVisible(count == 2)

    def show_idle(self, words: str, *, can_transfer: bool) -> None:
        self.busy.hide()
        self.words.setText(words)
        self.transfer.setEnabled(can_transfer)


class Apart(QWidget):
    """What to do where no two pages are in one cluster."""

    def __init__(self, choose: Callable[[], None], parent: QWidget) -> None:
        """``choose`` offers the distances."""
        super().__init__(parent)
        words = text_label(self, _APART, factor=1)
        self.button = push_button("Another distance…", self, choose)
        lay_out(QHBoxLayout(self), (words, 1), self.button, margins=(12, 8, 12, 4), spacing=12)
        self.hide()


_DISTANCE = "cps-class"
"""Default distance: it separates templates best on real sites."""

_SIDE = 420
"""Width of the figures at first, px."""

_FIGURES = (
    ("Map", "Map: similar pages are near each other; a frame selects"),
    ("Tree", "Tree: how pages merge; drag the cut"),
    ("Distances", "Distances: a matrix of all pages"),
    ("Pairs", "Pairs by distance: how many have which; drag the threshold"),
)

_APART = (
    "Each page is like no other: no two share a template by this distance. Open the pages of one "
    "site, choose another distance, or raise the threshold."
)

_FEW = "Open a site: a folder of pages, a package, or what pagelet crawl wrote."


class SiteView(QWidget, View):
    """Site overview in place of the page; works only while visible."""

    room = Room.OVER_PAGE
    hint = (
        "Click: select · Ctrl-click: several · Enter opens · {siblings} two side by side · "
        "Drag the threshold: fewer or more clusters"
    )

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
        self._snapshots = Snapshots(folder, renderer_name())
        self._search = Task(self, in_line=True)
        self.bar = SiteBar(self)
        self.thumbnails = Thumbnails(self.state, self)
        self.matrix = MatrixPicture(self.state, self)
        self.map = MapPicture(self.state, self)
        self.histogram = HistogramPicture(self.state, self)
        self.dendrogram = DendrogramPicture(self.state, self)
        self.figures = Segments([(at, name, tip) for at, (name, tip) in enumerate(_FIGURES)], self)
        self.figure = QStackedWidget(self)
        self.threshold = ValueSlider(0, 100, " %", "Threshold, of the largest distance", self)
        self.apart = Apart(self.bar.distance.showPopup, self)
        self.note = ElidedLabel("", self)
        self.list = QListWidget(self)
        self.list.setAccessibleName("Selected pages")
        self._body = QStackedWidget(self)
        self._build()
        self._connect()
        self._on_documents()

    def _build(self) -> None:
        for picture in (self.map, self.dendrogram, self.matrix, self.histogram):
            self.figure.addWidget(picture)
        self.figures.set_value(0)
        tone(self.note, "muted")
        cut = lay_out(QHBoxLayout(), QLabel("Threshold", self), (self.threshold, 1), spacing=8)
        side, tiles = QWidget(self), QWidget(self)
        lay_out(
            QVBoxLayout(side), self.figures, (self.figure, 1), cut, self.note, self.list,
            margins=(10, 8, 10, 8), spacing=8,
        )  # fmt: skip
        lay_out(QVBoxLayout(tiles), self.apart, (self.thumbnails, 1), spacing=0)
        self.list.hide()
        self.list.setMaximumHeight(150)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        split = QSplitter(Qt.Orientation.Horizontal, self)
        split.addWidget(tiles)
        split.addWidget(side)
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 1)
        split.setSizes([1180, _SIDE])
        split.setChildrenCollapsible(False)
        empty = text_label(self, _FEW, factor=1)
        empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._body.addWidget(split)
        self._body.addWidget(empty)
        lay_out(QVBoxLayout(self), self.bar, (self._body, 1), spacing=0)

    def _connect(self) -> None:
        state, comparison, bar = self.state, self.comparison, self.bar
        self._session.documents_changed.connect(self._on_documents)
        bar.distance.activated.connect(lambda: self.show_distance(bar.distance.currentData()))
        self._workbench.pages.titles.found.connect(self.show_names)
        bar.transfer.clicked.connect(self.transfer)
        bar.pair.clicked.connect(self.show_pair)
        comparison.progressed.connect(lambda count: bar.show_read(count, len(self._documents)))
        comparison.problem.connect(self._session.messages.say)
        comparison.compared.connect(state.set_overview)
        comparison.failed.connect(lambda why: bar.show_idle(why, can_transfer=False))
        self.thumbnails.requested.connect(self.thumbnailer.want)
        self.thumbnailer.drawn.connect(self._on_drawn)
        self.figures.picked.connect(self.figure.setCurrentIndex)
        self.threshold.changed.connect(lambda part: state.set_threshold(part / 100 * state.highest))
        state.hovered_changed.connect(self._say)
        state.selected_changed.connect(self._list)
        state.selected_changed.connect(self._say)
        state.selected_changed.connect(lambda: bar.show_selected(len(state.selected)))
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
            known = partial(known_pictures, self._snapshots, self._documents)
            self._search.start(known, self._on_known)
            self._compare()

    def _on_known(self, paths: dict[int, Path]) -> None:
        self.thumbnails.reset(paths)
        self.thumbnailer.set_documents(self._documents, paths)

    def _on_drawn(self, drawn: Drawn) -> None:
        if drawn.path is not None:
            self.thumbnails.set_path(drawn.page, drawn.path)

    def _on_clusters(self) -> None:
        overview = self.state.overview
        self.apart.setVisible(self.state.is_apart)
        self.threshold.setEnabled(overview is not None and bool(overview.matrix.any()))
        if overview is None:
            return
        count, alone = len(self.state.groups()), self.state.alone
        words = f"{plural(len(overview), 'page')}, {plural(count, 'cluster')}"
        words += f", {plural(alone, 'page')} like no other" if alone and count else ""
        self.bar.show_idle(words, can_transfer=count > 0)
        self.threshold.set_value(round(100 * self.state.threshold / (self.state.highest or 1)))
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
        self.list.setVisible(bool(self.state.selected))
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
        self._workbench.requests.ask("pair", *pages)

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
        self._workbench.requests.ask("transfer", pages, sorted(members - {*pages}))

    # leaving ---------------------------------------------------------------------------------
    def take_focus(self) -> None:
        self.thumbnails.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._main_area.show_page()
        else:
            super().keyPressEvent(event)

    def close_down(self) -> None:
        self.comparison.end()
        self.thumbnailer.end()
        self._search.cancel()


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
        is_best = len(members) > 2 and state.overview.central(members) == first
        note = " · the best one to mark first" if is_best else ""
        cluster = f"cluster {label + 1}" if len(members) > 1 else "like no other"
        return f"{state.names[first]} · {cluster}{note}"
    away = float(state.overview.matrix[first, last])
    return f"{away:.3g} apart: {state.names[first]} and {state.names[last]}"
