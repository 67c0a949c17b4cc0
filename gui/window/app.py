"""Starts Qt, opens the workspace and the window."""

import logging
import platform
import sys
import traceback
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

import resources
from algorithms.core.catalogue import problems
from annotate.datasets.cases import Variant
from annotate.evaluation.tables.axes import Column
from annotate.workspace import backups
from annotate.workspace.workspace import Workspace
from engine.fetch import is_near
from engine.interrupts import defer_interrupts
from engine.version import pagelet_version
from engine.web import profile
from engine.web.event_loop import collect_here, wait_in
from engine.web.qt_log import silence_qt_log
from engine.web.view import PageView
from gui.core.last_opened import gone_path, has_ended, last_opened
from gui.core.workbench import Workbench
from gui.page.canvas import PageCanvas
from gui.page.gesture_edits import SUGGESTS_TYPES
from gui.state.session import Session
from gui.widgets.jobs import Task
from gui.window.open_dialogs import default_workspace
from gui.window.window import Window

log = logging.getLogger(__name__)

BACKUP_MS = 3_600_000
"""How often it is looked whether the open workspace needs a backup."""


def run(
    path: str,
    *,
    workspace: Path | None = None,
    variant: Variant = "html",
    takes_all: bool = False,
    drawn: Sequence[Column] = (),
    online: bool = False,
    no_sandbox: bool = False,
) -> int:
    """Open the window on ``path``; return when it is closed, `KeyboardInterrupt` by Ctrl-C.

    "" opens the most recent page of the workspace, in a new one the sample pages.
    ``takes_all`` lists files of a folder as pages that are none, such as pages of errors.
    ``drawn`` are methods to draw in place of the usual layers, which come back by a key.
    """
    is_live = path.lower().startswith(("http:", "https:"))
    near = is_live and is_near(path)
    notes = profile.prepare(online=online or is_live, near=near, no_sandbox=no_sandbox)
    silence_qt_log()
    QApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)
    app = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(app, QApplication)
    collect_here()
    app.setApplicationName("pagelet")
    app.setApplicationDisplayName("Pagelet")
    app.setOrganizationName("Pagelet")
    app.setDesktopFileName("pagelet")
    app.setWindowIcon(QIcon(str(resources.path("desktop/pagelet.svg"))))
    window: Window | None = None
    try:
        with defer_interrupts():  # raised in painting, an interrupt ends the process in Qt
            window = build(workspace or default_workspace())
            window.workbench.navigation.takes_all = takes_all
            _begin(window, notes, drawn)
        QTimer.singleShot(0, partial(_open_first, window, path, variant))
        return wait_in(app)
    finally:
        if window is not None:
            window.close_down()


def _begin(window: Window, notes: tuple[str, ...], drawn: Sequence[Column]) -> None:
    session, workspace = window.workbench.session, window.workbench.workspace
    session.messages.notes = notes
    for problem in filter(None, (workspace.damage, workspace.store.notice, *problems())):
        session.messages.say(problem)
    sys.excepthook = _tell(session, lambda: window.workbench.saving.is_all_saved)
    if drawn:
        window.workbench.requests.draw.emit(drawn)
    window.show()
    _back_up(window)


def _open_first(window: Window, path: str, variant: Variant) -> None:
    """Open a path; "" for what was opened last in the workspace, or the sample pages.

    What the window ended with last time is offered only.
    """
    workspace, navigation = window.workbench.workspace, window.workbench.navigation
    if path:
        window.open_path(path, variant)
    elif has_ended(workspace) and (last := last_opened(workspace)) is not None:
        what = f"Pagelet ended without being closed while {last[0]} was open"
        again = "Open it again", str(last[0]), navigation.open_last
        window.found.banner.offer(what, [again])
    elif not navigation.open_last():
        window.open_path(str(resources.path("corpus")), variant)
        if gone := gone_path(workspace):
            window.session.messages.say(f"{gone} was opened last, and is not there any more")


def build(workspace: Path) -> Window:
    """Return the window with all that belongs to it, on a workspace file that may be new."""
    session = Session()
    canvas = PageCanvas(PageView())
    workbench = Workbench(session, Workspace.open(workspace), canvas)
    navigation = workbench.navigation
    navigation.reads_ahead = navigation.warms_up = workbench.page_session.judges_first = True
    stored = workbench.workspace.setting(SUGGESTS_TYPES, True)
    session.selection.suggests_types = stored is not False
    workbench.clock.start()
    return Window(workbench)


def _back_up(window: Window) -> None:
    """Make a backup of the workspace beside the work if the last one is old, and look hourly."""
    session, workspace = window.workbench.session, window.workbench.workspace
    if workspace.damage:
        return

    def tell(error: Exception) -> None:
        session.messages.say(f"no backup of the workspace was made: {error}")

    rotate = partial(backups.rotate, workspace.path)
    back_up = partial(Task(window).start, rotate, lambda _: None, tell)
    hourly = QTimer(window, interval=BACKUP_MS)
    hourly.timeout.connect(back_up)
    hourly.start()
    back_up()


def _tell(
    session: Session, is_saved: Callable[[], bool]
) -> Callable[[type[BaseException], BaseException, TracebackType | None], None]:
    """Return a hook that shows an unforeseen error in the window instead of ending it."""

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            QApplication.quit()
            return
        log.critical("unforeseen error", exc_info=(kind, error, trace))
        lines = "".join(traceback.format_exception(kind, error, trace))
        report = f"Pagelet {pagelet_version()}, {platform.platform()}\n{lines}"
        session.messages.say_error(report, is_saved=is_saved())

    return hook
