"""Controller of the errors of a result; keeps the current error in view."""

import shlex
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from gui.core.workbench import Workbench
from gui.features.errors.error_finder import ErrorFinder
from gui.features.errors.state import ErrorWalk


class Errors(QObject):
    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._session, self._canvas = workbench.session, workbench.canvas
        self._page_session = workbench.page_session
        self._walk = self._session.get(ErrorWalk)
        self._finder = ErrorFinder(self._session, self)
        workbench.requests.errors.connect(self._walk.start)
        workbench.main_area.add_step_back(self._leave)
        self._walk.index_changed.connect(self._show)

    def toggle(self) -> None:
        """Show the errors of the current layer's method on the page, or the layers again.

        If the gold is current, these are the errors of the first visible method.  Where nobody
        marks, the page scrolls to the first one.
        """
        session = self._session
        methods = [each for each in session.layers.all if not each.is_gold]
        is_method = session.layers.current_layer in [each.key for each in methods]
        if not self._walk.is_shown and not is_method:
            if not methods:
                session.messages.say("add a method first, by + in the Methods panel")
                return
            drawn = next((each for each in methods if each.visible), methods[0])
            session.layers.set_current_layer(drawn.key)
        if self._walk.is_shown or self._page_session.is_marking():
            self._walk.show(not self._walk.is_shown)  # whoever marks keeps his place on the page
        else:
            self._walk.start()

    def copy_command(self, name: str) -> None:
        """Copy a command of a plug-in with the current method and the open page."""
        session, document = self._session, self._session.open.document
        layers = [each for each in session.layers.all if not each.is_gold]
        layers.sort(key=lambda each: (each.key != session.layers.current_layer, not each.visible))
        if document is None or not layers:
            return
        path = Path(document.root or "", document.path or "")
        page = str(path) if not document.is_live and path.is_file() else document.address
        command = shlex.join(("pagelet", name, layers[0].key, page))
        QGuiApplication.clipboard().setText(command)
        session.messages.say(f"copied, to be run in a terminal: {command}")

    def step(self, by: int) -> None:
        """Go to the next or previous error; shows the errors if hidden."""
        if self._walk.is_shown:
            self._walk.step(by)
        else:
            self.toggle()

    def stop(self) -> None:
        """Stop looking for errors."""
        self._finder.timer.stop()

    def _leave(self) -> bool:
        was_shown = self._walk.is_shown
        self._walk.show(False)
        return was_shown

    def _show(self) -> None:
        error = self._walk.current
        if error is not None and error.ranges:
            self._canvas.scroll_to_texts(error.ranges)
        elif error is not None and error.rows:
            self._canvas.scroll_to(error.rows[0])
