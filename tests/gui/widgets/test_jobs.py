"""Jobs: a call on a pool thread, whatever is left of it gone on the windows' own."""

import threading

from PySide6.QtCore import QTimer

from gui.widgets.jobs import Job


class Ring:
    """Refers to itself, and to a timer that runs: only the collector lets go of it."""

    def __init__(self, ended: list) -> None:
        self.me, self.ended = self, ended
        self.timer = QTimer()
        self.timer.start(0)

    def __del__(self) -> None:
        self.ended.append(threading.current_thread())


def litter() -> None:
    """Make so much garbage that Python looks for some, by itself, many times."""
    for _ in range(200_000):
        ring: list = []
        ring.append(ring)


def test_garbage_that_a_job_makes_is_collected_in_the_thread_of_the_windows(qtbot):
    ended: list = []
    job = Job(litter)
    with qtbot.waitSignal(job.done, timeout=60_000):
        job.start()
        Ring(ended)
    qtbot.waitUntil(lambda: bool(ended), timeout=60_000)
    assert ended == [threading.main_thread()]
