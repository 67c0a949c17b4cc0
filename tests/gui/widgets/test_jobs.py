"""Jobs: calls on a pool thread, whose garbage is collected on the main thread."""

import threading
from functools import partial

import shiboken6
from PySide6.QtCore import QObject, QThreadPool, QTimer

from gui.widgets.jobs import JobLine, Task


class Ring:
    """Refers to itself and to a running timer: only the garbage collector frees it."""

    def __init__(self, ended: list) -> None:
        self.me, self.ended = self, ended
        self.timer = QTimer()
        self.timer.start(0)

    def __del__(self) -> None:
        self.ended.append(threading.current_thread())


def litter() -> None:
    """Make so much garbage that Python collects it many times."""
    for _ in range(200_000):
        ring: list = []
        ring.append(ring)


def test_garbage_of_a_job_is_collected_in_the_main_thread(qtbot):
    ended: list = []
    line = JobLine()
    with qtbot.waitSignal(line.handed_on, timeout=60_000):
        line.start(litter, lambda _: None)
        Ring(ended)
    qtbot.waitUntil(lambda: bool(ended), timeout=60_000)
    assert ended == [threading.main_thread()]


def test_available_answers_of_a_line_are_passed_on_together(qtbot):
    line, pool, answers, times = JobLine(), QThreadPool(), [], []
    line.handed_on.connect(lambda: times.append(list(answers)))
    for number in range(3):
        line.start(partial(int, number), answers.append, pool)
    pool.waitForDone()  # answers are passed on in the event loop of the main thread
    assert answers == []
    qtbot.waitUntil(lambda: bool(times))
    assert [sorted(each) for each in times] == [[0, 1, 2]]


def test_a_call_of_a_line_that_raises_answers_with_its_exception(qtbot):
    line, answers = JobLine(), []
    line.start(lambda: 1 // 0, answers.append, QThreadPool.globalInstance())
    qtbot.waitUntil(lambda: bool(answers))
    assert isinstance(answers[0], ZeroDivisionError)


def test_a_cancelled_call_is_not_made_and_gives_no_answer(qtbot):
    line, pool, made, answers = JobLine(), QThreadPool(), [], []
    pool.setMaxThreadCount(1)
    gate = threading.Event()
    line.start(gate.wait, answers.append, pool)
    line.start(lambda: made.append(1), answers.append, pool).cancel()
    line.start(lambda: "last", answers.append, pool)
    gate.set()
    qtbot.waitUntil(lambda: "last" in answers)
    assert (made, answers) == ([], [True, "last"])


def test_a_task_passes_on_only_the_answer_to_the_last_call(qtbot, qapp):
    owner, answers, gate = QObject(), [], threading.Event()
    task = Task(owner, in_line=True)
    task.start(gate.wait, answers.append)
    task.start(lambda: "second", answers.append)
    assert task.is_busy
    gate.set()
    qtbot.waitUntil(lambda: not task.is_busy)
    assert answers == ["second"]


def test_a_task_that_fails_passes_on_the_error_and_is_no_longer_busy(qtbot, qapp):
    owner, errors = QObject(), []
    task = Task(owner)
    task.start(lambda: 1 // 0, errors.append, errors.append)
    qtbot.waitUntil(lambda: not task.is_busy)
    assert [type(each) for each in errors] == [ZeroDivisionError]
    task.start(lambda: 1 // 0, errors.append)  # without a callback the error is logged
    qtbot.waitUntil(lambda: not task.is_busy)
    assert len(errors) == 1


def test_the_answer_to_a_task_is_dropped_with_its_owner(qtbot, qapp):
    owner, answers, gate = QObject(), [], threading.Event()
    pool = QThreadPool.globalInstance()
    Task(owner).start(gate.wait, answers.append)
    shiboken6.delete(owner)
    gate.set()
    assert pool.waitForDone(5000)
    qapp.processEvents()
    assert answers == []
