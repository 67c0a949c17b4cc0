"""Recovery: a page whose renderer dies comes back by itself; one that hangs is asked about."""

import logging
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal

from engine.errors import CaptureError, RendererDied
from gui.page.canvas import PageCanvas
from gui.state.session import Session

log = logging.getLogger(__name__)

CAME_BACK = "the page's process crashed: it is loaded again, all marks are kept"


class Recovery(QObject):
    """Loads a page again whose renderer has died, and scrolls it to where it was.

    Once: a page that dies again before anybody has used it is left alone.

    Args:
        session, canvas: Whose page it is.
        load: Loads the session's page again.
        fail: Says why there is no page.
    """

    changed = Signal()  # whether the page answers, or what the user wants done about it

    def __init__(
        self,
        session: Session,
        canvas: PageCanvas,
        load: Callable[[], None],
        fail: Callable[[str], None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._session, self._canvas = session, canvas
        self._load, self._fail = load, fail
        self._position: float | None = None  # CSS px; None: nothing has died since the last use
        self._waits = False
        for used in (session.open.gold_changed, session.open.document_changed, canvas.pointed):
            used.connect(self._on_used)
        canvas.hang_changed.connect(self._on_hang)
        canvas.renderer_died.connect(self._on_death)

    def takes(self, error: CaptureError) -> bool:
        """Return whether a page that could not be read is loaded again instead of being given up.

        Only where its renderer has died, and not for the second time.
        """
        if not isinstance(error, RendererDied) or self._position is not None:
            return False
        self._bring_back(0.0)
        return True

    def on_captured(self) -> None:
        """Put a page that came back where it was."""
        if self._position is not None:
            self._canvas.scroll_down_to(self._position)
            self._session.messages.say(CAME_BACK)

    def _on_death(self, what: str) -> None:
        if self._position is None:
            self._bring_back(self._canvas.scrolled)
        else:
            self._canvas.show_nothing()
            self._fail(f"{what} twice; load the page again (all marks are kept)")

    def _bring_back(self, position: float) -> None:
        log.warning("the renderer crashed: the page is loaded again")

        def load() -> None:
            self._load()
            self._position = position

        # Not now: a load that is begun while Qt still says that a renderer has gone may be lost.
        QTimer.singleShot(0, self, load)

    def _on_used(self) -> None:
        if not self._canvas.is_busy:
            self._position = None

    # what hangs ----------------------------------------------------------------------------
    @property
    def is_asking(self) -> bool:
        """Whether the page hangs and the user has not decided yet."""
        return self._canvas.hangs and not self._waits

    def wait(self) -> None:
        """Keep waiting for a page that does not respond."""
        self._waits = True
        self.changed.emit()

    def stop(self) -> None:
        """End a page that does not answer; one that was being shown comes back."""
        if not self._canvas.hangs:
            return
        if self._canvas.is_busy:
            self._canvas.stop()
            self._fail("the page did not answer, and was stopped")
        self._canvas.view.kill_renderer()

    def _on_hang(self) -> None:
        self._waits = False
        self.changed.emit()
