"""PaintWait: knows whether what was drawn on the page is on screen, and waits until it is."""

from PySide6.QtCore import QEventLoop, QTimer

from engine.web.view import PageView
from engine.web.waiting import wait_in
from gui.page.bridge import Bridge

PAINTED_MS = 1000
"""How long a key waits for the page to be painted; two frames, 33 ms, will do where it answers."""


class PaintWait:
    """Counts drawn frames; the page says up to which number it has painted."""

    def __init__(self) -> None:
        self._drawn = self._painted = 0

    def note_drawing(self) -> None:
        """Count one more that the page was sent."""
        self._drawn += 1

    @property
    def is_over(self) -> bool:
        """Whether all is on screen."""
        return self._painted >= self._drawn

    def wait(self, view: PageView, bridge: Bridge) -> bool:
        """Wait until the drawing is on screen; return whether it is.

        Keys and clicks made meanwhile come after, in their order.
        """
        number, loop = self._drawn, QEventLoop()

        def end(painted: int) -> None:
            if painted >= number:
                self._painted = painted
                loop.quit()

        def is_awaited(answer: object) -> None:
            if answer is not True:
                end(number)

        bridge.painted.connect(end)
        try:
            script = f"pagelet.awaitPaint?.({number}) === true"
            view.run(script, is_awaited, is_awaited, PAINTED_MS / 1000)
            QTimer.singleShot(PAINTED_MS, loop, loop.quit)
            wait_in(loop, QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
        finally:
            bridge.painted.disconnect(end)
        return self._painted >= number
