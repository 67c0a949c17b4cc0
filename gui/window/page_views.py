"""Which view of the page the central area shows, and what zooming and saving mean there."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from gui.core.workbench import Workbench
from gui.features.page_diff.view import PageDiffView
from gui.features.presentation.stage import Presentation
from gui.features.side_by_side.view import SideBySide
from gui.features.view_3d.panel import View3DPanel
from gui.widgets.debounce import debounce


class Views(QObject):
    """Goes from the page to other views of it and back; the next page opens in the same view."""

    switched = Signal()
    asked = Signal(str)  # the name of an action
    zoomed = Signal()
    page_diff_left = Signal()  # by hand: what was there before may be wanted again

    def __init__(self, workbench: Workbench, stack: QStackedWidget, desk: QWidget) -> None:
        """Put the views on the stack that has the page; it lies on ``desk``."""
        super().__init__(stack)
        self._workbench = workbench
        self._shown: QWidget | None = None
        self._wanted: Callable[[], None] | None = None  # shows the same view of the next page
        self._least_width = 0
        session = workbench.session
        self.side = SideBySide(session, stack, workbench.golds)
        stack.addWidget(self.side)
        self.side.row_hovered.connect(workbench.hover_row)
        self.side.row_picked.connect(workbench.select_row)
        self.page_diff = PageDiffView(stack)
        stack.addWidget(self.page_diff)
        self.page_diff.opened.connect(self._work_on)
        self.page_diff.turned.connect(self.switched)
        self.view_3d = View3DPanel(session, workbench.canvas, stack)
        stack.addWidget(self.view_3d)
        self.view_3d.asked.connect(self.asked)
        self.view_3d.row_hovered.connect(workbench.hover_row)
        self.view_3d.row_picked.connect(workbench.select_row)
        for each in (self.side, self.page_diff, self.view_3d.view):
            each.zoomed.connect(self.zoomed)
        workbench.canvas.zoom_changed.connect(lambda _zoom: self.zoomed.emit())
        self.presentation = Presentation(workbench, desk)
        self.presentation.switched.connect(self.switched)
        session.document_changed.connect(self._on_document)
        session.documents_changed.connect(self._on_documents)
        # A picture cannot be taken while the browser still hands on what it was asked.
        self._soon = debounce(self, 0, self._on_page)
        session.page_changed.connect(self._soon.start)

    @property
    def widget(self) -> QWidget | None:
        """The view that stands in the page's place; None while the page is shown."""
        return self._shown

    @property
    def is_3d(self) -> bool:
        """Whether the page is shown in 3-D."""
        return self._shown is self.view_3d

    def toggle_3d(self) -> None:
        """Show the page in 3-D, or the page again."""
        if self.is_3d:
            self.leave()
        elif self.view_3d.open():
            self._wanted, self._least_width = self.toggle_3d, 0
            self._show(self.view_3d)

    @property
    def is_side(self) -> bool:
        """Whether the page is shown side by side."""
        return self._shown is self.side

    def toggle_side(self, count: int) -> None:
        """Show the page in two or four panes side by side, or alone again."""
        if self.is_side and len(self.side.panes) == count:
            self.leave()
            return
        self.side.open(count)
        self._wanted = partial(self.toggle_side, count)
        self._least_width = 2 * self._workbench.canvas.least_width
        self._show(self.side)
        self.side.take_focus()

    @property
    def least_width(self) -> int:
        """Width, px, below which pages side by side scroll across, also between two; else 0."""
        is_between = self._shown is None and self._wanted is not None
        return self._least_width if self.is_side or is_between else 0

    @property
    def is_page_diff(self) -> bool:
        """Whether two pages are shown side by side."""
        return self._shown is self.page_diff

    @property
    def pair(self) -> tuple[str, ...]:
        """The two pages side by side, by name; () while the open page is shown."""
        return self.page_diff.names if self.is_page_diff else ()

    def show_page_diff(self, first: int, second: int) -> None:
        """Show two pages of the list side by side."""
        documents = self._workbench.session.documents
        names = [self._workbench.pages.title(document) for document in documents]
        self._wanted = None
        self._show(self.page_diff)
        self.page_diff.open(documents, names, first, second)
        self.page_diff.take_focus()

    def _work_on(self, index: int) -> None:
        self._show(None)
        self._workbench.open_document(index)

    @property
    def is_presentation(self) -> bool:
        """Whether the page is presented."""
        return self.presentation.is_on

    def toggle_presentation(self) -> None:
        """Present the page, slide by slide, or work on it again."""
        if not self.is_presentation:
            self.leave()
        self.presentation.toggle()

    def leave(self) -> bool:
        """Go back to the page; False if it is shown already."""
        if self._shown is None:
            return self.presentation.leave()
        was_page_diff = self.is_page_diff
        self._wanted = None
        self._show(None)
        self._workbench.canvas.view.setFocus()
        if was_page_diff:
            self.page_diff_left.emit()
        return True

    def _show(self, widget: QWidget | None) -> None:
        self._shown = widget
        if widget is not self.view_3d:
            self.view_3d.close_down()
        if widget is not self.side:
            self.side.close_up()
        if widget is not self.page_diff:
            self.page_diff.close_up()
        self.switched.emit()
        if widget is not None:
            widget.setFocus()

    def _on_document(self) -> None:
        if self._shown is not None:
            self._show(None)

    def _on_documents(self) -> None:
        if self.is_page_diff:
            self._show(None)

    def _on_page(self) -> None:
        if self._wanted is not None and self._shown is None:
            self._wanted()

    def close_down(self) -> None:
        """Let go of what belongs to the browser."""
        self._soon.stop()
        self.presentation.close_down()
        self.side.close_down()
        self.page_diff.close_down()

    # what means something else in each view ---------------------------------------------------
    def pick_candidate(self) -> None:
        """Select the framed element, as a click on it does."""
        row = self._workbench.session.candidate
        if row >= 0:
            self._workbench.select_row(row)

    def zoom(self, way: int) -> None:
        """Show everything larger (1) or smaller (-1)."""
        if self.is_3d:
            self.view_3d.zoom(way)
        elif self.is_side:
            self.side.zoom(way)
        elif self.is_page_diff:
            self.page_diff.zoom(way)
        else:
            (self._workbench.zoom_in if way > 0 else self._workbench.zoom_out)()

    def zoom_fit(self) -> None:
        """Fit the page into the window."""
        if self.is_3d:
            self.view_3d.fit()
        elif self.is_side:
            self.side.zoom_fit()
        elif self.is_page_diff:
            self.page_diff.zoom_fit()
        else:
            self._workbench.zoom_fit()

    def zoom_actual(self) -> None:
        """Show everything at its own size."""
        if self.is_3d:
            self.view_3d.show_actual()
        elif self.is_side:
            self.side.zoom_actual()
        elif self.is_page_diff:
            self.page_diff.zoom_actual()
        else:
            self._workbench.zoom_actual()

    @property
    def scale(self) -> tuple[float, bool]:
        """The scale of what is shown, and whether it follows the window."""
        if self.is_3d:
            return self.view_3d.view.camera.zoom, False
        for panes in (self.side, self.page_diff):
            if self._shown is panes and panes.panes:
                return panes.scale
        canvas = self._workbench.canvas
        return canvas.zoom, canvas.is_fitted

    @property
    def picture_kinds(self) -> tuple[str, ...]:
        """Endings of the pictures that the view can be saved as, the usual one first."""
        if self.is_presentation:
            return ("pdf", "png")
        return ("png", "svg") if self.is_3d else ("png",)

    def save_picture(self, path: str) -> None:
        """Save what is shown as a picture."""
        if self.is_presentation:
            self.presentation.save(path)
        elif self.is_3d:
            self.view_3d.save(path)
        elif self.is_side or self.is_page_diff:
            saved = (self.side if self.is_side else self.page_diff).grab().save(path)
            name = Path(path).name
            words = f"saved {name}" if saved else f"the picture could not be written to {path}"
            self._workbench.session.say(words)
        else:
            self._workbench.exporting.save_picture(path)
