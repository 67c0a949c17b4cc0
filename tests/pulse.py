"""Turns of a window's event loop: how long it stands still, and that so many have gone by."""

import time

from PySide6.QtCore import QTimer


class Pulse:
    """Beats as long as the event loop turns, every ``interval`` ms at most.

    Attributes:
        longest: Longest time between two beats so far, s.
    """

    def __init__(self, interval: int = 10) -> None:
        self.longest, self._last, self._beats = 0.0, time.monotonic(), 0
        self._timer = QTimer()
        self._timer.timeout.connect(self._beat)
        self._timer.start(interval)

    def _beat(self) -> None:
        now = time.monotonic()
        self.longest, self._last = max(self.longest, now - self._last), now
        self._beats += 1

    def wait(self, qtbot, beats: int) -> None:
        """Wait for so many more: a timer of the window of a shorter interval has gone off, too."""
        last = self._beats + beats
        qtbot.waitUntil(lambda: self._beats >= last, timeout=60_000)


class WorkPulse:
    """Longest work of this thread between two turns of its event loop, s of the processor.

    Other programs on the machine do not count, as they do in `Pulse`.
    """

    def __init__(self) -> None:
        self.longest, self._last = 0.0, time.thread_time()
        self._timer = QTimer()
        self._timer.timeout.connect(self._beat)
        self._timer.start(5)

    def _beat(self) -> None:
        now = time.thread_time()
        self.longest, self._last = max(self.longest, now - self._last), now
