"""Two pages of a site side by side: scrolled by their template, with its parts and differences."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from annotate.plugins.page_diff.page_diff import DiffRegion, PageDiff, diff_pages
from engine.document import Document
from engine.nodes import NodeTable
from engine.words import plural
from gui.core.main_area import Room, View
from gui.core.workbench import Workbench
from gui.features.pages.feature import PageMenu
from gui.plugins.page_diff.template_layers import (
    ALONE,
    OTHER,
    SHARED,
    keep_visible,
    region_around,
    share_of_template,
    specs_of,
)
from gui.plugins.side_by_side.legend import LegendLine
from gui.plugins.side_by_side.page_pane import PagePane
from gui.plugins.side_by_side.panes import Panes
from gui.plugins.side_by_side.scroll_sync import ScrollSync, follow
from gui.widgets.jobs import Task
from gui.widgets.texts import plain

ENTRIES = (
    LegendLine(SHARED[0], "solid", "the same on both, numbered"),
    LegendLine(OTHER, "dashed", "other content here"),
    LegendLine(ALONE, "dotted", "on one page only"),
)


class PageDiffPane(PagePane):
    """Pane that shows a page of the list."""

    chosen = Signal(int)  # another page of the list
    opened = Signal(int)  # the page is opened for work

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        """Create a pane; ``name`` is its name for screen readers."""
        super().__init__(f"Page {name}", "open", parent)
        self.index = -1  # of the page in the list
        self.choice.activated.connect(self.chosen)
        work = self.head.button
        work.setToolTip(plain("Work on this page"))
        work.setAccessibleName("Work on this page")
        work.clicked.connect(lambda: self.opened.emit(self.index))

    def show_names(self, names: Sequence[str]) -> None:
        self.choice.clear()
        self.choice.addItems(list(names))
        self.choice.setCurrentIndex(self.index)

    def load(self, index: int, document: Document) -> None:
        """Load a page of the list, unless it is loaded already."""
        self.index = index
        self.choice.setCurrentIndex(index)
        if document == self._document and (self.page is not None or self.canvas.is_busy):
            return
        self._document = document
        self.begin(document)

    def draw(self, diff: PageDiff | None) -> None:
        """Draw the template and the differences, as seen from this page."""
        pieces = self.canvas.pieces
        self.canvas.draw([] if diff is None or pieces is None else specs_of(diff, pieces))

    def scroll_with(self, diff: PageDiff, top: float) -> None:
        """Scroll to the match of the top of the other page, from which ``diff`` is seen."""
        self.scroll_to(follow(ScrollSync(diff.ours, diff.theirs, diff.rows), top))


class PageDiffView(Panes, View):
    """Shows any two pages of the list, each in a pane."""

    turned = Signal()  # another page is shown
    room = Room.WITHOUT_PANELS
    hint = (
        "Click: the same part of the other page · {siblings-next} next difference · "
        "{siblings-other} other page · Esc"
    )

    def __init__(self, workbench: Workbench) -> None:
        main_area = workbench.main_area
        super().__init__("Siblings", ENTRIES, main_area.stack)
        self._workbench = workbench
        self.pair = (0, 0)  # the pages to show, of those listed
        self.zoomed.connect(main_area.zoomed)
        self.turned.connect(main_area.switched)
        self.said.connect(workbench.session.messages.say)
        workbench.session.documents_changed.connect(self._drop)
        self._documents: tuple[Document, ...] = ()
        self.diffs: tuple[PageDiff, ...] = ()
        """Diff as seen from each pane; () until computed."""
        self._task = Task(self)
        self._current_difference = -1  # index of the current difference

    @property
    def panes(self) -> tuple[PageDiffPane, ...]:
        """Both panes; empty before they are first shown."""
        return tuple(pane for pane in super().panes if isinstance(pane, PageDiffPane))

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(pane.choice.currentText() for pane in self.panes)

    def _drop(self) -> None:
        self._workbench.main_area.drop(self)

    # contents ----------------------------------------------------------------------------------
    def open(self) -> bool:
        self._documents = self._workbench.session.documents
        names = [self._workbench.pages.title(document) for document in self._documents]
        if not self._made:
            for name in ("on the left", "on the right"):
                pane = PageDiffPane(name, self)
                self._follow_zoom(pane)
                self._made.append(pane)
                pane.captured.connect(self._compare)
                pane.chosen.connect(lambda document, p=pane: self._choose(p, document))
                pane.opened.connect(self._work_on)
                pane.scrolled.connect(lambda top, p=pane: self._on_scrolled(p, top))
                pane.hovered.connect(lambda row, p=pane: self._follow_pointer(p, row))
                pane.picked.connect(lambda row, p=pane: self._align_other(p, row))
            self.lay_out(len(self._made))
        for pane, index in zip(self.panes, self.pair, strict=True):
            pane.show_names(names)
            self._choose(pane, index)
        return True

    def _work_on(self, index: int) -> None:
        self._workbench.main_area.drop(self)
        self._workbench.navigation.open_document(index)

    def _choose(self, pane: PageDiffPane, index: int) -> None:
        self._forget()
        pane.load(index, self._documents[index])
        self.turned.emit()
        if all(each.page is not None for each in self.panes):
            self._compare()

    def close_up(self) -> None:
        self._forget()
        super().close_up()

    def close_down(self) -> None:
        self._forget()
        super().close_down()

    def take_focus(self) -> None:
        self._current = 0
        super().take_focus()

    # comparing ---------------------------------------------------------------------------------
    def _forget(self) -> None:
        self._task.cancel()
        self.diffs, self._current_difference = (), -1
        for pane in self.panes:
            pane.draw(None)
            pane.frame(())
        self.legend.say("")

    def _compare(self) -> None:
        one, other = (pane.page for pane in self.panes)
        if one is None or other is None:
            return
        self._forget()
        self.legend.say("comparing")
        self._task.start(
            partial(_compared, one.rendered(), other.rendered()),
            self._on_compared,
            lambda error: self.legend.say(f"not compared: {error}"),
        )

    def _on_compared(self, diff: PageDiff) -> None:
        self.diffs = (diff, diff.turned())
        for pane, seen_from in zip(self.panes, self.diffs, strict=True):
            pane.draw(seen_from)
            share = f"{100 * share_of_template(seen_from):.0f} %"
            pane.head.say(f"{share} on both", f"{share} of its text stands on both pages")
        self.legend.say(_summary(diff))
        leader = self.panes[self.current_index()]
        self._on_scrolled(leader, leader.top)

    # following ---------------------------------------------------------------------------------
    def _on_scrolled(self, leader: PageDiffPane, top: float) -> None:
        if self.diffs:
            index = self.panes.index(leader)
            self.panes[1 - index].scroll_with(self.diffs[index], top)

    def _follow_pointer(self, pane: PageDiffPane, row: int) -> None:
        around = self._around(pane, row)
        for each in self.panes:
            rows = () if around is None else around.ours if each is pane else around.theirs
            each.frame(rows, is_named=False)

    def _around(self, pane: PageDiffPane, row: int) -> DiffRegion | None:
        if not self.diffs or row < 0:
            return None
        return region_around(self.diffs[self.panes.index(pane)], row)

    def _align_other(self, pane: PageDiffPane, row: int) -> None:
        """Scroll the other page so that the match of a clicked row is at the same height."""
        around = self._around(pane, row)
        other = self.panes[1 - self.panes.index(pane)]
        if around is None or not around.theirs or other.page is None or pane.page is None:
            return
        here = float(pane.page.rendered().rect[around.ours[0], 1])
        there = float(other.page.rendered().rect[around.theirs[0], 1])
        other.scroll_to(there - (here - pane.top))

    # by key ------------------------------------------------------------------------------------
    def next_pane(self, by: int = 1) -> None:
        """Go to the other page; its own, since an action finds a view by the class of this."""
        super().next_pane(by)

    def walk(self, by: int) -> None:
        """Go to the next or previous difference."""
        if not self.diffs or not self.diffs[0].differing:
            return
        differences = self.diffs[0].differing
        before = max(self._current_difference, -1 if by > 0 else 0)
        self._current_difference = (before + by) % len(differences)
        region = differences[self._current_difference]
        for number, rows in enumerate((region.ours, region.theirs)):
            pane, other = self.panes[number], self.panes[1 - number]
            pane.frame(rows, is_named=False)
            if rows:
                assert pane.page is not None
                top = max(float(pane.page.rendered().rect[rows[0], 1]) - 40.0, 0.0)
                pane.scroll_to(top)
                if region.is_single:  # else: at the end of a page neither follows the other
                    other.scroll_with(self.diffs[number], top)
        self.legend.say(f"{self._current_difference + 1} of {len(differences)} differences")

    def swap(self) -> None:
        """Swap the two pages."""
        if self.panes:
            first, second = (pane.index for pane in self.panes)
            for pane, document in zip(self.panes, (second, first), strict=True):
                self._choose(pane, document)


class PairShower(QObject):
    """Shows two pages of the list, also on request of another feature."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._main_area, self._listed = workbench.main_area, workbench.get(PageMenu)
        workbench.requests.pair.connect(self._show)

    def compare_listed(self) -> None:
        """Show the open page and the one chosen in the list."""
        if (pair := self._listed.pair) is not None:
            self._show(*pair)

    def _show(self, first: int, second: int) -> None:
        view = self._main_area.get(PageDiffView)
        view.pair = (first, second)
        self._main_area.show(view)


def _compared(one: NodeTable, other: NodeTable) -> PageDiff:
    return keep_visible(diff_pages(one, other))


def _summary(diff: PageDiff) -> str:
    both = sum(not region.is_single for region in diff.differing)
    left = sum(not region.theirs for region in diff.differing)
    right = sum(not region.ours for region in diff.differing)
    return (
        f"{plural(len(diff.shared), 'part')} of the template · {plural(both, 'position')} with "
        f"other content · {left} only left, {right} only right"
    )
