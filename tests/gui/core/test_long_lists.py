"""A folder of very many pages is listed: how long the window's own thread works at a stretch."""

import time

import pytest
from PySide6.QtCore import QTimer

from tests.pulse import WorkPulse

COUNT = 49_000
MOST = 2.0
"""Seconds of the processor without a turn of the event loop: 0.3 to 1.1 when measured.

Where all pages were listed at once it was 2.6 and more.
"""


@pytest.mark.web
@pytest.mark.slow
def test_a_folder_of_49000_pages_holds_the_window_up_for_a_second_at_most(window, qtbot, tmp_path):
    for number in range(COUNT):
        (tmp_path / f"p{number:05}.html").write_text("<title>t</title><h1>Head</h1><p>Some words")
    pulse = WorkPulse()
    window.workbench.navigation.open_path(str(tmp_path))
    qtbot.waitUntil(lambda: len(window.session.documents) == COUNT, timeout=300_000)
    qtbot.waitUntil(lambda: window.session.open.page is not None, timeout=300_000)
    print(f"longest work at a stretch: {pulse.longest:.2f} s")
    assert pulse.longest < MOST


def test_the_pulse_finds_work_that_holds_the_window_up(qtbot):
    pulse = WorkPulse()

    def work() -> None:
        until = time.thread_time() + 0.2
        while time.thread_time() < until:
            pass

    QTimer.singleShot(20, work)
    qtbot.waitUntil(lambda: pulse.longest >= 0.2, timeout=30_000)
