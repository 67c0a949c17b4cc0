"""A session on a small page, and stand-ins that record what panels call."""

import inspect
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QMimeData, QObject, QPointF, QSettings, Qt, Signal
from PySide6.QtGui import QAction, QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QWidget

from algorithms.core.attempt import Outcome, OutcomeStatus
from algorithms.results import Block, Segmentation
from annotate.marks.gold import Gold, Mark, MarkState, Target
from annotate.workspace.page_search import NO_FACTS, PageClues
from annotate.workspace.workspace import Workspace
from engine.document import Document
from engine.page import Page
from engine.web.view import PageView
from gui.core.workbench import Workbench
from gui.page.canvas import PageCanvas
from gui.state.layers import default_layers
from gui.state.selection import NOTHING, Mode
from gui.state.session import Session
from gui.widgets.parts import ElidedLabel
from gui.widgets.worker_process import QtWorkerProcess
from gui.window.features import FEATURES
from gui.window.window import Window
from tests.tables import table

DOCUMENTS = (
    Document("/pages/ferry.html", "pagelet://local/ferry.html", path="ferry.html", title="Ferry"),
    Document("/pages/mill.html", "pagelet://local/mill.html", path="mill.html", title="Tide mill"),
    Document("https://example.org/shop", "https://example.org/shop"),
)

# rows: 0 html  1 body  2 header  3 #text  4 main  5 h1  6 #text  7 p  8 #text
NODES = table(
    (
        "body",
        (0, 0, 1000, 800),
        [
            ("header", (0, 0, 1000, 80), "The Courier"),
            (
                "main",
                (0, 80, 1000, 700),
                [
                    ("h1", (0, 80, 1000, 40), "Ferry back"),
                    ("p", (0, 120, 1000, 20), "It   returned this morning."),
                ],
            ),
        ],
    )
)
HEADER, MAIN, TITLE, STORY = 2, 4, 5, 7


class FakePages(QObject):
    """What is known of pages (`KnownPages`), as a test sets it: by address."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.statuses: dict[str, str] = {}
        self.titles: dict[str, str] = {}
        self.asked: set[str] = set()
        self.clues: dict[str, PageClues] = {}
        self.assigned: Callable[[], frozenset[str]] | None = None

    def status(self, document: Document) -> str:
        return self.statuses.get(document.address, "new")

    def count_done(self, documents: Sequence[Document]) -> int:
        return sum(self.status(each) == "done" for each in documents)

    def has_question(self, document: Document) -> bool:
        return document.address in self.asked

    def facts(self, document: Document) -> PageClues:
        return self.clues.get(document.address, NO_FACTS)

    def remark(self, document: Document) -> str:
        return ""

    def tags(self, document: Document) -> tuple[str, ...]:
        return ()

    def is_assigned(self, document: Document) -> bool:
        return True

    def title(self, document: Document) -> str:
        return self.titles.get(document.address, document.name)


class CallRecorder:
    """Stands in for what a protocol or class describes; `calls` are (name, arguments...), in order.

    It has its methods and no others, each with its parameters, and returns None.  A property, and
    what objects of the class have besides, is a value given by name.
    """

    def __init__(self, kind: type, **values: object) -> None:
        self.calls: list[tuple] = []
        members = {name: each for name, each in vars(kind).items() if name[:1] != "_"}
        assert values.keys() >= {n for n, each in members.items() if isinstance(each, property)}
        methods = {name: each for name, each in members.items() if inspect.isfunction(each)}
        assert not values.keys() & methods.keys()
        for name, method in methods.items():
            setattr(self, name, self._recording(method))
        for name, value in values.items():
            setattr(self, name, value)

    def _recording(self, method: Callable) -> Callable:
        signature = inspect.signature(method)

        def record(*arguments, **by_name) -> None:
            bound = signature.bind(self, *arguments, **by_name)
            self.calls.append((method.__name__, *bound.args[1:]))

        return record


def entries(menu: QMenu) -> list[QAction]:
    """Return what a menu offers, without its lines."""
    return [action for action in menu.actions() if not action.isSeparator()]


def mark(name: str, level: int, *rows: int, **more) -> Mark:
    return Mark(name, level, tuple(Target(row) for row in rows), **more)


GOLD = Gold(
    (
        mark("story", 2, STORY, type="Article", quote="It returned this morning."),
        mark("main", 1, MAIN, type="Content", quote="Ferry back It returned"),
        mark("head", 1, HEADER, type="Header", quote="The Courier"),
        mark("text", 0, STORY, quote="It returned this morning."),
    )
)
LOST = mark("gone", 2, type="Ad", state=MarkState.LOST, quote="Buy a boat")
MOVED = mark("moved", 2, TITLE, type="Title", state=MarkState.MOVED, quote="Ferry lost")


def session_on_page(gold: Gold = GOLD) -> Session:
    session = Session()
    session.set_documents(DOCUMENTS)
    session.set_document(DOCUMENTS[0])
    session.set_page(Page("/pages/ferry.html", nodes=NODES), gold)
    return session


def blocks(*blocks_: Block) -> Outcome:
    return Outcome(OutcomeStatus.OK, Segmentation(NODES, blocks_), 0.0123)


def drop(
    widget: QWidget, data: QMimeData, place: QPointF, more: Qt.DropAction = Qt.DropAction.MoveAction
) -> Qt.DropAction:
    """Drag something that may be moved over a widget and let it go there.

    ``more`` is what may be done with it as well.  Return what its owner is told was done.
    """
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    move = Qt.DropAction.MoveAction | more
    QApplication.sendEvent(widget, QDragEnterEvent(place.toPoint(), move, data, left, none))
    QApplication.sendEvent(widget, QDragMoveEvent(place.toPoint(), move, data, left, none))
    event = QDropEvent(place, move, data, left, none)
    QApplication.sendEvent(widget, event)
    return event.dropAction()


def cut_off(panel: QWidget) -> list[str]:
    """Return the texts of a panel that are not seen whole."""
    result = []
    for label in panel.findChildren(QLabel):
        if not label.isVisible() or not label.text():
            continue
        if isinstance(label, ElidedLabel):
            is_whole = label.shown_text() == label.text()
        elif label.wordWrap():
            needed = label.heightForWidth(label.width())
            is_whole = needed <= label.height() + 1
        else:
            is_whole = label.sizeHint().width() <= label.width() + 1
        if not is_whole:
            result.append(label.text())
    return result


def make_window(folder: Path) -> Window:
    """A window on a workspace and settings of its own."""
    workbench = Workbench(
        Session(), Workspace.open(folder / "marks.pagelet"), PageCanvas(PageView())
    )
    settings = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
    window = Window(workbench, settings)
    window.show()
    return window


def end_workers(*roots: QObject) -> None:
    """End the processes of what is kept; the next order starts them again."""
    for root in roots:
        for worker in root.findChildren(QtWorkerProcess):
            worker.end()


def tidy(window: Window) -> None:
    """Bring a window back to how it opens: no view, no walk, the layers and mode of a new one."""
    session, workbench = window.session, window.workbench
    workbench.stop_work()
    while window.main_area.leave():
        pass
    window.main_area.show_page()
    for panel in (panel for feature in FEATURES for panel in feature.panels):
        if panel.follows is not None:
            session.get(panel.follows).show(False)
    session.layers.return_layers()
    session.selection.set_mode(Mode.SELECT)
    session.selection.set_selected(())
    session.selection.set_candidate(-1)
    session.selection.set_pointed("")
    session.selection.set_highlight(NOTHING)
    session.selection.set_keeps_type(False)
    session.layers.set_solo("")
    session.layers.set_gold_only(False)
    session.layers.set_labels(True)
    session.layers.sees_methods, session.selection.last_type = False, ""
    session.layers.set_layers(default_layers())
    session.layers.set_current_layer(session.layers.all[0].key)
    session.messages.say("")


def press(hand, key, modifier=Qt.KeyboardModifier.NoModifier):
    """A key, while the page has the focus."""
    hand.qtbot.keyClick(hand.target, key, modifier)
