"""From wherever the keyboard is back to the page, and out of the window."""

from PySide6.QtWidgets import QMainWindow

from gui.core.workbench import Workbench
from gui.features.errors.state import ErrorWalk
from gui.features.pages.panel import PagesDock
from gui.window.central import Central
from gui.window.open_dialogs import OpenDialogs
from gui.window.page_views import Views


class PageFocus:
    """What Esc, *Quit* and *Save picture* ask of the window as a whole."""

    def __init__(
        self,
        window: QMainWindow,
        workbench: Workbench,
        central: Central,
        views: Views,
        pages: PagesDock,
        dialogs: OpenDialogs,
    ) -> None:
        self._window, self._workbench = window, workbench
        self._central, self._views = central, views
        self._pages, self._dialogs = pages, dialogs

    def quit(self) -> None:
        """Close the window."""
        self._window.close()

    def export_picture(self) -> None:
        """Let the user choose where a picture of what is shown goes."""
        self._dialogs.export_picture(self._views.picture_kinds)

    def back_to_page(self) -> None:
        """Give the page the keyboard; if it has it, select nothing."""
        canvas, errors = self._workbench.canvas, self._workbench.session.get(ErrorWalk)
        if self._central.leave() or self._views.leave():
            return
        if errors.is_shown and self._is_on_page():
            errors.show(False)
            return
        if self._is_on_page():
            self._workbench.clear_selection()
        else:
            self._pages.end_search()
            canvas.view.setFocus()

    def _is_on_page(self) -> bool:
        canvas, focused = self._workbench.canvas, self._window.focusWidget()
        return focused is None or focused is canvas or canvas.isAncestorOf(focused)
