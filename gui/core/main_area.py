"""The middle of the window: the page, or a view in its place; scopes of shortcuts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path
from typing import ClassVar, TypeVar

from PySide6.QtCore import QObject, QSettings, Signal
from PySide6.QtGui import QScreen
from PySide6.QtWidgets import QStackedLayout, QStackedWidget, QVBoxLayout, QWidget

from gui.page.canvas import PageCanvas
from gui.state.session import Session
from gui.widgets.file_dialog import FileDialogs
from gui.widgets.layouts import lay_out
from gui.widgets.quick_pick import QuickPick


@dataclass(frozen=True)
class Where:
    """Scope of a shortcut: the part of the window that has the focus.

    The core's are below; a feature with a separate view or panel declares another.

    Attributes:
        name: Its name.
        is_view: Whether it is the page or stands in its place: of these one has the focus at most.
        is_alone: Whether its view covers the window: then only actions with `in_presentation` are
            enabled.
    """

    WINDOW: ClassVar["Where"]
    PAGE: ClassVar["Where"]
    VIEW: ClassVar["Where"]
    MARKS: ClassVar["Where"]
    BLOCK: ClassVar["Where"]
    TABLE: ClassVar["Where"]
    SOURCE: ClassVar["Where"]

    name: str
    is_view: bool = False
    is_alone: bool = False


Where.WINDOW = Where("window")  # everywhere, except for letters typed into a field
Where.PAGE = Where("page", is_view=True)  # arrows and Enter belong to lists and forms elsewhere
Where.VIEW = Where("view")  # the page or another view of it is shown, and no table
Where.MARKS = Where("marks")  # the page, and the outline of its marks
Where.BLOCK = Where("block")  # a block is selected, or a click makes one: types by letter
Where.TABLE = Where("table", is_view=True)  # of scores
Where.SOURCE = Where("source", is_view=True)  # the text of the Source panel


LEAST_PAGE = 200
"""Width of the page, px, in a window as small as it gets, with panels at both sides."""


class Room(Enum):
    """Part of the window that a view takes."""

    BESIDE_PANELS = auto()  # shows the open page, which panels still describe
    WITHOUT_PANELS = auto()  # shows other pages than the open one
    OVER_PAGE = auto()  # without panels; the page stays behind it, and is measured there
    WHOLE_SCREEN = auto()  # nothing else is visible


class View:
    """A view that can replace the page: a widget that is a view as well.

    Attributes:
        room: Part of the window that it takes.
        comes_again: Whether it is shown again for the next page.
        stays: Whether it stays when another page is opened.
        leads_back: Whether leaving it shows the view that it covers.
        hint: What mouse and keys do in it; "{name}" stands for the key of an action.
        shown_on: Where a view of the whole screen is shown; None for where the window is.
    """

    room = Room.BESIDE_PANELS
    comes_again = False
    stays = False
    leads_back = False
    hint = ""
    shown_on: QScreen | None = None

    @property
    def widget(self) -> QWidget:
        assert isinstance(self, QWidget)
        return self

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the shown pages, if they are not the open one."""
        return ()

    @property
    def least_width(self) -> int:
        """Width, px, below which panels make room; 0 for none."""
        return 0

    @property
    def bars(self) -> Sequence[QWidget]:
        """Parts that Tab cannot reach from the bar: pages around them keep it for themselves."""
        return ()

    def open(self) -> bool:
        """Prepare to be shown; return False, after a message, if there is nothing to show."""
        return True

    def take_focus(self) -> None:
        self.widget.setFocus()

    def step_back(self) -> bool:
        """End the current mode, as Esc does; return False if the view is to be left instead."""
        return False

    def close_up(self) -> None:
        """Release resources needed only while shown."""

    def close_down(self) -> None:
        """Release all resources: the window closes."""

    def start_search(self) -> bool:
        """Focus the search field for pages; return False to search the list of pages instead."""
        return False

    @property
    def is_busy(self) -> bool:
        """Whether a task that the user can stop is running."""
        return False

    def stop(self) -> None: ...

    # size and picture ------------------------------------------------------------------------
    @property
    def scale(self) -> tuple[float, bool]:
        return 1.0, False

    def zoom(self, way: int) -> None:
        """Show everything larger (1) or smaller (-1)."""

    def zoom_fit(self) -> None: ...

    def zoom_actual(self) -> None:
        """Show everything at scale 1."""

    @property
    def picture_kinds(self) -> tuple[str, ...]:
        """File endings of pictures it can be saved as, the default first; () for none."""
        return ()

    def save_picture(self, path: str) -> None:
        """Save the view in one of these formats."""


class PageOnCanvas(QObject, View):
    """The open page, drawn on."""

    def __init__(self, session: Session, canvas: PageCanvas, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._canvas = session, canvas

    @property
    def widget(self) -> QWidget:
        return self._canvas

    def take_focus(self) -> None:
        self._canvas.view.setFocus()

    @property
    def scale(self) -> tuple[float, bool]:
        return self._canvas.zoom, self._canvas.is_fitted

    def zoom(self, way: int) -> None:
        self._canvas.zoom_by(way)

    def zoom_fit(self) -> None:
        self._canvas.set_zoom(None)

    def zoom_actual(self) -> None:
        self._canvas.set_zoom(1.0)

    @property
    def picture_kinds(self) -> tuple[str, ...]:
        return ("png",) if self._session.open.page is not None else ()

    def save_picture(self, path: str) -> None:
        """Save what the page area shows, layers included."""
        is_saved = self._canvas.picture().save(path)
        problem = f"the picture could not be written to {path}"
        self._session.messages.say(f"saved {Path(path).name}" if is_saved else problem)


V = TypeVar("V", bound=View)


class MainArea(QObject):
    """Switches between the page and views, each made when first needed.

    Views over the page cover the page or another view of it; leaving them shows it again.
    """

    switched = Signal()
    zoomed = Signal()
    made = Signal(object, object)  # a view, and which shortcuts hold in it (Where); None for none
    asked = Signal(str)  # the name of an action
    progressed = Signal(str, str)  # name of an action; "37 %" while its work runs, "" otherwise
    returned = Signal()  # the focus returns from a panel to the page

    def __init__(self, session: Session, canvas: PageCanvas, parent: QObject) -> None:
        super().__init__(parent)
        self._canvas = canvas
        self.page = PageOnCanvas(session, canvas, self)
        self._offered: dict[type[View], tuple[Callable[[], View], Where | None]] = {}
        self._views: dict[type[View], View] = {}
        self._cover: View | None = None  # over the page, or over the view of it
        self._beneath: View | None = None  # the view that follows when the cover closes
        self._view: View | None = None  # of the page, in its place
        self._next: View | None = None  # of the next pages
        self._origin: View | None = None  # the cover that the view was asked for in
        self.desk = QWidget()
        self.desk.setObjectName("Desk")
        self.stack = QStackedWidget(self.desk)
        # Views without panels need more width, which must not push panels off the screen.
        self.stack.setMinimumWidth(LEAST_PAGE)
        self.column = lay_out(QVBoxLayout(self.desk), (self.stack, 1), spacing=0)
        self.field = QuickPick(self.desk)
        self.files = FileDialogs(self.desk, QSettings())
        self._steps_back: list[Callable[[], bool]] = []
        session.open.document_changed.connect(self._on_document)
        canvas.zoom_changed.connect(lambda _zoom: self.zoomed.emit())

    # views -----------------------------------------------------------------------------------
    def offer(self, kind: type[View], make: Callable[[], View], where: Where | None = None) -> None:
        """Register a view; ``where`` is the scope of its shortcuts."""
        self._offered[kind] = (make, where)

    @property
    def kinds(self) -> tuple[type[View], ...]:
        return tuple(self._offered)

    def get(self, kind: type[V]) -> V:
        """Return the view of this class; `KeyError` if there is none."""
        if kind not in self._views:
            make, where = self._offered[kind]
            view = self._views[kind] = make()
            if self.stack.indexOf(view.widget) < 0:
                self.stack.addWidget(view.widget)
                self._hide_covered()
            self.made.emit(view, where)
        result = self._views[kind]
        assert isinstance(result, kind)
        return result

    # the shown view --------------------------------------------------------------------------
    @property
    def current(self) -> View:
        return self._cover or self._view or self.page

    @property
    def is_covered(self) -> bool:
        """Whether a view lies over the page and its views."""
        return self._cover is not None

    def shows(self, kind: type[View]) -> bool:
        """Return whether the view of this class is visible."""
        return isinstance(self.current, kind)

    @property
    def has_panels(self) -> bool:
        return not self.is_covered and self._behind.room is Room.BESIDE_PANELS

    @property
    def _behind(self) -> View:
        """The shown view, or the one behind a covering view."""
        return self._view or self.page

    @property
    def names(self) -> tuple[str, ...]:
        """The pages in place of the open one; () where that is shown."""
        return self._behind.names

    @property
    def least_width(self) -> int:
        """Width, px, below which panels make room, also between two pages; 0 for none."""
        view = self._view or self._next
        return view.least_width if view is not None else 0

    def toggle(self, kind: type[View]) -> None:
        view = self.get(kind)
        if view is not self.current:
            self.show(view)
        elif view is self._cover:
            self._leave_cover()
        else:
            self.leave()

    def show(self, view: View) -> None:
        """Show a view, if it has something to show."""
        if not view.open():
            return
        if view.room is Room.OVER_PAGE:
            self._cover_with(view)
        else:
            self._origin = self._cover
            self._uncover()
            self._next = view if view.comes_again else None
            self._set_view(view)
        view.take_focus()

    def leave(self) -> bool:
        """Go back a step, as Esc does; return False if the page is shown."""
        view = self.current
        if view is self.page:
            return False
        if not view.step_back():
            if view is self._cover:
                self._leave_cover()
            else:
                origin, self._origin, self._next = self._origin, None, None
                self._set_view(None)
                self.page.take_focus()
                if origin is not None:
                    self.show(origin)
        return True

    def drop(self, view: View) -> None:
        """Show the page in place of a view of it, if that is shown."""
        if view is self._view:
            self._set_view(None)

    def show_page(self) -> None:
        """Show the covered view again, with its panels."""
        self._uncover()
        self.page.take_focus()

    def _leave_cover(self) -> None:
        if (beneath := self._beneath) is None:
            self.show_page()
        else:
            self._cover_with(beneath)
            beneath.take_focus()

    def add_step_back(self, step: Callable[[], bool]) -> None:
        """Add a handler for Esc on the page; ``step`` returns whether it did something."""
        self._steps_back.append(step)

    def step_back(self) -> bool:
        """Run the first handler for Esc on the page; return False if there is none."""
        return any(step() for step in self._steps_back)

    def _set_view(self, view: View | None) -> None:
        before, self._view = self._view, view
        if before is not None and before is not view:
            before.close_up()
            before.widget.setEnabled(True)
        self._hide_covered()
        self.switched.emit()

    def _cover_with(self, view: View) -> None:
        before, self._cover = self._cover, view
        if before is None:
            self._lay(QStackedLayout.StackingMode.StackAll)
        elif before is not view:
            beneath, self._beneath = self._beneath, before if view.leads_back else None
            for each in (before, beneath):
                if each is not None and each not in (view, self._beneath):
                    each.close_up()
        self._canvas.setEnabled(False)  # the covered page takes no keys
        self._hide_covered()
        self.switched.emit()

    def _hide_covered(self) -> None:
        """Hide what Qt shows under a cover: Tab would go there, and views would run unseen.

        The page stays, which is measured there, and so does the view of it that comes back.
        """
        if self._cover is None:
            return
        shown = {self._cover.widget, self._behind.widget, self._canvas}
        for each in filter(None, map(self.stack.widget, range(self.stack.count()))):
            each.setVisible(each in shown)
        self._behind.widget.setEnabled(False)

    def _uncover(self) -> None:
        covers, self._cover, self._beneath = (self._cover, self._beneath), None, None
        for cover in filter(None, covers):
            cover.close_up()
        if covers[0] is not None:
            for widget in (self._canvas, self._behind.widget):
                widget.setEnabled(True)
            self.switched.emit()
            self._lay(QStackedLayout.StackingMode.StackOne)

    def _lay(self, mode: QStackedLayout.StackingMode) -> None:
        """Keep the page laid out, so that a page opened meanwhile can be measured."""
        layout = self.stack.layout()
        assert isinstance(layout, QStackedLayout)
        layout.setStackingMode(mode)

    def _on_document(self) -> None:
        if self._view is not None and not self._view.stays:
            self._set_view(None)

    def show_next(self) -> None:
        """Show the view for the next pages, now that the open one is drawn."""
        view = self._next
        if view is not None and self._view is None and view.open():
            self._set_view(view)
            if not self.is_covered:
                view.take_focus()

    def stop(self) -> None:
        for view in self._views.values():
            view.stop()

    def close_down(self) -> None:
        """Release browser resources and stop the tasks of all views."""
        self._next = None
        for view in self._views.values():
            view.close_down()

    # actions that depend on the view ----------------------------------------------------------
    @property
    def scale(self) -> tuple[float, bool]:
        return self._behind.scale

    def zoom(self, way: int) -> None:
        self._behind.zoom(way)

    def zoom_fit(self) -> None:
        self._behind.zoom_fit()

    def zoom_actual(self) -> None:
        self._behind.zoom_actual()
