"""One window for many tests: what a test leaves in it is taken away, or it is made anew.

A window costs .4 s of processor time.  `WindowPool` hands the same one to every test of a process.
Afterwards it is tidied as a user would (`tests.gui.parts.tidy`), its workspace and settings are
emptied, and every attribute of its Python objects is set back to what it was (`Memory`).  What
then still differs in what Qt shows or runs (`appearance`) means another window for the next test: a
test never sees what another one left.
"""

import functools
import logging
import shutil
import sqlite3
import time
from collections.abc import Callable, Hashable, Iterator
from pathlib import Path
from types import CellType, FunctionType, MethodType

import shiboken6
from PySide6.QtCore import (
    QAbstractItemModel,
    QCoreApplication,
    QEvent,
    QObject,
    Qt,
    QThreadPool,
    QTimer,
)
from PySide6.QtGui import QAction, QUndoStack
from PySide6.QtWebEngineWidgets import QWebEngineView
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDockWidget,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QSlider,
    QStackedWidget,
    QTabBar,
    QTextEdit,
    QTreeWidget,
    QWidget,
)

from gui.core.main_area import Room
from gui.features.layers.layer_row import LayerRow
from gui.features.layers.panel import LayersDock, ListHead
from gui.features.layers.params import ParamsForm
from gui.state.session import Session
from gui.widgets.choice_popup import ChoicePopup
from gui.widgets.empty_state import EmptyState
from gui.widgets.quick_pick import QuickPick
from gui.widgets.toasts import Message, Overlay
from gui.window.tasks import TASKS
from gui.window.window import Window
from tests.gui.parts import end_workers, make_window, tidy
from tests.hand import save_notes
from tests.leaks import KEPT

_FILLED_WHEN_OPENED = (ChoicePopup, Message, Overlay, QuickPick)
"""What is found hidden in them is of no account: it is made anew when they are shown."""

_FOLLOWS = (EmptyState, LayerRow, LayersDock, ListHead, ParamsForm)
"""They are built anew where the session changes: they must remember what they show."""

log = logging.getLogger(__name__)

_OURS = ("gui", "annotate", "engine", "algorithms", "tests")
_LEADS_ON = (tuple, MethodType, functools.partial, FunctionType)
_QT_OWN = "qt_qmainwindow", "qt_scrollarea_hcontainer", "qt_scrollarea_vcontainer"
SIZE = 1300, 850
"""px, of a window as it is tidied."""
_SETTLES_S, _LONG_MS = 2.0, 1000


class Memory:
    """The attributes of all Python objects that a window is made of, and what containers hold."""

    def __init__(self, window: Window) -> None:
        self._held: dict[int, tuple[object, object, tuple[int, ...]]] = {}
        todo = list(_remembered(window))
        while todo:
            each = todo.pop()
            if id(each) not in self._held and (copy := _copy(each)) is not None:
                self._held[id(each)] = each, copy, _numbers(copy)
                todo += _within(copy)
            elif id(each) not in self._held and isinstance(each, _LEADS_ON):
                self._held[id(each)] = each, None, ()
                todo += _within(each)

    def restore(self) -> str:
        """Set everything back; return what cannot be, "" for nothing."""
        for each, copy, numbers in self._held.values():
            if copy is None:
                continue
            if isinstance(each, QObject) and not shiboken6.isValid(each):
                return f"{type(each).__name__} was deleted"
            if _numbers(each) == numbers:  # as of most: this is done after every test
                continue
            if (gone := _replaced(each, copy)) is not None:
                return f"{type(gone).__name__} was deleted and replaced"
            _set_back(each, copy)
        return ""


def _numbers(each: object) -> tuple[int, ...]:
    """Return the identities of what an object or container holds, in its order."""
    if isinstance(each, CellType):
        return (id(each.cell_contents),)
    if isinstance(each, list | tuple):
        return tuple(map(id, each))
    if isinstance(each, set):
        return tuple(sorted(map(id, each)))
    held = each if isinstance(each, dict) else vars(each)
    return (*map(id, held), *map(id, held.values()))


def _replaced(each: object, copy: object) -> QObject | None:
    """Return an object of Qt that an attribute held, deleted meanwhile: that of a renderer.

    The undo stack is another for every page, and so it is for the next test.
    """
    if isinstance(copy, dict) and not isinstance(each, dict):
        for name, value in copy.items():
            is_kept = isinstance(value, QObject) and not isinstance(value, QUndoStack)
            is_other = is_kept and vars(each).get(name) is not value
            if is_other and not shiboken6.isValid(value):
                return value
    return None


def _copy(each: object) -> object:
    if type(each) in (list, dict, set):
        return each.copy()
    if isinstance(each, CellType):
        return (each.cell_contents,)
    if isinstance(each, (*_FILLED_WHEN_OPENED, *_FOLLOWS)):
        return None
    is_ours = _is_ours(each) and not isinstance(each, type)
    return dict(vars(each)) if is_ours and hasattr(each, "__dict__") else None


def _is_ours(each: object) -> bool:
    return type(each).__module__.partition(".")[0] in _OURS


def _within(each: object) -> Iterator[object]:
    if isinstance(each, dict):
        yield from each.values()
    elif isinstance(each, tuple | list | set):
        yield from each
    elif isinstance(each, MethodType):
        yield each.__self__
    elif isinstance(each, functools.partial):
        yield from (each.func, *each.args, *each.keywords.values())
    elif isinstance(each, FunctionType):
        yield from (cell for cell in each.__closure__ or () if _is_filled(cell))


def _is_filled(cell: CellType) -> bool:
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return False
    return True


def _set_back(each: object, copy: object) -> None:
    if isinstance(each, CellType):
        if each.cell_contents is not copy[0]:
            each.cell_contents = copy[0]
        return
    if isinstance(each, list):
        if len(each) != len(copy) or any(a is not b for a, b in zip(each, copy, strict=True)):
            each[:] = copy
        return
    if isinstance(each, set):
        if each != copy:
            each.clear()
            each |= copy
        return
    now = each if isinstance(each, dict) else vars(each)
    if now.keys() != copy.keys() or any(now[name] is not copy[name] for name in copy):
        now.clear()
        now.update(copy)


def _remembered(window: Window) -> Iterator[QObject]:
    todo: list[QObject] = [window, window.workbench, window.session]
    while todo:
        each = todo.pop()
        if not isinstance(each, (*_FILLED_WHEN_OPENED, *_FOLLOWS)):
            yield each
            todo += each.children()


def appearance(window: Window) -> dict[str, Hashable]:
    """Return what Qt shows and runs: for each object, by where it is, what can be seen of it."""
    app = QApplication.instance()
    theme = app.palette().window().color().name(), app.styleSheet()
    result: dict[str, Hashable] = {"size": window.size().toTuple(), "theme": theme}
    result |= {path: _seen(each) for path, each in _objects(window)}
    return result


def _objects(window: Window) -> list[tuple[str, QObject]]:
    """Return the objects whose looks count, each after its parent, with where it is."""
    result: list[tuple[str, QObject]] = []
    for root in (window, window.workbench, window.session):
        _look(root, "", result)
    return result


def _look(each: QObject, path: str, result: list[tuple[str, QObject]]) -> None:
    result.append((path, each))
    if isinstance(each, QWebEngineView | LayerRow | ListHead) or (
        isinstance(each, (*_FILLED_WHEN_OPENED, ParamsForm)) and each.isHidden()
    ):
        return
    count: dict[str, int] = {}
    for child in each.children():
        own = child.objectName()
        if own.startswith(_QT_OWN):
            continue
        name = type(child).__name__ + own
        count[name] = number = count.get(name, 0) + 1
        _look(child, f"{path}/{name}{number}", result)


def _seen(each: QObject) -> Hashable:
    if isinstance(each, QWidget):
        more = _reader(type(each))
        return each.isHidden(), _is_disabled(each), each.styleSheet(), more and more(each)
    if isinstance(each, QTimer):
        return each.isActive()
    if isinstance(each, QAction):
        return each.text(), each.isChecked(), each.isEnabled(), each.isVisible()
    return each.rowCount() if isinstance(each, QAbstractItemModel) else None


def _is_disabled(each: QWidget) -> bool:
    """Return whether it is disabled itself: `isEnabled` says no of all within as well."""
    return each.testAttribute(Qt.WidgetAttribute.WA_ForceDisabled)


_READERS = {
    (QLabel, QLineEdit, QAbstractSpinBox): lambda each: each.text(),
    (QAbstractButton,): lambda each: (each.text(), each.isChecked()),
    (QComboBox,): lambda each: (each.currentText(), each.count()),
    (QSlider,): lambda each: each.value(),
    (QTextEdit, QPlainTextEdit): lambda each: each.toPlainText(),
    (QTabBar, QStackedWidget): lambda each: each.currentIndex(),
    (QAbstractItemView,): lambda each: each.currentIndex().row(),
    (QDockWidget,): lambda each: each.isFloating(),
}
"""What else can be seen of widgets, by their kind."""


@functools.cache
def _reader(kind: type) -> Callable[[QWidget], Hashable] | None:
    return next((read for kinds, read in _READERS.items() if issubclass(kind, kinds)), None)


_AWAY = 5_000, 5_000
"""Where the window is between tests, in px: other windows get the mouse over theirs."""


class WindowPool:
    """Hands out a window, the same one as long as it can be brought back to how it was."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._made = self.handed = self.uses = 0
        self._window: Window | None = None
        self.refused = ""

    def take(self, size: tuple[int, int]) -> Window:
        """Return a window without a page, of a size in px."""
        self.handed += 1
        self.uses += 1
        if self._window is None:
            self._make()
            self.uses = 1  # of this window
        window = self._window
        assert window is not None
        window.move(0, 0)
        window.resize(*size)
        window.activateWindow()
        return window

    def give_back(self) -> None:
        """Tidy the window, or close it where that is not possible."""
        window = self._window
        if window is None:
            return
        try:
            why = self._tidy(window)
        except (RuntimeError, sqlite3.Error) as error:  # Qt has deleted a part of it
            why = str(error)
        self.refused = why
        if why:
            log.info("the window is made anew: %s", why)
            self.close()
        else:
            window.move(*_AWAY)

    def close(self) -> None:
        window, self._window = self._window, None
        if window is not None and shiboken6.isValid(window):
            self._rows.close()
            window.close_down()
            window.close()
            window.deleteLater()
            _deliver()

    def _make(self) -> None:
        self._made += 1
        folder = self._folder / str(self._made)
        folder.mkdir()
        self._window = window = make_window(folder)
        window.setProperty(KEPT, True)
        window.resize(*SIZE)
        roots = window, window.workbench, window.session
        pools = [pool for root in roots for pool in root.findChildren(QThreadPool)]
        self._pools = [QThreadPool.globalInstance(), *pools]
        self._timers = [
            timer
            for root in roots
            for timer in root.findChildren(QTimer)
            if timer.isSingleShot() and timer.interval() <= _LONG_MS
        ]
        self._settle()
        self._docks = window.saveState()
        self._rows = sqlite3.connect(":memory:")
        window.workbench.workspace.store._db.backup(self._rows)
        settings = window._settings
        self._settings = {key: settings.value(key) for key in settings.allKeys()}
        self._files = {file.name for file in folder.iterdir()}
        self._texts = [
            (each, each.text(), each.text, each.setText) for each in window.findChildren(QLabel)
        ]
        self._empty = [each for each in window.findChildren(QComboBox) if not each.count()]
        self._inputs: list[tuple[QLineEdit | QAbstractButton, str | bool]] = [
            *((each, each.text()) for each in window.findChildren(QLineEdit)),
            *(
                (each, each.isChecked())
                for each in window.findChildren(QAbstractButton)
                if each.isCheckable() and not getattr(each, "defaultAction", lambda: None)()
            ),
        ]
        self._views = frozenset(window.main_area._views)
        self._memory = Memory(window)
        self._appearance: dict[str, Hashable] = {}
        self._tidy(window)  # as it will be whenever it is given back
        self._appearance = appearance(window)

    def _tidy(self, window: Window) -> str:
        """Bring a window back to how it was; return what is still different, "" for nothing."""
        if not shiboken6.isValid(window) or window.isHidden():
            return "it was closed"
        if QApplication.activeModalWidget() or QApplication.activePopupWidget():
            return "a dialog or a menu is open"
        workbench, session = window.workbench, window.session
        views = [
            view for kind, view in workbench.main_area._views.items() if kind not in self._views
        ]
        if any(view.room is Room.WHOLE_SCREEN for view in views):  # they take the page out
            return "it has shown a page alone"
        if workbench.workspace.damage or not workbench.saving.is_all_saved:
            return "its workspace cannot be used"
        tidy(window)
        self._remove_views(window)
        window.tasks.choose(TASKS[0].name)
        save_notes(workbench)
        workbench.canvas.show_nothing()
        for each in window.findChildren(QWidget):
            if isinstance(each, _FILLED_WHEN_OPENED):
                each.hide()
                for timer in each.findChildren(QTimer):
                    timer.stop()
        page_session = workbench.page_session
        page_session.failure = window._refusal = ""
        page_session.undo_group.removeStack(page_session.marking.stack)
        page_session.marking.stack.deleteLater()
        self._empty_files(window)
        session.set_documents(())
        session.set_document(None)
        end_workers(window, workbench, session)
        window.resize(*SIZE)
        window.restoreState(self._docks)
        stack = page_session.marking.stack = QUndoStack(page_session.undo_group)
        for is_last in (False, True):
            workbench.pages.refresh()
            window._say_zoom()
            window._refresh()
            if not self._settle():
                return "it is still at work"
            if why := self._memory.restore():
                return why
            page_session.marking.stack = stack
            window.actions_.tick(workbench)
            self._set_inputs()
            why = self._difference(window)
            if not why or is_last:
                return why
            if self._appearance:  # it is not its first time
                self._set_back_widgets(window)
            _notify(session)
        return ""

    def _remove_views(self, window: Window) -> None:
        """Delete the views that were made for the first time."""
        main_area = window.main_area
        for kind in [each for each in main_area._views if each not in self._views]:
            view = main_area._views.pop(kind)
            view.close_down()
            main_area.stack.removeWidget(view.widget)
            end_workers(view.widget)
            view.widget.deleteLater()
            _deliver()  # before a timer of it begins something

    def _set_back_widgets(self, window: Window) -> None:
        """Delete widgets that were added, and show and enable the others as they were."""
        is_gone = ""
        end_workers(window, window.workbench, window.session)
        for path, each in _objects(window):
            if is_gone and path.startswith(is_gone):
                continue
            is_widget = isinstance(each, QWidget)
            before = self._appearance.get(path)
            if path not in self._appearance and (is_widget or _is_ours(each)):
                is_gone = f"{path}/"
                each.deleteLater()
            elif is_widget and isinstance(before, tuple) and each is not window:
                each.setHidden(before[0])
                if _is_disabled(each) != before[1]:  # else an action of a menu is changed
                    each.setEnabled(not before[1])
                rows = self._appearance.get(f"{path}/QAbstractItemModel1")
                if isinstance(each, QTreeWidget) and rows == 0:  # hidden, and so not listed anew
                    each.clear()
        _deliver()

    def _empty_files(self, window: Window) -> None:
        """Empty its workspace and settings, and delete what lies beside them."""
        self._rows.backup(window.workbench.workspace.store._db)
        settings = window._settings
        settings.clear()
        for key, value in self._settings.items():
            settings.setValue(key, value)
        for file in Path(settings.fileName()).parent.iterdir():
            if file.name not in self._files and not file.name.startswith("marks.pagelet"):
                shutil.rmtree(file) if file.is_dir() else file.unlink()

    def _set_inputs(self) -> None:
        """Set back what is shown, checked and typed; who listens has been set back already."""
        for each, was, now, set_text in self._texts:
            if shiboken6.isValid(each) and now() != was:
                each.blockSignals(True)
                set_text(was)
                each.blockSignals(False)
        for each in filter(shiboken6.isValid, self._empty):
            if each.count():
                each.blockSignals(True)
                each.clear()
                each.blockSignals(False)
        for each, was in self._inputs:
            if not shiboken6.isValid(each):
                continue
            each.blockSignals(True)
            if isinstance(each, QLineEdit):
                each.setText(was)
            elif was or not (each.autoExclusive() or each.group()):
                each.setChecked(was)
            each.blockSignals(False)

    def _difference(self, window: Window) -> str:
        now, before = appearance(window), self._appearance
        return "; ".join(
            f"{key}: {before.get(key)} -> {now.get(key)}"
            for key in sorted(before.keys() | now.keys(), key=len)
            if before.get(key) != now.get(key)
        )

    def _settle(self) -> bool:
        """Run what is put off and wait for what is at work; return whether nothing is any more."""
        end = time.monotonic() + _SETTLES_S
        intervals: dict[QTimer, int] = {}
        while True:
            is_busy = any(pool.activeThreadCount() for pool in self._pools)
            for timer in self._timers:
                if timer.isActive():
                    is_busy = True
                    if timer not in intervals:  # no test waits for it: it need not run out
                        intervals[timer] = timer.interval()
                        timer.start(0)
            QCoreApplication.processEvents()
            _deliver()
            if not is_busy or time.monotonic() > end:
                for timer, interval in intervals.items():
                    timer.setInterval(interval)
                return not is_busy
            time.sleep(0.001)


def _notify(session: Session) -> None:
    """Have all that shows the session look at it again."""
    opened, layers, selection = session.open, session.layers, session.selection
    for signal in (
        layers.layers_changed,  # first: all others may ask for a layer by the key of its row
        session.documents_changed, opened.document_changed, opened.gold_changed,
        opened.lock_changed, opened.site_changed, opened.remarks_changed,
        layers.scores_changed, selection.mode_changed, selection.selection_changed,
        selection.candidate_changed, selection.highlight_changed,
        session.messages.message_changed, session.messages.progress_changed,
    ):  # fmt: skip
        signal.emit()


def _deliver() -> None:
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
