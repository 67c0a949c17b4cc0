"""The work clock counts working time by page and day, and stores it."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from annotate.workspace.workspace import Workspace, page_key
from gui.core.clock import TICK_S, WorkClock, format_duration
from tests.gui.parts import DOCUMENTS, session_on_page

FIRST = page_key(DOCUMENTS[0])


@pytest.fixture
def workspace(tmp_path):
    with Workspace.open(tmp_path / "marks.pagelet") as made:
        made.add_pages(DOCUMENTS)
        yield made


class Time:
    now, day = 0.0, "2026-01-01"


@pytest.fixture
def session(qapp):
    return session_on_page()


def clock_of(session, workspace, time):
    return WorkClock(session, workspace, session, lambda: time.now, lambda: time.day)


def test_time_is_counted_only_shortly_after_input(session, workspace):
    time = Time()
    clock = clock_of(session, workspace, time)
    clock.tick()
    assert clock.on_page(FIRST) == 0
    clock.note()
    for _ in range(3):
        time.now += TICK_S
        clock.tick()
    assert clock.on_page(FIRST) == 3 * TICK_S
    time.now += 120
    clock.tick()
    assert clock.on_page(FIRST) == 3 * TICK_S


def test_input_to_a_window_counts_until_the_clock_is_stopped(session, workspace, qtbot):
    time, page = Time(), QWidget()
    qtbot.addWidget(page)
    with qtbot.waitExposed(page):
        page.show()
    clock = clock_of(session, workspace, time)
    clock.start()
    page.activateWindow()
    qtbot.waitUntil(lambda: QGuiApplication.focusWindow() is page.windowHandle(), timeout=20_000)
    clock.tick()
    assert clock.on_page(FIRST) == 0
    QTest.mouseClick(page.windowHandle(), Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    clock.tick()
    assert clock.on_page(FIRST) == TICK_S
    time.now += 120
    clock.stop()
    QTest.mouseClick(page.windowHandle(), Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    clock.tick()
    assert clock.on_page(FIRST) == TICK_S


def test_time_is_counted_by_day_and_restored(session, workspace):
    time = Time()
    clock = clock_of(session, workspace, time)
    clock.note()
    clock.tick()
    time.day = "2026-01-02"
    clock.tick()
    clock.tick()
    clock.stop()
    again = clock_of(session, workspace, time)
    assert again.by_day() == {"2026-01-02": 2 * TICK_S, "2026-01-01": TICK_S}
    assert again.today() == 2 * TICK_S


def test_a_damaged_setting_is_ignored(session, workspace):
    workspace.set_setting("time spent", [1, 2])
    assert clock_of(session, workspace, Time()).by_day() == {}


@pytest.mark.parametrize(
    ("seconds", "said"), [(40, "40 s"), (60, "1 min"), (3599, "59 min"), (3900, "1 h 05")]
)
def test_durations_are_shown_in_seconds_minutes_or_hours(seconds, said):
    assert format_duration(seconds) == said


@pytest.mark.web
def test_the_time_of_a_moved_page_is_kept_under_its_new_path(hand, tmp_path):
    bench = hand.workbench
    hand.open("<p>one two three", "moved.html")
    before = page_key(hand.session.open.document)
    bench.clock.note()
    bench.clock.tick()
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    hand.open_path((tmp_path / "moved.html").rename(folder / "moved.html"))
    now = page_key(hand.session.open.document)
    assert (bench.clock.on_page(before), bench.clock.on_page(now)) == (0, TICK_S)
    bench.clock.tick()
    bench.clock.keep()
    stored = bench.workspace.setting("time spent")
    assert {key: sum(days.values()) for key, days in stored.items()} == {now: 2 * TICK_S}
