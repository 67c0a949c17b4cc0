"""Workbench: connects page, list of pages, workspace and features of one window."""

from collections.abc import Callable
from functools import partial
from typing import Protocol, TypeVar, runtime_checkable

from PySide6.QtCore import QMetaMethod, QObject, Qt, Signal

from annotate.workspace.workspace import Workspace
from engine import plugin
from gui.core.clock import WorkClock
from gui.core.known_pages import KnownPages
from gui.core.main_area import MainArea
from gui.core.marks_in_view import Sight
from gui.core.navigation import Navigation
from gui.core.new_window import Restoring
from gui.core.overlay_sync import OverlaySync
from gui.core.page_session import PageSession
from gui.core.page_tags import PageTags
from gui.page.canvas import PageCanvas
from gui.state.selection import Mode
from gui.state.session import Session

_ANSWERED = {
    "pair": "comparing two pages",
    "transfer": "transferring marks",
    "question": "asking a question",
    "compare": "comparing two versions",
}
"""Requests that plug-ins answer (`Plugin.answers`), in words."""


class Requests(QObject):
    """Signals by which features ask others, which may be missing.

    `ask` emits those in `_ANSWERED`, and shows a message if no plug-in answers.
    """

    # Show the errors of the current layer, from the first on: against gold, or against the layer
    # itself after the harmless change of this key.
    errors = Signal(str)
    task = Signal(str)  # show the view of the task with this name
    review = Signal()  # show where annotators differ on the page that is opened next
    pair = Signal(int, int)  # show two pages of the list side by side
    transfer = Signal(list, list)  # transfer marks of some pages of the list to others
    question = Signal(str)  # put this question on the open page
    assigned = Signal()  # list only the pages assigned to the annotator
    enable = Signal()  # available actions may have changed
    offered = Signal(str, list)  # a banner: text, and label, tip and function of each button
    others_marked = Signal()  # changes of other annotators reached the workspace
    compare = Signal(str, str, object)  # two versions on all pages, by what names; None: the same
    draw = Signal(object)  # these methods (a sequence of Column) in place of the usual layers

    def __init__(self, say: Callable[[str], None], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._say = say

    def ask(self, name: str, *arguments: object) -> None:
        """Emit a signal, or show which plug-in is missing if no feature is connected."""
        signal = getattr(self, name)
        if self.isSignalConnected(QMetaMethod.fromSignal(signal)):
            signal.emit(*arguments)
        else:
            known = [each.name for each in plugin.plugins() if name in each.answers]
            lacks = plugin.needs(known[0]) if known else "needs a plug-in that is not installed"
            self._say(f"{_ANSWERED[name]} {lacks}")


C = TypeVar("C", bound=QObject)


@runtime_checkable
class Stoppable(Protocol):
    """Runs background work that ends with the window."""

    def stop(self) -> None:
        """Stop the work, if any."""


class Workbench(QObject):
    """Owns the objects that a window works with.

    Attributes:
        page_session: The open page: its loading, gold, undo and status.
        navigation: The list of pages, and which one is open.
        pages: State of the listed pages, without opening them.
        tags: Adds and removes tags of pages.
        decide: Changes the selected marks, then runs what follows.
        confirm: Confirms the selected drafts and moved marks.
        left_to_do: Each returns what is left to do on the open page, "" for nothing.
        notes: Item of the status line → its text and tool tip.
        guides: Feature → the page of the documentation on it.
    """

    stop_asked = Signal()  # background work should end too
    noted = Signal(str)  # key of the note that changed

    def __init__(
        self,
        session: Session,
        workspace: Workspace,
        canvas: PageCanvas,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.session, self.workspace, self.canvas = session, workspace, canvas
        self._is_closed = False
        self.pages = KnownPages(session, workspace, self)
        self.page_session = PageSession(session, workspace, canvas, self.pages, self)
        self.marking, self.runner = self.page_session.marking, self.page_session.runner
        self.saving = self.page_session.saving
        self.clock = WorkClock(session, workspace, self)
        self.navigation = Navigation(
            session, workspace, canvas, self.page_session, self.pages, self.clock
        )
        self.restoring = Restoring(session, workspace, self.saving, self)
        self.decide: Callable[[Callable[[], None]], None] = lambda change: change()
        self.confirm: Callable[[], None] = lambda: None
        self.left_to_do: list[Callable[[], str]] = []
        self.requests = Requests(session.messages.say, self)
        self.main_area = MainArea(session, canvas, self)
        self.tags = PageTags(session, workspace, self.pages, self.main_area.field)
        # A picture cannot be taken while the browser still answers a request.
        self.page_session.drawn.connect(
            self.main_area.show_next, Qt.ConnectionType.QueuedConnection
        )
        self.notes: dict[str, tuple[str, str]] = {}
        self.guides: dict[str, str] = {}
        self._controllers: dict[type[QObject], QObject] = {}
        self.drawing = OverlaySync(session, canvas, self.marking.handles, self)
        self.main_area.add_step_back(self.marking.handles.give_up)
        self.sight = Sight(session, canvas, self)
        canvas.mouse_lost.connect(session.messages.say)

    # features ------------------------------------------------------------------------------
    def add(self, controller: QObject) -> None:
        """Add a controller of a feature; it is stopped when the window closes."""
        self._controllers[type(controller)] = controller

    def get(self, kind: type[C]) -> C:
        """Return the controller of this class; raises `KeyError` if there is none."""
        controller = self._controllers[kind]
        assert isinstance(controller, kind)
        return controller

    @property
    def controllers(self) -> tuple[QObject, ...]:
        return tuple(self._controllers.values())

    def note(self, item: str, text: str, tip: str) -> None:
        """Show a note of a feature in the status bar."""
        self.notes[item] = (text, tip)
        self.noted.emit(item)

    # ending ----------------------------------------------------------------------------------
    def stop(self) -> None:
        """Stop all running tasks: loading, or methods at work."""
        self.page_session.stop()
        self.runner.stop()
        self.page_session.progress.end()

    def stop_work(self) -> None:
        """Stop the visible tasks; if there are none, those in the background."""
        self.stop_asked.emit()
        view = self.main_area.current
        if view.is_busy:
            view.stop()
            return
        if not (self.canvas.is_busy or self.runner.is_running):
            self.main_area.stop()
        self.stop()

    def close(self) -> None:
        """Close page and workspace, once, in the order that the browser requires."""
        if self._is_closed:
            return
        self._is_closed = True
        self.main_area.close_down()
        self.stop()
        self.page_session.close()
        self.pages.titles.stop()
        self.clock.stop()
        for controller in self._controllers.values():
            if isinstance(controller, Stoppable):
                controller.stop()
        self.saving.put_aside()
        self.drawing.timer.stop()
        self.navigation.stop()
        self.canvas.show_nothing()
        self.canvas.dispose()
        self.saving.stop()
        self.workspace.close()

    # marks -----------------------------------------------------------------------------------
    def walk(self, way: str) -> None:
        """Move the frame; in select mode a selected block is widened or narrowed instead."""
        resizes = self.session.selection.mode is Mode.SELECT and way in ("parent", "child")
        if resizes and self.session.selection.selected:
            self.marking.commands.resize_selected(way)
            return
        self.marking.walk(way)
        if way in ("next", "previous"):  # wider and narrower are seen: the page stands still
            self.canvas.scroll_to(self.session.selection.candidate)

    def cycle_marks(self, step: int) -> None:
        """Select the next or the previous mark and bring it into view."""
        mark = self.session.open.gold.find(self.marking.commands.cycle(step))
        if mark is not None:
            self.sight.bring(mark)

    def delete_selected(self) -> None:
        self.decide(self.marking.commands.delete)

    def set_type(self, type_name: str) -> None:
        """Set the type of the selected blocks, or of the next ones.

        What is offered, since a rectangle fits nothing, is taken with it.
        """
        if self.marking.has_offer:
            self.marking.take()
        self.decide(partial(self.marking.commands.set_type, type_name))

    def clear_selection(self) -> None:
        """Clear the selection and the type of the next blocks."""
        self.session.selection.set_next_type("")
        self.session.selection.set_selected(())
        self.session.selection.set_candidate(-1)
        self.marking.let_go()

    def select_row(self, row: int) -> None:
        """Select the mark that starts at a row, else frame the row; bring it into view."""
        ids = [m.id for m in self.session.open.gold.marks if any(t.row == row for t in m.targets)]
        self.session.selection.set_selected(ids[:1])
        if not ids:
            self.session.selection.set_candidate(row)
        self.canvas.scroll_to(row)
