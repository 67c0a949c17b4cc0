"""What is wrong with a result, walked error by error; the one looked at is in view."""

from PySide6.QtCore import QObject

from gui.core.workbench import Workbench
from gui.features.errors.error_finder import ErrorFinder
from gui.features.errors.state import ErrorWalk


class Errors(QObject):
    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._session, self._canvas = workbench.session, workbench.canvas
        self._walk = self._session.get(ErrorWalk)
        self._finder = ErrorFinder(self._session, self)
        workbench.requests.errors.connect(self._walk.start)
        workbench.main_area.add_step_back(self._leave)
        self._walk.index_changed.connect(self._show)

    def toggle(self) -> None:
        """Show the errors of the current layer's method on the page, or the layers again.

        Where the gold is current, which has none, they are those of the first method drawn.
        """
        session = self._session
        methods = [each for each in session.layers if not each.is_gold]
        is_method = session.current_layer in [each.key for each in methods]
        if not self._walk.is_shown and not is_method:
            drawn = next((each for each in methods if each.visible), None)
            if drawn is None:
                session.say("show a method first, by the eye before its name")
                return
            session.set_current_layer(drawn.key)
        self._walk.show(not self._walk.is_shown)

    def step(self, by: int) -> None:
        """Go to the next error, or the one before; shows the errors if they are not shown."""
        if self._walk.is_shown:
            self._walk.step(by)
        else:
            self.toggle()

    def stop(self) -> None:
        """Look for no errors any more."""
        self._finder.timer.stop()

    def _leave(self) -> bool:
        was_shown = self._walk.is_shown
        self._walk.show(False)
        return was_shown

    def _show(self) -> None:
        error = self._walk.current
        if error is None:
            return
        if error.ranges:
            self._canvas.scroll_to_texts(error.ranges)
        elif error.rows:
            self._canvas.scroll_to(error.rows[0])
